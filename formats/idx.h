// IDX files, the format of MNIST and similar sets: a magic number, sizes, the array's bytes. All
// numbers are big-endian. http://yann.lecun.com/exdb/mnist/
#ifndef MG_FORMATS_IDX_H
#define MG_FORMATS_IDX_H

#include "formats/tensor.h"
#include "support/files.h"

// Does the path name such a file? It ends in .idx, or in -ubyte, -short, -int, -float or -double
// after -idxN; .gz may follow.
bool mg_idx_is(const char *path);
// Reads an array from the bytes of a file, which messages call `name`. NULL after a diagnostic. The
// caller owns the reference.
MgTensor *mg_idx_of_bytes(MgSession *session, const char *name, const unsigned char *bytes,
                          size_t length);
// The same from a file, which may be a gzip file (RFC 1952) of one member. limit: the most bytes
// that it may unpack to (0: no limit).
MgTensor *mg_idx_read(MgSession *session, const char *path, size_t limit);

#endif
