// mgc kernels reads a file of kernels, checks them, applies passes, and prints them or what they
// compute. So the test of a kernel, or of a pass over kernels, is a text.
#include "tools/mgc.h"

#include "frontend/source.h"
#include "ir/kernel.h"
#include "tools/show.h"
#include "tools/spec.h"

#include <stdlib.h>

// The kernel's flags say what its target supports.
static void legalise(MgKernel *k) {
    MgLegaliseOptions options = {.scaleb = k->scaleb,
                                 .lookup = k->lookup,
                                 .lookup4 = k->lookup4,
                                 .contracts = k->contracts,
                                 .keeps_math = k->keeps_math};
    mg_kernel_legalise(k, &options);
}

static const struct {
    const char *name;
    void (*run)(MgKernel *k);
} passes[] = {{"fold", mg_kernel_fold}, {"legalise", legalise}};
enum { N_PASSES = sizeof passes / sizeof *passes };

// Applies the passes that are named, separated by commas. Each pass leaves valid kernels.
static int apply(MgSession *session, const MgKernels *kernels, const char *names) {
    while (*names) {
        size_t n = strcspn(names, ","), p = 0;
        while (p < N_PASSES && (strlen(passes[p].name) != n || memcmp(passes[p].name, names, n)))
            p++;
        if (p == N_PASSES)
            return mgc_fail(2, "there is no pass '%.*s' of kernels; there are fold and legalise",
                            (int)n, names);
        for (uint32_t i = 0; i < kernels->list.len; i++) {
            passes[p].run(kernels->list.at[i]);
            if (!mg_kernel_verify(session, kernels->list.at[i]))
                return 1;
        }
        names += n + (names[n] == ',');
    }
    return 0;
}

// ---------------------------------------------------------------- running

typedef struct Run {
    MgSession *session;
    const MgcOptions *options;
    const MgKernel *k;
    int64_t *scalars;
    MgKBufferArg *buffers;
} Run;

// The value that a flag `NAME=VALUE` gives to the name; NULL if none does.
static const char *given(const MgcList *list, const char *name) {
    for (uint32_t i = 0; i < list->n; i++) {
        size_t length;
        const char *value = mgc_split(list->at[i], &length);
        if (value && strlen(name) == length && !memcmp(list->at[i], name, length))
            return value;
    }
    return NULL;
}

static int set_scalars(Run *r) {
    for (uint32_t i = 0; i < r->k->scalars.len; i++) {
        const char *name = mg_name(r->k->names, r->k->vars.at[r->k->scalars.at[i]].name);
        const char *value = given(&r->options->sets, name);
        char *end = NULL;
        r->scalars[i] = value ? strtoll(value, &end, 10) : -1;
        if (!value || !*value || *end || r->scalars[i] < 0)
            return mgc_fail(2, "kernel %s needs --set %s=SIZE", mg_name(r->k->names, r->k->name),
                            name);
    }
    return 0;
}

// The value of a size, which consists of constants and scalars; negative if it contains anything
// else.
static int64_t size_of(const Run *r, const MgKx *x) {
    MgBits args[3] = {0};
    if (x->kind == MG_KX_CONST)
        return (int64_t)x->bits;
    for (uint32_t i = 0; x->kind == MG_KX_VAR && i < r->k->scalars.len; i++)
        if (r->k->scalars.at[i] == x->var)
            return r->scalars[i];
    for (uint32_t i = 0; i < x->n_args; i++)
        args[i] = (MgBits)size_of(r, x->args[i]);
    return x->kind == MG_KX_PRIM && x->type.dtype == MG_I64 && x->args[0]->type.dtype == MG_I64
               ? (int64_t)mg_prim_eval(x->prim, MG_I64, MG_I64, args)
               : -1;
}

static int64_t count_of(const Run *r, const MgKBuf *b, const char *values) {
    int64_t n = 1;
    if (b->count)
        return size_of(r, b->count);
    if (!values)
        return -1;
    for (; *values; values++)
        n += *values == ',';
    return n;
}

// Element i gets number i of the list; without a list, it gets i.
static bool fill(const MgKBuf *b, void *data, int64_t n, const char *values) {
    size_t size = mg_dtype_size(b->elem.dtype);
    for (int64_t i = 0; i < n; i++) {
        char *end = "";
        double value = values ? strtod(values, &end) : (double)i;
        bool more = *end == ',';
        if (values && (end == values || (*end && !more) || more != (i + 1 < n)))
            return false;
        values = values ? end + more : NULL;
        MgBits bits =
            b->elem.dtype == MG_BOOL ? value != 0 : mg_bits_from_double(b->elem.dtype, value);
        memcpy((char *)data + (size_t)i * size, &bits, size);
    }
    return true;
}

// Allocates memory for every parameter. Memory that the kernel only writes begins as zeros.
static int bind(Run *r) {
    for (uint32_t i = 0; i < r->k->n_params; i++) {
        const MgKBuf *b = &r->k->bufs.at[i];
        const char *name = mg_name(r->k->names, b->name);
        const char *values = given(&r->options->inputs, name);
        int64_t n = count_of(r, b, values);
        if (n < 0 || n > MG_COUNT_MAX)
            return mgc_fail(2,
                            "%s has no size: the kernel says it in brackets, or --input %s=1,2,3",
                            name, name);
        size_t bytes = (size_t)n * mg_dtype_size(b->elem.dtype);
        r->buffers[i] = (MgKBufferArg){mg_arena_alloc(r->session->arena, bytes + 1, 1), bytes};
        if ((b->reads || values) && !fill(b, r->buffers[i].data, n, values))
            return mgc_fail(2, "--input %s=%s: expected %lld number%s", name, values, (long long)n,
                            mg_plural(n));
    }
    return 0;
}

static int run(MgSession *session, const MgcOptions *options, const MgKernel *k, MgText *out) {
    Run r = {.session = session, .options = options, .k = k};
    r.scalars = MG_NEW_N(session->arena, int64_t, k->scalars.len + 1);
    r.buffers = MG_NEW_N(session->arena, MgKBufferArg, k->n_params + 1);
    uint32_t trap = 0, workers = options->threads > 0 ? (uint32_t)options->threads : 1;
    int status = set_scalars(&r);
    status = status ? status : bind(&r);
    if (status || !mg_kernel_interp(session, k, r.buffers, r.scalars, workers, &trap))
        return status ? status : 1;
    for (uint32_t i = 0; i < k->n_params; i++) {
        const MgKBuf *b = &k->bufs.at[i];
        int64_t n = (int64_t)(r.buffers[i].bytes / mg_dtype_size(b->elem.dtype));
        if (!b->writes)
            continue;
        mgc_show(out, mg_name(k->names, b->name), (MgElement)b->elem.dtype, 1, &n,
                 r.buffers[i].data);
    }
    if (trap)
        mg_textf(out, "trap %u\n", trap);
    return 0;
}

static int kernels(MgSession *session, const MgcOptions *options) {
    MgKernels read = {0};
    MgText out = mg_text(session->arena);
    uint32_t source = mg_source_read(session, options->file, mg_no_span());
    bool ok = source && mg_kernels_read(session, source, &read);
    for (uint32_t i = 0; ok && i < read.list.len; i++)
        ok = mg_kernel_verify(session, read.list.at[i]);
    if (!ok)
        return 1;
    int status = options->passes ? apply(session, &read, options->passes) : 0;
    for (uint32_t i = 0; !status && i < read.list.len; i++) {
        mg_text_add(&out, i ? "\n" : "");
        if (options->run)
            status = run(session, options, read.list.at[i], &out);
        else
            mg_kernel_print(read.list.at[i], &out);
    }
    return status ? status : mgc_put(session, options, mg_text_str(&out), out.bytes.len);
}

int mgc_kernels(const MgcOptions *options) {
    return mgc_in_session(options, kernels);
}
