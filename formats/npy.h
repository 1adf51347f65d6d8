// npy files, versions 1 to 3: a magic, a Python dictionary literal, the array's bytes. And npz, a
// zip of them. https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#ifndef MG_FORMATS_NPY_H
#define MG_FORMATS_NPY_H

#include "formats/tensor.h"
#include "support/files.h"

// Reads an array from the bytes of a file, which messages call `name`: either byte order, row- or
// column-major. NULL after a diagnostic. The caller owns the reference.
MgTensor *mg_npy_of_bytes(MgSession *session, const char *name, const unsigned char *bytes,
                          size_t length);
MgTensor *mg_npy_read(MgSession *session, const char *path);
// The bytes of a version 1 file: a header in the session's arena, then the tensor's own.
void mg_npy_parts(MgSession *session, const MgTensor *tensor, MgBytes parts[2]);
bool mg_npy_write(MgSession *session, const char *path, const MgTensor *tensor);

// The array `key` of an npz file, stored or deflated. limit: the most bytes that it may unpack to
// (0: no limit).
MgTensor *mg_npz_read(MgSession *session, const char *path, const char *key, size_t limit);
bool mg_npz_write(MgSession *session, const char *path, const char *const *keys,
                  MgTensor *const *tensors, size_t n);

#endif
