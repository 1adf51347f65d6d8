// Values as text for a reader, or as JSON for a program.
#ifndef MG_TOOLS_SHOW_H
#define MG_TOOLS_SHOW_H

#include "include/mg.h"
#include "support/text.h"

// Appends `name: f32[2, 3] = ` and the values in brackets, without the middle of long axes.
void mgc_show(MgText *out, const char *name, MgElement element, uint32_t rank, const int64_t *dims,
              const void *data);
// Appends {"name": …, "dtype": …, "shape": […], "data": […]} with all values in one row-major list.
// The strings "nan", "inf" and "-inf" stand for values that JSON has no number for.
void mgc_show_json(MgText *out, const char *name, MgElement element, uint32_t rank,
                   const int64_t *dims, const void *data);
void mgc_json_string(MgText *out, const char *text);

#endif
