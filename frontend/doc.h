// A pretty printer's documents: text with places where a line may break (Wadler, "A prettier
// printer", 2003; fits as in Lindig, "Strictly Pretty", 2000).
//
// A group is laid out on one line if it fits there, together with the text up to the next possible
// break. Otherwise the breaks of the group itself become line ends. Documents live in an arena.
// Printing does not recurse, so documents may be nested to any depth.
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
// A document at the end of a line, such as an annotation or a comment. Its width doesn't count. A
// comment ends the line, so the groups around it break.
const MgDoc *mg_doc_trailing(MgArena *arena, const MgDoc *inner, bool ends_line);

// Prints the document. The text ends with a line end, and no line ends with a blank.
void mg_doc_print(MgArena *scratch, const MgDoc *doc, uint32_t width, MgText *out);

#endif
