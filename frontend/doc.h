// A pretty printer's documents: text with places where a line may break (Wadler, "A prettier
// printer", 2003; fits as in Lindig, "Strictly Pretty", 2000).
//
// A group is laid out on one line if it fits there up to the next possible break, else its own
// lines break. Documents live in an arena; printing needs no recursion, so depth is not a concern.
#ifndef MG_FRONTEND_DOC_H
#define MG_FRONTEND_DOC_H

#include "support/text.h"

typedef struct MgDoc MgDoc;
typedef MG_VEC(const MgDoc *) MgDocs;

const MgDoc *mg_doc_text(MgArena *arena, const char *text, size_t length);
const MgDoc *mg_doc_line(void);  // a space, or a line end
const MgDoc *mg_doc_hard(void);  // a line end; the groups around it break
const MgDoc *mg_doc_blank(void); // a line end and an empty line
const MgDoc *mg_doc_cat(MgArena *arena, MgDocs parts);
const MgDoc *mg_doc_group(MgArena *arena, const MgDoc *inner);
const MgDoc *mg_doc_nest(MgArena *arena, uint32_t columns, const MgDoc *inner);
// Stands at the end of a line, whatever its width: annotations, and comments, which end the line
// (the groups around them break).
const MgDoc *mg_doc_trailing(MgArena *arena, const MgDoc *inner, bool ends_line);

// Ends with a line end. Lines have no blanks at their end.
void mg_doc_print(MgArena *scratch, const MgDoc *doc, uint32_t width, MgText *out);

#endif
