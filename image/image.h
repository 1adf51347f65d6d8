// The compiled image: what an object of the CPU backend exports, and how it is called.
//
// An image is one constant of type MgImage under the symbol `mg_image`. It has plain data and a few
// functions, and needs only libc and libm. The layout is an ABI between the backend, the runtime
// and generated headers: change MG_IMAGE_ABI with it.
//
// An image for a device has the same form: ports, sizes, checks, offsets and the plan are host code
// there, too. But its kernels are text in the device's language. Where a plan for the CPU calls a
// kernel, the plan of such an image launches it through MgCall.device, and its buffers are
// addresses on that device.
#ifndef MG_IMAGE_IMAGE_H
#define MG_IMAGE_IMAGE_H

#include <stdint.h>

// An image's code may be several ELF objects, one after another, each at a multiple of 8 bytes:
// first kernels, which don't depend on each other, then the object with `mg_image`, which calls
// them.
#define MG_IMAGE_PARTS_MAGIC "MGPARTS1"
#define MG_IMAGE_MAX_PARTS 8
typedef struct MgImageParts {
    char magic[8];
    uint64_t count;
    uint64_t length[MG_IMAGE_MAX_PARTS]; // in bytes; 0 after the last. The objects follow
} MgImageParts;

#define MG_IMAGE_MAGIC 0x314d4947u // "GIM1"
#define MG_IMAGE_ABI 7u

typedef struct MgImagePort {
    const char *name;
    uint32_t dtype; // MgDType
    uint32_t rank;
    const int64_t *dims;         // by axis: a constant if >= 0; -1: see formulas
    const char *const *formulas; // by axis, as text over dimension names, for messages
    int32_t aliases;             // of an output: the input whose buffer it takes, or -1
} MgImagePort;

typedef struct MgImageWeight {
    const char *key, *file; // file: as written in the source, may be ""
    uint32_t dtype, rank;
    const int64_t *dims; // constants (a weight's shape never depends on a run)
} MgImageWeight;

typedef struct MgImageSite {
    const char *name, *kind, *place; // "digits.mg:6:10"
    double faster;                   // MgTiming.faster
} MgImageSite;

// What an image for a device needs besides its host code.
typedef struct MgImageKernel {
    const char *name;              // of the kernel in the source
    uint32_t n_buffers, n_scalars; // arguments: (base, i64 offset in bytes) of each buffer, i64
                                   // scalars, then, if it traps, the MgDeviceTrap
    uint32_t items;                // the work-items of a group
    uint32_t traps;                // 0 or 1
} MgImageKernel;

typedef struct MgDeviceTrap { // in the device's memory; it is zero until a kernel traps
    uint32_t code, valued;    // as in MgCall.error and MgCall.valued
    int64_t value;
} MgDeviceTrap;

typedef struct MgImageUse { // what a launch does with a buffer
    int64_t bytes;          // it uses no more of it; -1: that is not known
    uint32_t writes;        // 0 or 1; it may always read
    uint32_t part_of;       // nothing but a part of this value, as MgLaunchUse has it
} MgImageUse;

typedef struct MgImageLaunch { // a place in the plan that launches a kernel
    uint32_t kernel, site;
    const MgImageUse *uses; // by buffer
} MgImageLaunch;

typedef struct MgImageDevice {
    const char *source; // OpenCL C of all kernels
    uint64_t source_length;
    uint32_t n_kernels, n_launches;
    const MgImageKernel *kernels;
    const MgImageLaunch *launches;
    const uint64_t *constant_bytes; // the size of each of MgImage.constants
} MgImageDevice;

// What host code asks of a device; the runtime implements it, in MgCall.device. An address is
// (number of the memory object << MG_DEVICE_SHIFT) + byte, so that code can compute with it.
#define MG_DEVICE_SHIFT 44
typedef struct MgCallDevice MgCallDevice;
struct MgCallDevice {
    // Enqueues launch number `launch` with the addresses of its buffers, then its scalars, over
    // `groups` work-groups (at least one). An error is kept until the end of the call.
    void (*launch)(MgCallDevice *device, uint32_t launch, const int64_t *args, int64_t groups);
    // Waits for everything enqueued, then copies from the device; gives zeros after an error.
    void (*read)(MgCallDevice *device, int64_t address, void *to, uint64_t bytes);
    int64_t dims; // address of the device's own copy of MgCall.dims, for kernels that write it
};

// State of one call in flight. The caller owns every buffer; a call allocates nothing.
typedef struct MgCall {
    void *const *ports; // inputs, then outputs
    const void *const *weights;
    const void *const *constants; // parts of the image; the loader finds them
    unsigned char *arena;         // slots[0] bytes, 64-byte aligned
    int64_t *dims;  // n_dims values: the caller sets those of the inputs, and run writes those that
                    // data decide
    int64_t *slots; // n_slots values, written by bind
    uint64_t *ticks;      // 2 * n_sites * workers counters (begin, end; worker-major), or NULL
    MgCallDevice *device; // of an image for a device; otherwise NULL
    uint32_t error;       // 0, or the code of the first trap
    uint32_t barrier_count, barrier_sense; // zero before the first run
    uint32_t repeat;                       // the number of passes of a plan that loops
    uint64_t dealt; // trips taken so far from the loop that workers share; zero at every barrier
    int64_t value;  // the value that caused the trap, if `valued`
    uint32_t valued, reserved;
} MgCall;

typedef struct MgImage {
    uint32_t magic, abi;
    uint64_t source_hash;
    const char *graph, *march;
    uint32_t n_inputs, n_outputs, n_weights, n_constants, n_dims, n_slots, n_sites, n_traps;
    const MgImagePort *ports; // inputs, then outputs
    const MgImageWeight *weights;
    const void *const *constants;
    const char *const *dim_names;
    const MgImageSite *sites;
    const char *const *traps; // the message of code c is traps[c - 1], and includes its place
    uint32_t max_workers;
    // Computes slots from dims. Returns 0, or 1 + the number of the require that failed.
    int32_t (*bind)(const int64_t *dims, int64_t *slots);
    const char *const *requires; // their messages
    // FLOPs and bytes of every site for these dims: counts[2 * n_sites].
    void (*costs)(const int64_t *dims, int64_t *counts);
    // Called by `workers` workers at the same time, once each, with the same call.
    void (*run)(MgCall *call, uint32_t worker, uint32_t workers);
    const MgImageDevice *device; // NULL: an image for the CPU
} MgImage;

#endif
