// Devices that tests make programs for. None of them need exist.
#ifndef MG_TESTS_KERNELS_PROGRAMS_DEVICE_H
#define MG_TESTS_KERNELS_PROGRAMS_DEVICE_H

#include "backends/backend.h"

enum { MG_TRIED_WORKERS = 3 };

typedef struct MgTried {
    bool gpu; // a GPU; false: a CPU
    // CPUs: this one, or one with a small last-level cache, words of bytes and of bf16, or short
    // vectors whose lanes are factors; or one that OpenCL C describes.
    bool small, words, lanes, portable;
    // GPUs: a small one, or one with many units, matrix units, these and as much local memory as a
    // Hopper, also for products that split factors, or wide products, whose factors it may copy by
    // itself.
    bool wide, units, deep, parts, hopper, boxes;
    bool slow; // its memory
} MgTried;

// The backend for it. The backend of a CPU makes programs for this CPU, too.
MgBackend mg_tried(const MgTried *t);

#endif
