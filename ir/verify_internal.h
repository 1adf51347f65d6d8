// What the files of the verifier share.
#ifndef MG_IR_VERIFY_INTERNAL_H
#define MG_IR_VERIFY_INTERNAL_H

#include "ir/graph.h"

typedef struct MgVerifier {
    MgGraph *g;
    MgArena *arena;
    bool *visible; // by value id: it is defined before the current op, in a region that is open
    bool *seen;    // by op id
    MgMap names;
    MG_VEC(MgIx) facts; // expressions known to be >= 0 at this place
    bool never;         // the place is inside a loop without trips, where any claim holds
    bool guards;        // adds guards to reads instead of checking anything
    bool ok;
} MgVerifier;

// Reports that the form of op is wrong. Returns false.
bool mg_verify_fail(MgVerifier *v, MgOpId op, const char *what);
MgSpan mg_verify_span(const MgVerifier *v, MgOpId op);
const char *mg_verify_name(const MgVerifier *v, MgOpId op);
void mg_verify_equation(MgVerifier *v, MgOpId op);
void mg_guard_equation(MgVerifier *v, MgOpId op);

#endif
