// The constant `mg_image`: the structs of image/image.h, written as LLVM constants.
//
// The field lists here mirror those structs one to one. Both are plain data of the C ABI.
#include "backends/cpu/emit.h"

#include "image/image.h"
#include "ir/fill.h"

#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(MgImagePort) == 40 && sizeof(MgImageWeight) == 32 &&
                   sizeof(MgImageSite) == 32 && sizeof(MgImage) == 160 &&
                   sizeof(MgImageKernel) == 24 && sizeof(MgImageDevice) == 48,
               "change the field lists in this file with image/image.h, and MG_IMAGE_ABI");

static LLVMValueRef u32(MgCpuEmit *e, uint32_t value) {
    return LLVMConstInt(e->t.i32, value, false);
}

static LLVMValueRef record(MgCpuEmit *e, LLVMValueRef *fields, uint32_t n) {
    return LLVMConstStructInContext(e->context, fields, n, false);
}

// Makes a private constant and returns its address.
static LLVMValueRef global(MgCpuEmit *e, const char *name, LLVMValueRef value, uint32_t align) {
    LLVMValueRef g = LLVMAddGlobal(e->module, LLVMTypeOf(value), name);
    LLVMSetInitializer(g, value);
    LLVMSetGlobalConstant(g, true);
    LLVMSetLinkage(g, LLVMPrivateLinkage);
    LLVMSetUnnamedAddress(g, LLVMGlobalUnnamedAddr);
    LLVMSetAlignment(g, align);
    return g;
}

// The address of an array, or null if it is empty.
static LLVMValueRef array(MgCpuEmit *e, const char *name, LLVMTypeRef type, LLVMValueRef *items,
                          uint32_t n) {
    return n ? global(e, name, LLVMConstArray2(type, items, n), 8) : LLVMConstNull(e->t.ptr);
}

static LLVMValueRef *list(MgCpuEmit *e, uint32_t n) {
    return MG_NEW_N(e->arena, LLVMValueRef, n + 1);
}

// One constant for each distinct text.
static LLVMValueRef text(MgCpuEmit *e, const char *string) {
    MgSym symbol = mg_sym(e->session->names, string);
    uint64_t *known = mg_map_find(&e->texts, symbol);
    if (known)
        return (LLVMValueRef)(uintptr_t)*known;
    LLVMValueRef bytes = LLVMConstStringInContext2(e->context, string, strlen(string), false);
    LLVMValueRef g = global(e, "s", bytes, 1);
    mg_map_put(&e->texts, symbol, (uint64_t)(uintptr_t)g);
    return g;
}

static const char *formula(MgCpuEmit *e, MgIx x) {
    MgText out = mg_text(e->arena);
    mg_ix_print(e->program->graph->module->ix, e->session->names, x, NULL, NULL, &out);
    return mg_text_str(&out);
}

static const char *place(MgCpuEmit *e, MgOriginId id) {
    const MgOrigin *o = mg_origin_of_user(e->program->graph->module, id);
    if (!id || !o->line)
        return "";
    return mg_arena_printf(e->arena, "%s:%u:%u", mg_name(e->session->names, o->file), o->line,
                           o->column);
}

// ---------------------------------------------------------------- tables

static LLVMValueRef dims_of(MgCpuEmit *e, const MgValue *v) {
    LLVMValueRef *dims = list(e, v->rank);
    for (uint32_t i = 0; i < v->rank; i++) {
        int64_t known = -1;
        mg_ix_is_const(e->program->graph->module->ix, v->shape[i], &known);
        dims[i] = mg_cpu_int(e, known);
    }
    return array(e, "dims", e->t.i64, dims, v->rank);
}

static LLVMValueRef port(MgCpuEmit *e, const MgPort *p, int32_t aliases) {
    const MgValue *v = mg_value(e->program->graph, p->value);
    LLVMValueRef *formulas = list(e, v->rank);
    for (uint32_t i = 0; i < v->rank; i++)
        formulas[i] = text(e, formula(e, v->shape[i]));
    LLVMValueRef fields[] = {text(e, mg_name(e->session->names, p->name)),
                             u32(e, v->dtype),
                             u32(e, v->rank),
                             dims_of(e, v),
                             array(e, "formulas", e->t.ptr, formulas, v->rank),
                             u32(e, (uint32_t)aliases)};
    return record(e, fields, 6);
}

static LLVMValueRef ports(MgCpuEmit *e) {
    const MgGraph *g = e->program->graph;
    uint32_t n = 0;
    LLVMValueRef *all = list(e, g->inputs.len + g->outputs.len);
    for (uint32_t i = 0; i < g->inputs.len; i++)
        all[n++] = port(e, &g->inputs.at[i], -1);
    for (uint32_t i = 0; i < g->outputs.len; i++) {
        bool in_place = e->program->in_place && e->program->in_place[i];
        all[n++] = port(e, &g->outputs.at[i], in_place ? g->outputs.at[i].aliases : -1);
    }
    return n ? array(e, "ports", LLVMTypeOf(all[0]), all, n) : LLVMConstNull(e->t.ptr);
}

static LLVMValueRef weight(MgCpuEmit *e, MgValueId id) {
    MgGraph *g = e->program->graph;
    const MgValue *v = mg_value(g, id);
    LLVMValueRef fields[] = {text(e, mg_name(e->session->names, mg_op(g, v->def)->key)),
                             text(e, mg_name(e->session->names, g->weights)), u32(e, v->dtype),
                             u32(e, v->rank), dims_of(e, v)};
    return record(e, fields, 5);
}

// The bytes of a value, or -1 if one of its dimensions is open.
static int64_t known_bytes(MgGraph *g, MgValueId id) {
    int64_t bytes;
    return mg_ix_is_const(g->module->ix, mg_value_bytes(g, id), &bytes) ? bytes : -1;
}

static LLVMValueRef constant_data(MgCpuEmit *e, MgValueId id) {
    MgGraph *g = e->program->graph;
    const MgValue *v = mg_value(g, id);
    const MgOp *op = mg_op(g, v->def);
    int64_t bytes = known_bytes(g, id);
    if (op->kind != MG_OP_CONST || bytes < 0 || (bytes && !op->data)) {
        mg_diag(e->session, mg_no_span(), MG_D_cpu_constant, mg_name(e->session->names, v->name));
        return LLVMConstNull(e->t.ptr);
    }
    const char *data = bytes ? op->data : "";
    return global(e, "data", LLVMConstStringInContext2(e->context, data, (size_t)bytes, true), 64);
}

// Makes a table of the program's buffers of one kind, in order of their numbers.
static LLVMValueRef buffers(MgCpuEmit *e, MgPlanBufKind kind, const char *name, uint32_t *count,
                            LLVMValueRef (*make)(MgCpuEmit *e, MgValueId id)) {
    const MgProgram *p = e->program;
    LLVMValueRef *all = list(e, p->bufs.len);
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->bufs.len; i++)
        if (p->bufs.at[i].kind == kind) {
            all[p->bufs.at[i].number] = make(e, p->bufs.at[i].value);
            n++;
        }
    *count = n;
    return n ? array(e, name, LLVMTypeOf(all[0]), all, n) : LLVMConstNull(e->t.ptr);
}

static LLVMValueRef sites(MgCpuEmit *e) {
    const MgProgram *p = e->program;
    LLVMValueRef *all = list(e, p->sites.len);
    for (uint32_t i = 0; i < p->sites.len; i++) {
        const MgSite *s = &p->sites.at[i];
        LLVMValueRef fields[] = {
            text(e, mg_name(e->session->names, s->name)), text(e, s->kind),
            text(e, place(e, s->origin)),
            LLVMConstReal(LLVMDoubleTypeInContext(e->context), s->faster > 0 ? s->faster : 1)};
        all[i] = record(e, fields, 4);
    }
    return p->sites.len ? array(e, "sites", LLVMTypeOf(all[0]), all, p->sites.len)
                        : LLVMConstNull(e->t.ptr);
}

// A message with its place. A library shows its formulas as they are; the runtime fills them in.
static LLVMValueRef message(MgCpuEmit *e, MgOriginId origin, const char *what) {
    const char *where = place(e, origin);
    what = mg_arena_printf(e->arena, "%s%s%s", where, *where ? ": " : "", what);
    return text(e, e->form ? mg_fill(e->arena, what, NULL, NULL) : what);
}

static LLVMValueRef traps(MgCpuEmit *e) {
    const MgProgram *p = e->program;
    LLVMValueRef *all = list(e, p->traps.len);
    for (uint32_t i = 0; i < p->traps.len; i++)
        all[i] = message(e, p->traps.at[i].origin, p->traps.at[i].reason);
    return array(e, "traps", e->t.ptr, all, p->traps.len);
}

static LLVMValueRef requires(MgCpuEmit *e) {
    const MgGraph *g = e->program->graph;
    LLVMValueRef *all = list(e, g->requires.len);
    for (uint32_t i = 0; i < g->requires.len; i++) {
        const MgRequire *r = &g->requires.at[i];
        all[i] = message(e, r->origin, mg_require_text(e->program->graph, r));
    }
    return array(e, "requires", e->t.ptr, all, g->requires.len);
}

static LLVMValueRef dim_names(MgCpuEmit *e) {
    const MgGraph *g = e->program->graph;
    LLVMValueRef *all = list(e, g->dims.len);
    for (uint32_t i = 0; i < g->dims.len; i++)
        all[i] = text(e, mg_name(e->session->names, mg_ix_sym_name(g->module->ix, g->dims.at[i])));
    return array(e, "dim_names", e->t.ptr, all, g->dims.len);
}

// The hash of the module's source; 0 if there is none.
static uint64_t source_hash(MgCpuEmit *e) {
    const char *name = mg_name(e->session->names, e->program->graph->module->source);
    for (uint32_t i = 1; i < e->session->sources.all.len; i++) {
        const MgSource *s = &e->session->sources.all.at[i];
        if (strcmp(s->name, name) == 0)
            return mg_hash(s->text, s->length, 0);
    }
    return 0;
}

// ---------------------------------------------------------------- images for a device

static LLVMValueRef device_kernels(MgCpuEmit *e) {
    uint32_t n = e->program->kernels.len;
    LLVMValueRef *all = list(e, n);
    for (uint32_t i = 0; i < n; i++) {
        const MgKernel *k = e->program->kernels.at[i];
        const MgDeviceKernel *code = &e->device->kernels[i];
        LLVMValueRef fields[] = {text(e, code->name ? code->name : ""), u32(e, k->n_params),
                                 u32(e, k->scalars.len), u32(e, k->items), u32(e, code->traps)};
        all[i] = record(e, fields, 5);
    }
    return n ? array(e, "kernels", LLVMTypeOf(all[0]), all, n) : LLVMConstNull(e->t.ptr);
}

static LLVMValueRef device_uses(MgCpuEmit *e, const MgKCall *call) {
    const MgKernel *k = e->program->kernels.at[call->kernel];
    LLVMValueRef *all = list(e, call->n_buffers);
    for (uint32_t i = 0; i < call->n_buffers; i++) {
        LLVMValueRef fields[] = {mg_cpu_int(e, call->buffers[i].bytes),
                                 u32(e, k->bufs.at[i].writes), u32(e, call->buffers[i].part_of)};
        all[i] = record(e, fields, 3);
    }
    return array(e, "uses", call->n_buffers ? LLVMTypeOf(all[0]) : e->t.i32, all, call->n_buffers);
}

static LLVMValueRef device_launches(MgCpuEmit *e) {
    uint32_t n = e->launches.len;
    LLVMValueRef *all = list(e, n);
    for (uint32_t i = 0; i < n; i++) {
        const MgKCall *call = e->launches.at[i];
        LLVMValueRef fields[] = {u32(e, call->kernel), u32(e, call->site), device_uses(e, call)};
        all[i] = record(e, fields, 3);
    }
    return n ? array(e, "launches", LLVMTypeOf(all[0]), all, n) : LLVMConstNull(e->t.ptr);
}

static LLVMValueRef constant_size(MgCpuEmit *e, MgValueId id) {
    return mg_cpu_int(e, known_bytes(e->program->graph, id));
}

static LLVMValueRef constant_sizes(MgCpuEmit *e) {
    uint32_t n;
    return buffers(e, MG_PLAN_CONST, "constant_bytes", &n, constant_size);
}

static LLVMValueRef device(MgCpuEmit *e) {
    if (!e->device)
        return LLVMConstNull(e->t.ptr);
    LLVMValueRef source =
        LLVMConstStringInContext2(e->context, e->device->source, e->device->length, false);
    LLVMValueRef fields[] = {global(e, "source", source, 1),
                             LLVMConstInt(e->t.i64, e->device->length, false),
                             u32(e, e->program->kernels.len),
                             u32(e, e->launches.len),
                             device_kernels(e),
                             device_launches(e),
                             constant_sizes(e)};
    return global(e, "device", record(e, fields, 7), 8);
}

// ---------------------------------------------------------------- images of a library

static LLVMValueRef external(MgCpuEmit *e, const char *name, LLVMValueRef value) {
    LLVMValueRef g = global(e, name, value, 8);
    LLVMSetLinkage(g, LLVMExternalLinkage);
    return g;
}

static const char *of_form(MgCpuEmit *e, const char *what) {
    return mg_arena_printf(e->arena, "%s.%s", e->form->prefix, what);
}

void mg_cpu_weight_name(uint32_t number, char name[32]) {
    snprintf(name, 32, "mg.weight.%u", number);
}

// Each form declares the weight; the library defines it once for all of them.
static LLVMValueRef weight_address(MgCpuEmit *e, uint32_t number) {
    char name[32];
    mg_cpu_weight_name(number, name);
    LLVMValueRef known = LLVMGetNamedGlobal(e->module, name);
    if (known)
        return known;
    LLVMTypeRef type = LLVMArrayType2(e->t.i8, e->form->library->weights.at[number].bytes);
    return LLVMAddGlobal(e->module, type, name);
}

static uint32_t weight_number(MgCpuEmit *e, MgValueId id) {
    MgGraph *g = e->program->graph;
    const MgLibrary *l = e->form->library;
    MgSym key = mg_op(g, mg_value(g, id)->def)->key;
    for (uint32_t i = 0; i < l->weights.len; i++)
        if (l->weights.at[i].key == key && l->weights.at[i].file == g->weights)
            return i;
    return 0; // unreachable: the library has every parameter of its graphs
}

static void weight_tables(MgCpuEmit *e, uint32_t n) {
    const MgProgram *p = e->program;
    bool beside = e->form->library->header_bytes > 0;
    LLVMValueRef *addresses = list(e, n), *offsets = list(e, n);
    for (uint32_t i = 0; i < p->bufs.len; i++)
        if (p->bufs.at[i].kind == MG_PLAN_WEIGHT) {
            uint32_t at = p->bufs.at[i].number, number = weight_number(e, p->bufs.at[i].value);
            const MgLibraryWeight *w = &e->form->library->weights.at[number];
            addresses[at] = beside ? LLVMConstNull(e->t.ptr) : weight_address(e, number);
            offsets[at] = mg_cpu_int(e, (int64_t)w->offset);
        }
    external(e, of_form(e, "weights"), LLVMConstArray2(e->t.ptr, addresses, n));
    external(e, of_form(e, "offsets"), LLVMConstArray2(e->t.i64, offsets, n));
}

void mg_cpu_image(MgCpuEmit *e, LLVMValueRef run, LLVMValueRef bind, LLVMValueRef costs) {
    const MgProgram *p = e->program;
    const MgGraph *g = p->graph;
    uint32_t n_weights, n_constants;
    mg_map_init(&e->texts, e->arena);
    LLVMValueRef weights = buffers(e, MG_PLAN_WEIGHT, "weights", &n_weights, weight);
    LLVMValueRef constants = buffers(e, MG_PLAN_CONST, "constants", &n_constants, constant_data);
    LLVMValueRef fields[] = {
        u32(e, MG_IMAGE_MAGIC),
        u32(e, MG_IMAGE_ABI),
        LLVMConstInt(e->t.i64, source_hash(e), false),
        text(e, mg_name(e->session->names, g->name)),
        text(e, e->device ? e->device->target : e->target->cpu),
        u32(e, g->inputs.len),
        u32(e, g->outputs.len),
        u32(e, n_weights),
        u32(e, n_constants),
        u32(e, g->dims.len),
        u32(e, p->n_slots),
        u32(e, p->sites.len),
        u32(e, p->traps.len),
        ports(e),
        weights,
        constants,
        dim_names(e),
        sites(e),
        traps(e),
        u32(e, p->max_workers),
        bind,
        requires(e),
        costs,
        run,
        device(e),
    };
    LLVMValueRef constant = record(e, fields, sizeof fields / sizeof *fields);
    if (e->form)
        weight_tables(e, n_weights);
    external(e, e->form ? of_form(e, "image") : "mg_image", constant);
}
