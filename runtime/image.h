// The compiled image: what an object made by the CPU backend exports, and how it is called.
//
// One constant of type MgImage under the symbol `mg_image`. Plain data and two functions; needs nothing
// but libc and libm. This layout is an ABI between the backend, the runtime and generated headers:
// change MG_IMAGE_ABI with it.
#ifndef MG_RUNTIME_IMAGE_H
#define MG_RUNTIME_IMAGE_H

#include <stdint.h>

#define MG_IMAGE_MAGIC 0x314d4947u // "GIM1"
#define MG_IMAGE_ABI 1u

typedef struct MgImagePort {
    const char *name;
    uint32_t dtype; // MgDType
    uint32_t rank;
    const int64_t *dims; // per axis: >= 0 a constant, -1 see formula
    const char *const *formulas; // per axis, as text over dimension names, for messages
    int32_t aliases;             // output: input whose buffer it takes, or -1
} MgImagePort;

typedef struct MgImageWeight {
    const char *key, *file; // file as written in the source, may be ""
    uint32_t dtype, rank;
    const int64_t *dims;    // constants (a weight's shape never depends on a run)
} MgImageWeight;

typedef struct MgImageSite {
    const char *name, *kind, *place; // "digits.mg:6:10"
} MgImageSite;

// State of one call in flight. The caller owns every buffer; nothing is allocated on the way.
typedef struct MgCall {
    void *const *ports;         // inputs, then outputs
    const void *const *weights;
    const void *const *constants; // parts of the image, filled by the loader from MgImage.constants
    unsigned char *arena;       // 64-byte aligned, slots[0] bytes
    int64_t *dims;              // n_dims values: those of the inputs before bind; run writes data-dependent ones
    int64_t *slots;             // n_slots values, written by bind
    uint64_t *ticks;            // 2 * n_sites * workers counters (begin, end; worker-major), or NULL
    uint32_t error;             // 0, or the first trap's code
    uint32_t barrier_count, barrier_sense; // zero before the first run
    uint32_t reserved[8];
} MgCall;

typedef struct MgImage {
    uint32_t magic, abi;
    uint64_t source_hash;
    const char *graph, *march;
    uint32_t n_inputs, n_outputs, n_weights, n_constants, n_dims, n_slots, n_sites, n_traps;
    const MgImagePort *ports;     // inputs, then outputs
    const MgImageWeight *weights;
    const void *const *constants;
    const char *const *dim_names;
    const MgImageSite *sites;
    const char *const *traps;     // message of code c is traps[c - 1], with its place
    uint32_t max_workers;
    // Computes slots from dims: returns 0, or 1 + the number of the require that failed.
    int32_t (*bind)(const int64_t *dims, int64_t *slots);
    const char *const *requires;  // their messages
    // FLOPs and bytes of every site for these dims: counts[2 * n_sites].
    void (*costs)(const int64_t *dims, int64_t *counts);
    // Entered once by each of `workers` workers at the same time, with the same call.
    void (*run)(MgCall *call, uint32_t worker, uint32_t workers);
} MgImage;

#endif
