// Builds graphs call by call: capture_call() computes at once, or is recorded as a line of MG. The
// same function of C can thereby be run step by step and become a graph.
#ifndef CAPTURE_H
#define CAPTURE_H

#include <mg.h>

typedef struct Capture Capture;
// What a call takes and gives: a tensor, or the name of one in the graph that is being recorded.
typedef struct Value {
    MgTensor *tensor; // NULL while recording
    const char *name; // NULL while calls compute at once
} Value;

// context stays the caller's. NULL if memory runs out.
Capture *capture_new(MgContext *context, bool record);
void capture_free(Capture *capture); // with all values that it gave
// What went wrong first, or NULL. After a mistake, all calls give values that are nothing.
const char *capture_message(const Capture *capture);

// An input: a tensor that is computed with, or the declaration "f32[N, 4]" of one.
Value capture_input(Capture *capture, const char *name, MgTensor *tensor, const char *type);
// The operator of MG's library, with n operands; attributes: "axis = 1", or NULL.
Value capture_call(Capture *capture, const char *operator, const Value * operands, uint32_t n,
                   const char *attributes);
// The recorded graph as MG, whose results are these values. The text belongs to the capture.
const char *capture_text(Capture *capture, const char *graph, const Value *results, uint32_t n);

#endif
