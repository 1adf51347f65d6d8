// Values as text for a reader, or as JSON for a program.
#ifndef MG_TOOLS_SHOW_H
#define MG_TOOLS_SHOW_H

#include "include/mg.h"
#include "support/text.h"

// `name: f32[2, 3] = ` and the values in brackets, those in the middle of long axes left out.
void mgc_show(MgText *out, const char *name, MgElement element, uint32_t rank, const int64_t *dims,
              const void *data);
// {"name": …, "dtype": …, "shape": […], "data": […]}: all values in one row-major list. Values for
// which JSON has no number are the strings "nan", "inf" and "-inf".
void mgc_show_json(MgText *out, const char *name, MgElement element, uint32_t rank,
                   const int64_t *dims, const void *data);
void mgc_json_string(MgText *out, const char *text);

#endif
