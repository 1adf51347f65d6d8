// Makes the n-th allocation of the library fail, for n = 1, 2, 3, …: each call must then succeed,
// or end with MG_OUT_OF_MEMORY and a message. It must not crash or leak, and the same calls must
// work again when there is memory.
//
//   out_of_memory MGC
//
// The linker's --wrap catches the allocations of MG's own objects. Other libraries are not changed:
// LLVM ends the process if it gets no memory (include/mg.h says so). Each n is tried twice, with
// one allocation that fails and with all from there on. Long calls are tried at every k-th n.
#include "frontend/onnx/onnx.pb-c.h"
#include "include/mg.h"

#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// ---------------------------------------------------------------- allocations
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool watching, for_good;
static uint64_t asked, failing; // allocations so far; number of the first to fail, 0: none

enum { SLOTS = 1 << 16 };
static void *live[SLOTS]; // blocks not yet freed, in open addressing
static uint32_t n_live;
static char gone; // marks a slot that was used

static void *callers[16]; // of the first allocation that failed, for addr2line
static int n_callers;

static bool refuse(void) {
    pthread_mutex_lock(&lock);
    bool no = watching && ++asked >= failing && failing && (for_good || asked == failing);
    if (no && asked == failing)
        n_callers = backtrace(callers, sizeof callers / sizeof *callers);
    pthread_mutex_unlock(&lock);
    if (no)
        errno = ENOMEM;
    return no;
}

static uint32_t slot_of(const void *p) {
    return (uint32_t)(((uintptr_t)p >> 4) * 0x9e3779b97f4a7c15u >> 48) % SLOTS;
}

static void *born(void *p) {
    pthread_mutex_lock(&lock);
    uint32_t k = slot_of(p);
    while (p && live[k] && live[k] != &gone)
        k = (k + 1) % SLOTS;
    if (p) {
        live[k] = p;
        n_live++;
    }
    pthread_mutex_unlock(&lock);
    return p;
}

static void died(const void *p) {
    pthread_mutex_lock(&lock);
    uint32_t k = slot_of(p);
    while (live[k] && live[k] != p)
        k = (k + 1) % SLOTS;
    if (p && live[k]) { // otherwise another library owns it
        live[k] = &gone;
        n_live--;
    }
    pthread_mutex_unlock(&lock);
}

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__real_aligned_alloc(size_t alignment, size_t n);
char *__real_strdup(const char *s);
char *__real_realpath(const char *path, char *to);
int __real_vasprintf(char **to, const char *format, va_list args);
void *__real_mmap(void *at, size_t n, int protection, int flags, int fd, off_t offset);
FILE *__real_fopen(const char *path, const char *mode);
void __real_free(void *p);

void *__wrap_malloc(size_t n) {
    return refuse() ? NULL : born(__real_malloc(n));
}
void *__wrap_calloc(size_t n, size_t size) {
    return refuse() ? NULL : born(__real_calloc(n, size));
}
void *__wrap_realloc(void *p, size_t n) {
    if (refuse())
        return NULL;
    died(p);
    return born(__real_realloc(p, n));
}
void *__wrap_aligned_alloc(size_t alignment, size_t n) {
    return refuse() ? NULL : born(__real_aligned_alloc(alignment, n));
}
char *__wrap_strdup(const char *s) {
    return refuse() ? NULL : born(__real_strdup(s));
}
char *__wrap_realpath(const char *path, char *to) {
    return refuse() ? NULL : born(__real_realpath(path, to));
}
int __wrap_vasprintf(char **to, const char *format, va_list args) {
    if (refuse())
        return -1;
    int n = __real_vasprintf(to, format, args);
    if (n >= 0)
        born(*to);
    return n;
}
void *__wrap_mmap(void *at, size_t n, int protection, int flags, int fd, off_t offset) {
    return refuse() ? MAP_FAILED : __real_mmap(at, n, protection, flags, fd, offset);
}
FILE *__wrap_fopen(const char *path, const char *mode) {
    return refuse() ? NULL : __real_fopen(path, mode);
}
void __wrap_free(void *p) {
    died(p);
    __real_free(p);
}

// ---------------------------------------------------------------- calls under test
static const char net[] = "mg 1\n"
                          "graph net(x: f32[N, 16]) -> (y: f32[N, 8], z: f32[N]) "
                          "weights \"net.safetensors\" {\n"
                          "    param w: f32[16, 8]\n"
                          "    h = relu(matmul(x, w))\n"
                          "    y = softmax(h, axis = -1)\n"
                          "    z = sum(cumsum(h, axis = 1), axes = [1])\n"
                          "}\n";
static const char wrong[] = "mg 1\ngraph net(x: f32[4]) -> (y: f32[4]) { y = relu(x) + missing }\n";

static char message[1000]; // of the call that failed
static char folder[] = "/tmp/mg-out-of-memory-XXXXXX";
static float numbers[3 * 16];

static MgStatus told(MgStatus status, const char *text) {
    snprintf(message, sizeof message, "%s", text);
    return status;
}

// A context that can't be made holds the message, if the context exists at all.
static MgStatus no_context(MgStatus status, MgContext *context) {
    told(status, context ? mg_context_message(context) : "out of memory");
    mg_context_free(context);
    return status;
}

static MgStatus run(MgContext *context, MgModel *model) {
    MgInstance *i;
    const void *data;
    const int64_t *shape, dims[] = {3, 16};
    MgStatus status = mg_instance_new(model, context, &i);
    if (status)
        return told(status, mg_context_message(context));
    status = mg_bind_input(i, 0, numbers, 2, dims);
    status = status ? status : mg_run(i);
    status = status ? status : mg_run_times(i, 2);
    status = status ? status : mg_output(i, 1, &data, &shape);
    MgTensor *tensor = status ? NULL : mg_output_tensor(i, 0);
    mg_tensor_release(tensor);
    told(status, status ? mg_instance_message(i) : "");
    mg_instance_free(i);
    return status;
}

// A case of loading or compiling a model and, if `runs`, of running it.
typedef struct Call {
    const char *name, *path, *text; // path: a file of the folder
    MgStatus (*call)(const struct Call *c);
    MgCompileOptions options;
    bool runs, cached;
    uint32_t threads;
    MgStatus wanted;
    uint64_t most; // values of n that are tried
} Call;

static MgStatus model_call(const Call *c) {
    MgContext *context;
    MgModel *model = NULL;
    MgContextOptions options = {.threads = c->threads, .cache_folder = c->cached ? "cache" : ""};
    MgStatus status = mg_context_new(&options, &context);
    if (status)
        return no_context(status, context);
    MgCompileOptions compile = c->options;
    compile.level = 2;
    status = c->path
                 ? mg_model_load(context, c->path, &compile, &model)
                 : mg_model_compile(context, "text.mg", c->text, strlen(c->text), &compile, &model);
    told(status, status ? mg_context_message(context) : "");
    if (!status && c->runs)
        status = run(context, model);
    mg_model_release(model);
    mg_context_free(context);
    return status;
}

static MgStatus tensor_call(const Call *c) {
    MgContext *context;
    MgTensor *again = NULL;
    const int64_t dims[] = {3, 16};
    MgStatus status = mg_context_new(&(MgContextOptions){.cache_folder = ""}, &context);
    if (status)
        return no_context(status, context);
    MgTensor *t = mg_tensor_new(MG_ELEMENT_F32, 2, dims);
    if (!t)
        status = told(MG_OUT_OF_MEMORY, "out of memory"); // mg.h documents NULL so
    if (t)
        memcpy(mg_tensor_data(t), numbers, sizeof numbers);
    if (t && !(status = mg_tensor_write(context, "t.npy", t)))
        status = mg_tensor_read(context, c->path, &again);
    if (t)
        told(status, status ? mg_context_message(context) : "");
    mg_tensor_release(t);
    mg_tensor_release(again);
    mg_context_free(context);
    return status;
}

static const Call calls[] = {
    {.name = "a text", .call = model_call, .text = net, .most = 300},
    {.name = "a wrong text",
     .call = model_call,
     .text = wrong,
     .wanted = MG_BAD_INPUT,
     .most = 300},
    {.name = "a missing file",
     .call = model_call,
     .path = "none.mg",
     .wanted = MG_BAD_INPUT,
     .most = 300},
    {.name = "an ONNX model", .call = model_call, .path = "net.onnx", .most = 300},
    {.name = "a package", .call = model_call, .path = "net.mgb", .runs = true, .most = 400},
    {.name = "a cached object",
     .call = model_call,
     .path = "net.mg",
     .runs = true,
     .cached = true,
     .most = 400},
    {.name = "two threads",
     .call = model_call,
     .path = "net.mg",
     .runs = true,
     .cached = true,
     .threads = 2,
     .most = 300},
    {.name = "by the interpreter",
     .call = model_call,
     .path = "net.mg",
     .options = {.interpret = true},
     .runs = true,
     .most = 300},
    {.name = "op by op",
     .call = model_call,
     .path = "net.mg",
     .options = {.mode = MG_MODE_IMMEDIATE},
     .runs = true,
     .cached = true,
     .most = 12},
    {.name = "compiling", .call = model_call, .path = "net.mg", .runs = true, .most = 25},
    {.name = "a tensor's file", .call = tensor_call, .path = "t.npy", .most = 300},
    {.name = "one of several tensors",
     .call = tensor_call,
     .path = "net.safetensors:w",
     .most = 300},
};

// ---------------------------------------------------------------- trials
static MgStatus trial(const Call *c, uint64_t n, bool all) {
    asked = 0;
    failing = n;
    for_good = all;
    watching = true;
    MgStatus status = c->call(c);
    watching = false;
    return status;
}

static bool check(const Call *c, uint64_t n, bool all) {
    uint32_t before = n_live;
    MgStatus status = trial(c, n, all);
    bool right =
        status == c->wanted || (status == MG_OUT_OF_MEMORY && strstr(message, "out of memory"));
    if (!right)
        printf("%s: allocation %llu%s fails: status %d, \"%s\"\n", c->name, (unsigned long long)n,
               all ? " and all after it" : "", status, message);
    if (n_live > before)
        printf("%s: allocation %llu%s fails: %u blocks leak\n", c->name, (unsigned long long)n,
               all ? " and all after it" : "", n_live - before);
    fflush(stdout);
    if (!right || n_live > before)
        backtrace_symbols_fd(callers, n_callers, STDOUT_FILENO);
    return right && n_live <= before;
}

static int check_all(const Call *c) {
    int failed = 0;
    c->call(c); // allocated once for the process
    uint32_t before = n_live;
    MgStatus status = trial(c, 0, false);
    uint64_t n = asked, step = n / c->most + 1;
    if (status != c->wanted || n_live > before) {
        printf("%s: status %d with all memory, %u blocks leak: %s\n", c->name, status,
               n_live - before, message);
        return 1;
    }
    for (uint64_t at = 1; at <= n; at += step)
        failed += !check(c, at, false) + !check(c, at, true);
    failed += trial(c, 0, false) != c->wanted;
    printf("%s: %llu allocations, every %llu: %s\n", c->name, (unsigned long long)n,
           (unsigned long long)step, failed ? "FAILED" : "passed");
    return failed;
}

// ---------------------------------------------------------------- files
static bool write_file(const char *name, const void *data, size_t n) {
    FILE *f = fopen(name, "wb");
    bool ok = f && fwrite(data, 1, n, f) == n;
    return f && !fclose(f) && ok;
}

// y = relu(reshape(x, [-1, 4]))
static bool write_onnx(void) {
    Onnx__ModelProto model = ONNX__MODEL_PROTO__INIT;
    Onnx__GraphProto graph = ONNX__GRAPH_PROTO__INIT;
    Onnx__OperatorSetIdProto opset = ONNX__OPERATOR_SET_ID_PROTO__INIT, *opsets[] = {&opset};
    Onnx__NodeProto nodes[3] = {ONNX__NODE_PROTO__INIT, ONNX__NODE_PROTO__INIT,
                                ONNX__NODE_PROTO__INIT};
    Onnx__NodeProto *all[] = {&nodes[0], &nodes[1], &nodes[2]};
    char *names[] = {"x", "to", "a", "y"}, *types[] = {"Constant", "Reshape", "Relu"};
    for (int k = 0; k < 3; k++) {
        nodes[k].op_type = types[k];
        nodes[k].n_input = k == 0 ? 0 : 3 - (size_t)k;
        nodes[k].input = k == 2 ? names + 2 : names;
        nodes[k].n_output = 1;
        nodes[k].output = names + k + 1;
    }
    int64_t to[] = {-1, 4};
    Onnx__AttributeProto value = ONNX__ATTRIBUTE_PROTO__INIT, *values[] = {&value};
    value.name = "value_ints";
    value.has_type = true;
    value.type = 7; // INTS
    value.n_ints = 2;
    value.ints = to;
    nodes[0].n_attribute = 1;
    nodes[0].attribute = values;
    Onnx__TypeProto type = ONNX__TYPE_PROTO__INIT;
    Onnx__TypeProto__Tensor tensor = ONNX__TYPE_PROTO__TENSOR__INIT;
    Onnx__TensorShapeProto dims = ONNX__TENSOR_SHAPE_PROTO__INIT;
    Onnx__TensorShapeProto__Dimension sizes[2] = {ONNX__TENSOR_SHAPE_PROTO__DIMENSION__INIT,
                                                  ONNX__TENSOR_SHAPE_PROTO__DIMENSION__INIT};
    Onnx__TensorShapeProto__Dimension *both[] = {&sizes[0], &sizes[1]};
    sizes[0].dim_param = "N";
    sizes[1].has_dim_value = true;
    sizes[1].dim_value = 8;
    dims.n_dim = 2;
    dims.dim = both;
    tensor.has_elem_type = true;
    tensor.elem_type = 1; // float
    tensor.shape = &dims;
    type.tensor_type = &tensor;
    Onnx__ValueInfoProto x = ONNX__VALUE_INFO_PROTO__INIT, y = ONNX__VALUE_INFO_PROTO__INIT;
    Onnx__ValueInfoProto *in[] = {&x}, *out[] = {&y};
    x.name = "x";
    x.type = &type;
    y.name = "y";
    graph.name = "net";
    graph.n_node = 3;
    graph.node = all;
    graph.n_input = graph.n_output = 1;
    graph.input = in;
    graph.output = out;
    opset.has_version = true;
    opset.version = 17;
    model.has_ir_version = true;
    model.ir_version = 8;
    model.n_opset_import = 1;
    model.opset_import = opsets;
    model.graph = &graph;
    uint8_t bytes[4096];
    return onnx__model_proto__get_packed_size(&model) <= sizeof bytes &&
           write_file("net.onnx", bytes, onnx__model_proto__pack(&model, bytes));
}

static bool write_all(const char *mgc) {
    char command[2000];
    snprintf(command, sizeof command,
             "'%s' weights net.mg >log 2>&1 && '%s' net.mg --set=N=3 -o net.mgb >log 2>&1", mgc,
             mgc);
    return mkdtemp(folder) && !chdir(folder) && write_file("net.mg", net, strlen(net)) &&
           write_onnx() && !system(command);
}

int main(int argc, char **argv) {
    if (argc < 2 || !write_all(argv[1])) {
        printf("the files can't be made: see %s/log\n", folder);
        return EXIT_FAILURE;
    }
    int failed = 0;
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
        if (argc < 3 || !strcmp(argv[2], calls[k].name))
            failed += check_all(&calls[k]);
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", folder);
    failed += system(command) != 0;
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
