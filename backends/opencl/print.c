// Prints statements and kernels as OpenCL C 1.2, by walking legalised kernel IR.
//
// A work-group is a worker. Parallel loops are split into contiguous blocks over the groups; loops
// over groups and items take every n-th trip. Each name ends in its number, so it never collides
// with a word of OpenCL C.
#include "backends/opencl/print_impl.h"

#include <ctype.h>
#include <inttypes.h>

void mg_cl_refuse(MgClPrinter *p, const char *what) {
    if (p->ok)
        mg_diag(p->session, mg_no_span(), MG_D_opencl_unsupported, mg_name(p->k->names, p->k->name),
                what);
    p->ok = false;
}

void mg_cl_line(MgClPrinter *p, const char *format, ...) {
    va_list args;
    va_start(args, format);
    for (uint32_t i = 0; i < p->depth; i++)
        mg_text_add(p->body, "    ");
    mg_text_add(p->body, mg_arena_vprintf(p->arena, format, args));
    va_end(args);
}

static const char *identifier(MgArena *arena, const char *name) {
    char *text = mg_arena_str(arena, name, strlen(name));
    for (char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c))
            *c = '_';
    return text;
}

const char *mg_cl_var(MgClPrinter *p, MgKVarId v) {
    const char *name = identifier(p->arena, mg_name(p->k->names, p->k->vars.at[v].name));
    return mg_arena_printf(p->arena, "%s_%u", isdigit((unsigned char)*name) ? "v" : name, v);
}

const char *mg_cl_buf(MgClPrinter *p, MgKBufId b) {
    const char *name = identifier(p->arena, mg_name(p->k->names, p->k->bufs.at[b].name));
    return mg_arena_printf(p->arena, "b%u_%s", b, name);
}

// ---------------------------------------------------------------- statements
// Records a trap and its value in MgDeviceTrap. The first trap of any item stays.
static void trap(MgClPrinter *p, const MgKs *s) {
    if (s->x)
        mg_cl_line(p,
                   "if (!atomic_cmpxchg(trap, 0, %u)) { trap[1] = 1; ((__global long *)trap)[1] = "
                   "%s; }\n",
                   s->code, mg_cl_expr(p, s->x));
    else
        mg_cl_line(p, "atomic_cmpxchg(trap, 0, %u);\n", s->code);
}

static void block(MgClPrinter *p, const MgKBlock *b);

static void nested(MgClPrinter *p, const MgKBlock *b) {
    p->depth++;
    block(p, b);
    p->depth--;
}

// Prints scatters and masked stores as calls to helper functions.
static void store_lanes(MgClPrinter *p, const MgKs *s) {
    uint32_t lanes = s->x->type.lanes;
    bool scattered = s->index->type.lanes > 1;
    const char *name = mg_cl_masked(p, true, s->buf, s->x->type, scattered);
    const char *index = mg_cl_expr(p, s->index), *value = mg_cl_expr(p, s->x);
    if (scattered && s->index->type.dtype != MG_I64)
        index = mg_arena_printf(p->arena, "convert_long%u(%s)", lanes, index);
    const char *mask =
        s->mask ? mg_cl_expr(p, s->mask) : mg_arena_printf(p->arena, "(char%u)(-1)", lanes);
    const char *buf = mg_cl_scalars(p, s->buf, &index);
    mg_cl_line(p, "%s(%s, %s, %s, %s);\n", name, buf, index, mask, value);
}

// Stores a vector of 32 bytes as two of 16, the widest that a device stores at once. False if the
// buffer has no such vectors there.
static bool store_halves(MgClPrinter *p, const MgKs *s, const char *buf, const char *index,
                         const char *value) {
    uint32_t n = s->x->type.lanes / 2;
    MgKType half = mg_kt(s->x->type.dtype, n);
    if (n * mg_dtype_size(half.dtype) != 16 || !mg_kfacts_aligned(&p->facts, s->buf, s->index, n))
        return false;
    const char *to = mg_cl_place(p, s->buf, half);
    mg_cl_line(p, "{\n");
    mg_cl_line(p, "    const %s whole = %s;\n", mg_cl_storage(p, s->x->type), value);
    mg_cl_line(p, "    *(%s *)(%s + %s) = whole.lo;\n", to, buf, index);
    mg_cl_line(p, "    *(%s *)(%s + (%s) + %u) = whole.hi;\n", to, buf, index, n);
    mg_cl_line(p, "}\n");
    return true;
}

static void store(MgClPrinter *p, const MgKs *s) {
    uint32_t lanes = s->x->type.lanes;
    bool whole = lanes == 1 || p->k->bufs.at[s->buf].elem.lanes > 1;
    if (lanes > 1 && (s->mask || s->index->type.lanes > 1)) {
        store_lanes(p, s);
        return;
    }
    const char *index = mg_cl_expr(p, s->index), *buf = mg_cl_buf(p, s->buf);
    const char *value = mg_cl_stored(p, s->x->type, mg_cl_expr(p, s->x));
    if (s->mask)
        mg_cl_line(p, "if (%s)\n", mg_cl_expr(p, s->mask));
    const char *inset = s->mask ? "    " : "", *packed = mg_cl_packed(&p->k->bufs.at[s->buf]);
    if (packed)
        value = mg_arena_printf(p->arena, "as_%s(%s)", packed, value);
    if (whole)
        mg_cl_line(p, "%s%s[%s] = %s;\n", inset, buf, index, value);
    else if (mg_kstore_copies(&p->facts, s))
        mg_cl_copy_later(p, s);
    else if (mg_kfacts_aligned(&p->facts, s->buf, s->index, lanes))
        mg_cl_line(p, "%s*(%s *)(%s + %s) = %s;\n", inset, mg_cl_place(p, s->buf, s->x->type), buf,
                   index, value);
    else if (!store_halves(p, s, buf, index, value))
        mg_cl_line(p, "%svstore%u(%s, 0, %s + %s);\n", inset, lanes, value, buf, index);
}

// Prints a loop over items as an `if` or a plain block, if its bounds are constant and no item has
// two trips. Returns whether it opened such a block.
static bool open_trip(MgClPrinter *p, const MgKs *s) {
    int64_t trips = mg_kloop_single_trips(p->k, s);
    if (trips < 0)
        return false;
    if (trips < p->k->items)
        mg_cl_line(p, "if ((int)get_local_id(0) < %" PRId64 ") {\n", trips);
    else
        mg_cl_line(p, "{\n");
    p->depth++;
    const char *scaled = s->step == 1 ? "" : mg_arena_printf(p->arena, " * %" PRId64, s->step);
    int64_t low = (int64_t)s->low->bits;
    const char *from = low ? mg_arena_printf(p->arena, "%" PRId64 " + ", low) : "";
    mg_cl_line(p, "const %s %s = %s(int)get_local_id(0)%s;\n",
               p->facts.of[s->var].narrow ? "int" : "long", mg_cl_var(p, s->var), from, scaled);
    p->depth--;
    return true;
}

static void loop(MgClPrinter *p, const MgKs *s) {
    const char *v = mg_cl_var(p, s->var), *low = mg_cl_expr(p, s->low);
    const char *high = mg_cl_expr(p, s->high);
    const char *step = mg_arena_printf(p->arena, "%" PRId64, s->step);
    const char *first = low, *last = high, *stride = step;
    mg_kfacts_loop(&p->facts, s);
    const char *type = p->facts.of[s->var].narrow ? "int" : "long";
    if (s->loop == MG_LOOP_PARALLEL) {
        uint32_t n = p->temporaries++;
        mg_cl_line(p, "const long low%u = %s, trips%u = max((%s - low%u + %s - 1) / %s, 0l);\n", n,
                   low, n, high, n, step, step);
        first = mg_arena_printf(p->arena, "low%u + trips%u * (long)%s / (long)%s * %s", n, n,
                                p->group, p->groups, step);
        last = mg_arena_printf(p->arena, "low%u + trips%u * ((long)%s + 1) / (long)%s * %s", n, n,
                               p->group, p->groups, step);
    } else if (s->loop == MG_LOOP_GROUP || s->loop == MG_LOOP_ITEM) {
        const char *id = s->loop == MG_LOOP_GROUP ? p->group : "get_local_id(0)";
        const char *of = s->loop == MG_LOOP_GROUP ? p->groups : "get_local_size(0)";
        first = mg_arena_printf(p->arena, "%s + (%s)%s * %s", low, type, id, step);
        stride = mg_arena_printf(p->arena, "(%s)%s * %s", type, of, step);
    }
    if (s->rolled)
        mg_cl_line(p, "#pragma unroll 1\n");
    if (!open_trip(p, s))
        mg_cl_line(p, "for (%s %s = %s; %s < %s; %s += %s) {\n", type, v, first, v, last, v,
                   stride);
    nested(p, &s->body);
    mg_cl_line(p, "}\n");
}

// Tests the condition inside the loop, because it may need statements of its own.
static void repeat(MgClPrinter *p, const MgKs *s) {
    mg_cl_line(p, "for (;;) {\n");
    p->depth++;
    mg_cl_line(p, "if (!%s)\n", mg_cl_expr(p, s->x));
    mg_cl_line(p, "    break;\n");
    block(p, &s->body);
    p->depth--;
    mg_cl_line(p, "}\n");
}

static void branch(MgClPrinter *p, const MgKs *s) {
    mg_cl_line(p, "if (%s) {\n", mg_cl_expr(p, s->x));
    nested(p, &s->body);
    if (s->orelse.list.len) {
        mg_cl_line(p, "} else {\n");
        nested(p, &s->orelse);
    }
    mg_cl_line(p, "}\n");
}

static void let(MgClPrinter *p, const MgKs *s) {
    const char *type = p->facts.of[s->var].narrow ? "int" : mg_cl_type(p, s->x->type);
    const char *value = mg_cl_expr(p, s->x);
    if (s->x->type.dtype == MG_BOOL && s->x->type.lanes > 1 && s->x->kind == MG_KX_PRIM) {
        // The value is stored in the form that selects between such values require.
        MgKType compared = s->x->args[0]->type;
        size_t size = mg_dtype_size(compared.dtype);
        const char *mask = size > 1 ? mg_cl_mask(p, s->x, size) : NULL;
        if (mask) {
            p->masks[s->var] = size;
            type = mg_cl_mask_type(p, compared);
            value = mask;
        }
    }
    mg_cl_line(p, "const %s %s = %s;\n", type, mg_cl_var(p, s->var), value);
}

void mg_cl_barrier(MgClPrinter *p) {
    if (p->wide)
        mg_cl_before_barrier(p);
    mg_cl_line(p, "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n");
}

// NVIDIA's items of a warp find those with the same count, of which the first adds the number of
// all. Elsewhere items take turns.
static void tally(MgClPrinter *p, const MgKs *s) {
    if (mg_cl_need_helper(p, "mg_tally"))
        mg_text_add(p->helpers, "static uint mg_tally(__local uint *count) {\n"
                                "#ifdef __NV_CL_C_VERSION\n"
                                "    uint same, lower;\n"
                                "    asm volatile(\"match.any.sync.b32 %0, %1, 0xffffffff;\"\n"
                                "                 : \"=r\"(same) : \"r\"((uint)(ulong)count));\n"
                                "    asm(\"mov.u32 %0, %%lanemask_lt;\" : \"=r\"(lower));\n"
                                "    const uint before = popcount(same & lower), there = *count;\n"
                                "    asm volatile(\"bar.warp.sync 0xffffffff;\" ::: \"memory\");\n"
                                "    if (!before)\n"
                                "        *count = there + popcount(same);\n"
                                "    asm volatile(\"bar.warp.sync 0xffffffff;\" ::: \"memory\");\n"
                                "    return there + before;\n"
                                "#else\n"
                                "    uint there = 0;\n"
                                "    for (uint turn = 0; turn < 32; turn++) {\n"
                                "        if (get_local_id(0) % 32 == turn)\n"
                                "            there = (*count)++;\n"
                                "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                                "    }\n"
                                "    return there;\n"
                                "#endif\n"
                                "}\n\n");
    mg_cl_line(p, "const uint %s = mg_tally(%s + %s);\n", mg_cl_var(p, s->var),
               mg_cl_buf(p, s->buf), mg_cl_expr(p, s->index));
}

// Posts are loaded and stored past a unit's own cache. NVIDIA's groups can wait for each other from
// sm_70 on; others without ordered atomics are only assumed to see 8 bytes at once.
static const char posts[] =
    "#ifdef __NV_CL_C_VERSION\n"
    "static void mg_post(__global ulong *at, uint x) {\n"
    "    asm volatile(\"st.relaxed.gpu.global.u64 [%0], %1;\"\n"
    "                 :: \"l\"(at), \"l\"((ulong)1 << 32 | x) : \"memory\");\n"
    "}\n"
    "static ulong mg_look(__global ulong *at) {\n"
    "    ulong x;\n"
    "    asm volatile(\"ld.relaxed.gpu.global.u64 %0, [%1];\" : \"=l\"(x) : \"l\"(at) : "
    "\"memory\");\n"
    "    return x;\n"
    "}\n"
    "#else\n"
    "static void mg_post(__global ulong *at, uint x) {\n"
    "    *(volatile __global ulong *)at = (ulong)1 << 32 | x;\n"
    "}\n"
    "static ulong mg_look(__global ulong *at) { return *(volatile __global ulong *)at; }\n"
    "#endif\n\n";

static void need_posts(MgClPrinter *p) {
    if (mg_cl_need_helper(p, "mg_post"))
        mg_text_add(p->helpers, posts);
}

static void post(MgClPrinter *p, const MgKs *s) {
    need_posts(p);
    mg_cl_line(p, "mg_post(%s + %s, %s);\n", mg_cl_buf(p, s->buf), mg_cl_expr(p, s->index),
               mg_cl_expr(p, s->x));
}

// All lanes are on their way at once. Where groups meet, one may give up, and what others wait for
// may never come: the trap says so, and nobody waits for ever.
static void collect(MgClPrinter *p, const MgKs *s) {
    uint32_t lanes = s->index->type.lanes, n = p->temporaries++;
    need_posts(p);
    const char *at = mg_cl_named(p, s->index), *var = mg_cl_var(p, s->var);
    const char *type = mg_cl_type(p, mg_kt(MG_U32, lanes)), *buf = mg_cl_buf(p, s->buf);
    mg_cl_line(p, "%s %s;\n", type, var);
    if (p->k->meets)
        mg_cl_line(p, "for (uint look%u = 1;; look%u++) {\n", n, n);
    else
        mg_cl_line(p, "for (;;) {\n");
    p->depth++;
    for (uint32_t i = 0; i < lanes; i++)
        mg_cl_line(p, "const ulong post%u_%u = mg_look(%s + %s);\n", n, i, buf,
                   lanes > 1 ? mg_cl_component(p, at, i) : at);
    for (uint32_t i = 0; i < lanes; i++)
        mg_cl_line(p, "%s = (uint)post%u_%u;\n", lanes > 1 ? mg_cl_component(p, var, i) : var, n,
                   i);
    mg_cl_line(p, "if ((post%u_0", n);
    for (uint32_t i = 1; i < lanes; i++)
        mg_text_add(p->body, mg_arena_printf(p->arena, " & post%u_%u", n, i));
    mg_text_add(p->body, ") >> 32)\n");
    mg_cl_line(p, "    break;\n");
    if (p->k->meets) {
        mg_cl_line(p, "if (look%u %% 1024 == 0 && *(volatile __global int *)trap)\n", n);
        mg_cl_line(p, "    break;\n");
    }
    p->depth--;
    mg_cl_line(p, "}\n");
}

static void print_statement(MgClPrinter *p, const MgKs *s) {
    switch (s->kind) {
    case MG_KS_LET:
        mg_kfacts_let(&p->facts, s);
        let(p, s);
        break;
    case MG_KS_STORE:
        store(p, s);
        break;
    case MG_KS_FOR:
        loop(p, s);
        break;
    case MG_KS_WHILE:
        repeat(p, s);
        break;
    case MG_KS_IF:
        branch(p, s);
        break;
    case MG_KS_BARRIER:
        if (s->barrier == MG_BARRIER_GRID && p->k->meets) {
            mg_cl_meet(p);
            break;
        }
        if (s->barrier == MG_BARRIER_GRID)
            mg_cl_refuse(p, "a barrier over the grid");
        mg_cl_barrier(p);
        break;
    case MG_KS_TALLY:
        tally(p, s);
        break;
    case MG_KS_TAKE:
        mg_cl_line(p, "const uint %s = atomic_inc(%s + %s);\n", mg_cl_var(p, s->var),
                   mg_cl_buf(p, s->buf), mg_cl_expr(p, s->index));
        break;
    case MG_KS_POST:
        post(p, s);
        break;
    case MG_KS_COLLECT:
        collect(p, s);
        break;
    case MG_KS_PREFETCH:
        if (p->k->bufs.at[s->buf].space == MG_SPACE_GLOBAL)
            mg_cl_line(p, "prefetch(%s + %s, 1);\n", mg_cl_buf(p, s->buf), mg_cl_expr(p, s->index));
        break;
    case MG_KS_PRODUCT:
        if (mg_product_is_wide(s->product))
            mg_cl_wide_product(p, s, block);
        else
            mg_cl_product(p, s);
        break;
    case MG_KS_AWAIT:
        mg_cl_await(p, s);
        break;
    case MG_KS_BOX:
        mg_cl_box(p, s);
        break;
    case MG_KS_LANDED:
        mg_cl_landed(p, s);
        break;
    case MG_KS_RELEASE:
        mg_cl_release(p, s);
        break;
    case MG_KS_TRAP:
        trap(p, s);
        break;
    case MG_KS_CALL:
        mg_cl_refuse(p, "a call");
        break;
    }
}

// A loop comes back to its beginning after its stores, and what stands in a loop or branch may not
// be run, so its barriers don't count for what follows.
static void statement(MgClPrinter *p, const MgKs *s) {
    bool before = p->lines_stored && s->kind != MG_KS_BARRIER;
    if (p->boxes.list.len && s->kind != MG_KS_IF)
        p->lines_stored |= mg_ks_stores_lines(p->k, s);
    print_statement(p, s);
    p->lines_stored |= before;
}

static void block(MgClPrinter *p, const MgKBlock *b) {
    for (uint32_t i = 0; i < b->list.len && p->ok; i++)
        statement(p, b->list.at[i]);
}

// ---------------------------------------------------------------- kernels

// A buffer is passed as a device object and an offset, because many buffers lie in one arena.
// Returns the number of arguments.
static uint32_t parameters(MgClPrinter *p) {
    const MgKernel *k = p->k;
    const char *comma = "";
    bool traps = mg_device_can_trap(k);
    uint32_t n = k->scalars.len + traps;
    for (uint32_t i = 0; i < k->bufs.len; i++) {
        const MgKBuf *b = &k->bufs.at[i];
        if (!mg_kbuf_is_bound(b))
            continue;
        n += 2;
        const char *name = mg_cl_buf(p, i);
        mg_textf(p->body, "%s__global %suchar *%s%s_in, long %s_at", comma,
                 b->writes ? "" : "const ", b->noalias ? "restrict " : "", name, name);
        comma = ", ";
    }
    for (uint32_t i = 0; i < k->scalars.len; i++, comma = ", ")
        mg_textf(p->body, "%slong %s", comma, mg_cl_var(p, k->scalars.at[i]));
    if (traps)
        mg_textf(p->body, "%s__global int *trap", comma);
    mg_cl_box_parameters(p);
    return n;
}

// A typed pointer to an argument. For scratch that each worker has, it points to this worker's
// part.
static void typed_argument(MgClPrinter *p, const MgKBuf *b, const char *name) {
    const char *type = mg_arena_printf(p->arena, "__global %s%s *", b->writes ? "" : "const ",
                                       mg_cl_storage(p, b->elem));
    const char *part = "";
    if (b->scope == MG_SCOPE_WORKER)
        part = mg_arena_printf(p->arena, " + (long)%s * %s", p->group, mg_cl_expr(p, b->count));
    mg_cl_line(p, "%s%s = (%s)(%s_in + %s_at)%s;\n", type, name, type, name, name, part);
}

// Declares the typed arguments, and the arrays of the group and of each item.
static void arrays(MgClPrinter *p) {
    if (p->wide)
        mg_cl_declare_held(p);
    uint32_t align;
    int64_t overlay = mg_kernel_overlay(p->k, &align);
    if (overlay)
        mg_cl_line(p, "__local uchar local_bytes[%" PRId64 "] __attribute__((aligned(%u)));\n",
                   overlay, align);
    for (uint32_t i = 0; i < p->k->bufs.len; i++) {
        const MgKBuf *b = &p->k->bufs.at[i];
        const char *packed = mg_cl_packed(b), *name = mg_cl_buf(p, i);
        const char *type = packed ? packed : mg_cl_storage(p, b->elem);
        if (mg_kbuf_is_bound(b)) {
            typed_argument(p, b, name);
            continue;
        }
        if (b->count->kind != MG_KX_CONST)
            mg_cl_refuse(p, "an array of variable size");
        if (b->overlay) {
            mg_cl_line(p, "__local %s *%s = (__local %s *)(local_bytes + %u);\n", type, name, type,
                       b->overlay - 1);
            continue;
        }
        const char *aligned =
            b->space == MG_SPACE_SHARED
                ? mg_arena_printf(p->arena, " __attribute__((aligned(%u)))", b->align)
                : "";
        mg_cl_line(p, "%s%s %s[%s]%s;\n", b->space == MG_SPACE_SHARED ? "__local " : "", type, name,
                   mg_cl_expr(p, b->count), aligned);
    }
}

void mg_opencl_source_begin(MgClSource *source, MgArena *arena, MgText *out) {
    *source = (MgClSource){.out = out};
    mg_map_init(&source->helpers, arena);
    mg_map_init(&source->kernels, arena);
    mg_text_add(
        out,
        "#pragma OPENCL FP_CONTRACT OFF\n"
        "#ifdef cl_khr_fp64\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#endif\n"
        "#ifdef POCL_DEVICE_ADDRESS_BITS // makes vectors of loops over items, some of them wrong\n"
        "#define barrier(f) __asm__ volatile(\"\" ::: \"memory\"); barrier(f); "
        "__asm__ volatile(\"\" ::: \"memory\")\n"
        "#endif\n\n");
}

static const char *kernel_name(const MgKernel *k, MgClSource *source) {
    uint64_t n = mg_map_get(&source->kernels, k->name, 0) + 1;
    const char *name = identifier(k->arena, mg_name(k->names, k->name));
    mg_map_put(&source->kernels, k->name, n);
    return n == 1 ? mg_arena_printf(k->arena, "mg_%s", name)
                  : mg_arena_printf(k->arena, "mg_%s_v%" PRIu64, name, n);
}

static void print_kernel(MgClPrinter *p, const char *name) {
    mg_textf(p->body, "__attribute__((reqd_work_group_size(%u, 1, 1)))\n", p->k->items);
    mg_textf(p->body, "__kernel void %s(", name);
    uint32_t arguments = parameters(p);
    mg_text_add(p->body, ") {\n");
    p->depth = 1;
    arrays(p);
    mg_cl_begin_boxes(p, name, arguments);
    if (p->k->meets)
        mg_cl_join(p);
    block(p, &p->k->body);
    if (p->k->meets)
        mg_text_add(p->body, "    }\n");
    mg_text_add(p->body, "}\n\n");
}

bool mg_opencl_print_kernel(MgSession *session, const MgKernel *k, MgClSource *source,
                            const char **name) {
    MgArena *arena = mg_arena_new(mg_arena_mem(k->arena));
    MgText body = mg_text(arena), helpers = mg_text(arena);
    MgClPrinter p = {.session = session,
                     .k = k,
                     .facts = mg_kfacts(arena, k),
                     .arena = arena,
                     .known = &source->helpers,
                     .helpers = &helpers,
                     .body = &body,
                     .group = "get_group_id(0)",
                     .groups = "get_num_groups(0)",
                     .wide = mg_kernel_has_wide(k),
                     .boxes = mg_kernel_boxes(arena, k),
                     .releases = mg_kernel_releases(k),
                     .ok = true};
    p.masks = MG_NEW_N(arena, size_t, k->vars.len + 1);
    if (k->meets)
        mg_cl_meet_helpers(source);
    const char *own = kernel_name(k, source);
    print_kernel(&p, own);
    mg_text_add(source->out, mg_text_str(&helpers));
    if (p.ok)
        mg_text_add(source->out, mg_text_str(&body));
    if (name)
        *name = own;
    mg_arena_free(arena);
    return p.ok;
}
