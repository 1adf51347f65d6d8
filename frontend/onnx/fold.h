// What the files that fold operators of known inputs share (see known.c).
#ifndef MG_FRONTEND_ONNX_FOLD_H
#define MG_FRONTEND_ONNX_FOLD_H

#include "frontend/onnx/internal.h"

typedef struct MgOnnxFold {
    MgOnnxNode *n;
    MgIxTable *ix;
    MgDType dtype; // of the result
    uint32_t rank;
    MgIx *shape;
    MgOnnxNumber *out;
    uint32_t count;
} MgOnnxFold;

static inline MgOnnxNumber mg_onnx_whole(MgIx x) {
    return (MgOnnxNumber){.ix = x};
}
static inline MgOnnxNumber mg_onnx_real(double f) {
    return (MgOnnxNumber){.real = true, .f = f};
}
// Is x an integer that does not depend on sizes? If so, sets its value.
bool mg_onnx_is_int(const MgOnnxFold *f, MgOnnxNumber x, int64_t *value);

// Makes room for a result. False if it is too large for a known value.
bool mg_onnx_fold_begin(MgOnnxFold *f, MgDType dtype, uint32_t rank, const MgIx *shape,
                        uint64_t count);
bool mg_onnx_fold_like(MgOnnxFold *f, const MgOnnxValue *v, MgDType dtype);

// A row of known.c or fold_shape.c. fold returns false if it can't compute the result.
typedef struct MgOnnxFolding {
    const char *name;
    bool (*fold)(MgOnnxFold *f);
    uint32_t inputs; // the number of inputs it must have
    bool of_shape;   // it needs only the input's shape
    bool moves;      // it only moves elements
} MgOnnxFolding;
extern const MgOnnxFolding mg_onnx_foldings_of_numbers[]; // each ends with a row without a name
extern const MgOnnxFolding mg_onnx_foldings_of_shapes[];
// a op b, where op is "Add" or "Mul".
bool mg_onnx_fold_add(MgOnnxFold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r);
bool mg_onnx_fold_mul(MgOnnxFold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r);

#endif
