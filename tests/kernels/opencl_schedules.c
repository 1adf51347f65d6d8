// Runs kernels that the schedules make for the CPU and for a GPU, call by call on an OpenCL device.
// They must give the bits of the kernel interpreter, which also checks their bounds and races.
// Exits 77 (skipped) without a device.
#include "backends/opencl/host/run.h"
#include "frontend/sema.h"
#include "ir/kernel_walk.h"
#include "ir/program_split.h"
#include "runtime/compile.h"
#include "tests/kernels/programs_device.h"

#include <math.h>
#include <stdio.h>

enum { MAX_BUFFERS = 64 };

// BOTH: elementwise, a row, a contraction with its epilogue, a window, a scan, and whole numbers.
// GPU: not for a CPU, since it has barriers over the grid in loops, and so does its plan once it is
// split. UNITS: for a GPU with matrix units, which take exact factors; TF32: factors may be rounded
// to tf32.
typedef enum For { BOTH, GPU, UNITS, TF32 } For;

static const struct {
    const char *text;
    For target;
} programs[] = {
    {"mg 1\n"
     "graph main(x: f32[37, 45], r: f32[45]) -> (y: f32[37, 45]) { y = gelu(x + r) }\n",
     BOTH},
    {"mg 1\n"
     "graph main(x: f32[19, 75]) -> (y: f32[19, 75]) { y = softmax(x, axis = -1) }\n",
     BOTH},
    {"mg 1\n"
     "graph main(a: f32[29, 40], b: f32[40, 35], c: f32[35]) -> (y: f32[29, 35]) {\n"
     "    y = relu(matmul(a, b) + c)\n"
     "}\n",
     BOTH},
    {"mg 1\n"
     "graph main(x: f32[2, 3, 12, 11], w: f32[5, 3, 3, 3]) -> (y: f32[2, 5, 6, 5]) {\n"
     "    y = max_pool2d(conv2d(x, w, pad = 1), kernel = 2)\n"
     "}\n",
     BOTH},
    // whole tiles and their edges, transposed factors, a long sum of few rows
    {"mg 1\n"
     "graph main(a: f32[140, 36], b: f32[36, 132]) -> (y: f32[140, 132]) { y = matmul(a, b) }\n",
     GPU},
    {"mg 1\n"
     "graph main(a: f32[2, 33, 30], b: f32[2, 44, 30]) -> (y: f32[2, 33, 44]) {\n"
     "    y[n, i, j] = sum[k] a[n, i, k] * b[n, j, k]\n"
     "}\n",
     GPU},
    {"mg 1\n"
     "graph main(a: f32[1024, 8], b: f32[1024, 20], c: f32[20]) -> (y: f32[8, 20]) {\n"
     "    t[i, j] = sum[k] a[k, i] * b[k, j]\n"
     "    y = relu(t + c)\n"
     "}\n",
     GPU},
    // slices of the depth, rows as lines of local memory, edges everywhere
    {"mg 1\n"
     "graph main(a: f32[70, 100], b: f32[100, 68], c: f32[68]) -> (y: f32[70, 68]) {\n"
     "    y = relu(matmul(a, b) + c)\n"
     "}\n",
     GPU},
    // rows kept in registers, with a remainder; long sums of few rows, in parts; a sum over all
    {"mg 1\n"
     "graph main(x: f32[9, 300], g: f32[300]) -> (y: f32[9, 300], z: f32[9]) {\n"
     "    m[i] = mean[j] x[i, j]\n"
     "    v[i] = mean[j] (x[i, j] - m[i]) * (x[i, j] - m[i])\n"
     "    y[i, j] = (x[i, j] - m[i]) / sqrt(v[i] + 0.01) * g[j]\n"
     "    z = v + m\n"
     "}\n",
     GPU},
    {"mg 1\n"
     "graph main(x: f32[3, 20000]) -> (y: f32[3], z: f32) {\n"
     "    y[i] = max[j] x[i, j]\n"
     "    z[] = mean[i, j] x[i, j] * 2.0\n"
     "}\n",
     GPU},
    {"mg 1\n"
     "graph main(x: f32[6, 50]) -> (y: f32[6, 50]) { y = cumsum(x, axis = -1) }\n",
     BOTH},
    {"mg 1\n"
     "graph main(a: i32[40, 9], b: i8[40, 9]) -> (y: i32[40]) {\n"
     "    y[i] = sum[j] a[i, j] * i32(b[i, j])\n"
     "}\n",
     BOTH},
    // matrix units: whole tiles; edges everywhere, lines of both factors; none of either
    {"mg 1\n"
     "graph main(a: f32[128, 64], b: f32[64, 128]) -> (y: f32[128, 128]) { y = matmul(a, b) }\n",
     TF32},
    {"mg 1\n"
     "graph main(a: f32[2, 70, 45], b: f32[2, 77, 45], c: f32[77]) -> (y: f32[2, 70, 77]) {\n"
     "    t[n, i, j] = sum[k] a[n, i, k] * b[n, j, k]\n"
     "    y = relu(t + c)\n"
     "}\n",
     TF32},
    {"mg 1\n"
     "graph main(a: f32[64, 96], b: f32[64, 80], c: f32[80]) -> (y: f32[96, 80]) {\n"
     "    t[i, j] = sum[k] exp(a[k, i]) * b[k, j]\n"
     "    y = relu(t + c)\n"
     "}\n",
     TF32},
    // the same for narrow types: bf16 along the depth and across it, f16 with edges, whole numbers
    {"mg 1\n"
     "graph main(a: bf16[128, 64], b: bf16[64, 128]) -> (y: bf16[128, 128]) { y = matmul(a, b) }\n",
     UNITS},
    {"mg 1\n"
     "graph main(a: f16[2, 70, 45], b: f16[2, 77, 45], c: f32[77]) -> (y: f32[2, 70, 77]) {\n"
     "    t[n, i, j]: f32[2, 70, 77] = sum[k] f32(a[n, i, k]) * f32(b[n, j, k])\n"
     "    y = relu(t + c)\n"
     "}\n",
     UNITS},
    {"mg 1\n"
     "graph main(a: u8[96, 64], b: i8[96, 80]) -> (y: i32[64, 80]) {\n"
     "    y[i, j] = sum[k] i32(a[k, i]) * i32(b[k, j])\n"
     "}\n",
     UNITS},
};

typedef struct Run {
    MgSession *session;
    MgClDevice *device;
    MgProgram *program;
    MgKBufferArg memory[MAX_BUFFERS]; // of the plan
    uint32_t calls;
} Run;

static bool complain(Run *r, const char *what) {
    MgText out = mg_text(r->session->arena);
    mg_diags_render(r->session, &out, false);
    printf("%s\n%s", what, mg_text_str(&out));
    return false;
}

static MgKBufferArg allocate(Run *r, size_t bytes) {
    return (MgKBufferArg){mg_arena_alloc(r->session->arena, bytes + 64, 1), bytes};
}

// The results of bind; slot 0 is the size of the arena.
static bool bind(Run *r, MgKBufferArg *slots) {
    *slots = allocate(r, r->program->n_slots * sizeof(int64_t));
    return mg_kernel_interp(r->session, r->program->bind, slots, NULL, 1, NULL);
}

static void fill(MgDType d, MgKBufferArg memory, uint64_t seed) {
    for (size_t i = 0; i < memory.bytes / mg_dtype_size(d); i++) {
        double v = sin((double)(i + 1) * 0.37 * (double)(seed + 1)) * (mg_is_float(d) ? 2 : 100);
        MgBits bits = mg_bits_from_double(d, v);
        memcpy((unsigned char *)memory.data + i * mg_dtype_size(d), &bits, mg_dtype_size(d));
    }
}

static bool place(Run *r) {
    MgProgram *p = r->program;
    MgKBufferArg slots;
    if (!bind(r, &slots) || p->plan->n_params > MAX_BUFFERS)
        return complain(r, "bind fails");
    for (uint32_t i = 0; i < p->plan->n_params; i++) {
        MgPlanBufKind kind = i < p->bufs.len ? p->bufs.at[i].kind : MG_PLAN_ARENA;
        if (kind == MG_PLAN_ARENA) { // the slots and dims come after it
            r->memory[i] = i < p->bufs.len ? allocate(r, (size_t) * (int64_t *)slots.data) : slots;
            continue;
        }
        const MgValue *v = mg_value(p->graph, p->bufs.at[i].value);
        int64_t n = 1, dim;
        for (uint32_t a = 0; a < v->rank; a++)
            n *= mg_ix_is_const(p->graph->module->ix, v->shape[a], &dim) ? dim : 0;
        r->memory[i] = allocate(r, (size_t)n * mg_dtype_size(v->dtype));
        if (kind == MG_PLAN_INPUT)
            fill(v->dtype, r->memory[i], i);
        else if (kind != MG_PLAN_OUTPUT)
            return complain(r, "a program with weights or constants");
    }
    return true;
}

static uint32_t unused; // arguments of launches, by all programs

// Runs a call in the interpreter on the memory and on the device on a copy, and compares them.
static bool run_call(Run *r, const MgKCall *c) {
    MgKernel *k = r->program->kernels.at[c->kernel];
    MgKBufferArg copy[MAX_BUFFERS], want[MAX_BUFFERS], got[MAX_BUFFERS];
    int64_t scalars[MAX_BUFFERS];
    for (uint32_t i = 0; i < r->program->plan->n_params; i++) {
        copy[i] = allocate(r, r->memory[i].bytes);
        if (copy[i].bytes)
            memcpy(copy[i].data, r->memory[i].data, copy[i].bytes);
    }
    for (uint32_t i = 0; i < k->n_params; i++) {
        size_t offset = (size_t)c->buffers[i].offset->bits;
        MgKBufferArg base = r->memory[c->buffers[i].base], other = copy[c->buffers[i].base];
        if (c->buffers[i].offset->kind != MG_KX_CONST || offset > base.bytes)
            return complain(r, "a binding is not constant, or outside its buffer");
        size_t bytes = base.bytes - offset;
        if (c->buffers[i].bytes >= 0 && (size_t)c->buffers[i].bytes < bytes)
            bytes = (size_t)c->buffers[i].bytes; // the interpreter refuses an access behind them
        unused += !c->buffers[i].bytes;
        want[i] = (MgKBufferArg){(char *)base.data + offset, bytes};
        got[i] = (MgKBufferArg){(char *)other.data + offset, bytes};
    }
    for (uint32_t i = 0; i < c->n_scalars; i++)
        scalars[i] = (int64_t)c->scalars[i]->bits;
    if (!mg_kernel_verify(r->session, k) ||
        !mg_kernel_interp(r->session, k, want, scalars, MG_TRIED_WORKERS, NULL))
        return complain(r, "the interpreter fails");
    if (!mg_opencl_run(r->device, k, got, scalars, MG_TRIED_WORKERS, k->items, NULL))
        return complain(r, "the device fails");
    r->calls++;
    for (uint32_t i = 0; i < r->program->plan->n_params; i++)
        if (copy[i].bytes && memcmp(copy[i].data, r->memory[i].data, copy[i].bytes)) {
            MgText text = mg_text(r->session->arena);
            mg_kernel_print(k, &text);
            printf("buffer %u differs after\n%s", i, mg_text_str(&text));
            return false;
        }
    return true;
}

static bool run_plan(Run *r, const MgKBlock *block) {
    for (uint32_t i = 0; i < block->list.len; i++) {
        const MgKs *s = block->list.at[i];
        if (s->kind == MG_KS_CALL && !run_call(r, s->call))
            return false;
        if (s->kind == MG_KS_FOR || s->kind == MG_KS_WHILE || s->kind == MG_KS_IF)
            return complain(r, "a plan with loops or branches");
    }
    return true;
}

// The GPU has few units: small products are worth a whole tile, and k is split if rows are few.
static bool few_units(MgSession *session, const char *march, MgTargetInfo *info) {
    (void)march;
    bool ok = mg_backend_find("opencl")->target_info(session, "cu=4,items=256", info);
    info->workers = MG_TRIED_WORKERS;
    return ok;
}

static bool matrix_units(MgSession *session, const char *march, MgTargetInfo *info) {
    bool ok = few_units(session, march, info);
    info->local_most = 48 << 10;
    info->machine.ptx = 80;
    return ok;
}

static bool is_product(void *found, const MgKs *s) {
    *(bool *)found |= s->kind == MG_KS_PRODUCT;
    return false;
}

static bool run_program(Run *r, const char *text, uint32_t level, bool gpu, For target) {
    const MgBackend cpu = mg_tried(&(MgTried){.portable = true});
    const MgBackend backend = {.name = "test",
                               .target_info = target >= UNITS ? matrix_units
                                              : gpu           ? few_units
                                                              : cpu.target_info};
    MgCompileSettings settings = {
        .backend = &backend, .level = level, .workers = MG_TRIED_WORKERS, .tf32 = target == TF32};
    bool by_units = false;
    MgModule *module = mg_load_module_text(r->session, "test.mg", text, strlen(text));
    if (!module || !mg_compile_passes(module->graphs.at[0], &settings))
        return complain(r, "the front end fails");
    r->program = mg_compile_schedule(module->graphs.at[0], &settings);
    if (!r->program || !mg_program_split(r->program))
        return complain(r, "the schedule fails");
    for (uint32_t i = 0; i < r->program->kernels.len; i++)
        mg_kblock_any(&r->program->kernels.at[i]->body,
                      &(MgKAsk){.statement = is_product, .ctx = &by_units});
    if (level && by_units != (target >= UNITS))
        return complain(r, "matrix units are used where they should not be, or the reverse");
    if (r->program->rounds != (level && target == TF32))
        return complain(r, "factors are rounded where they should not be, or the reverse");
    r->calls = 0;
    return place(r) && run_plan(r, &r->program->plan->body) && r->calls;
}

int main(void) {
    int failures = 0;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        for (uint32_t n = 0; n < 4; n++) {
            uint32_t level = n / 2 * 2;
            bool gpu = n % 2;
            if (programs[i].target != BOTH && !gpu)
                continue;
            Run r = {.session = mg_session_new(0)};
            r.device = mg_opencl_open(r.session, MG_CL_CPU);
            if (!r.device) {
                complain(&r, "skipped");
                mg_session_free(r.session);
                return 77;
            }
            bool ok = run_program(&r, programs[i].text, level, gpu, programs[i].target);
            printf("program %zu for a %s at -O%u: %u calls%s\n", i, gpu ? "GPU" : "CPU", level,
                   r.calls, ok ? "" : ": FAILED");
            failures += !ok;
            mg_session_free(r.session);
        }
    if (!unused) // each scatter has phases that leave some buffers alone
        printf("all launches use all of their buffers: FAILED\n");
    return failures || !unused;
}
