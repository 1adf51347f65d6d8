// The entry point: reads the file, translates its graph, and formats the text.
//
// Some models can only be translated if facts about their inputs are known. So there are several
// attempts, each of which uses more of what the caller gives. The errors of the last attempt are
// reported.
#include "frontend/onnx/internal.h"

#include "formats/tensor.h"
#include "frontend/onnx/wire.h"

enum { MAX_ROUNDS = 256 }; // each round finds sizes that must be equal

const MgGiven *mg_onnx_given_for(const MgOnnx *t, const char *name, uint32_t place) {
    for (uint32_t i = 0; i < t->n_given; i++) {
        const MgGiven *g = &t->given[i];
        if ((g->tensor || g->elements) && (g->name ? !strcmp(g->name, name) : i == place))
            return g;
    }
    return NULL;
}

const MgTensor *mg_onnx_given(const MgOnnx *t, const char *name, uint32_t place) {
    const MgGiven *g = mg_onnx_given_for(t, name, place);
    return g ? g->tensor : NULL;
}

static const Onnx__ModelProto *read_model(MgSession *session, const MgFileBytes *file) {
    const Onnx__ModelProto *model = (const Onnx__ModelProto *)mg_wire_read(
        session, file->path, "ONNX", &onnx__model_proto__descriptor, file->bytes, file->length);
    if (model && !model->graph) {
        mg_diag(session, mg_no_span(), MG_D_onnx_model, file->path,
                "it is not an ONNX model: it has no graph");
        return NULL;
    }
    return model;
}

static bool given_size(void *context, MgIxSym s, int64_t *value) {
    MgOnnx *t = context;
    uint64_t size = mg_map_get(&t->dim_sizes, mg_ix_sym_name(t->ix, s), 0);
    *value = (int64_t)size - 1;
    return size != 0;
}

// Is the text right for the given sizes? A text over open sizes may refuse some that the model
// takes: it never stretches a size that turns out to be 1.
static bool fits_given(MgOnnx *t) {
    return t->use >= MG_ONNX_USE_SHAPES || mg_scope_allows(t->scope, given_size, t);
}

static bool attempt(MgOnnx *t, const char *weights_file, MgOnnxImport *import) {
    MgText text = mg_text(t->arena), pretty = mg_text(t->arena);
    uint32_t errors = t->session->n_errors;
    t->head = mg_text(t->arena);
    MgMap *maps[] = {&t->used,   &t->keys,  &t->narrow, &t->files,          &t->lists,
                     &t->makers, &t->sizes, &t->dims,   &t->weights.by_key, &t->dim_sizes};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        mg_map_init(maps[i], t->arena);
    t->weights.path = t->file.path;
    mg_onnx_index_rows(t);
    if (!mg_onnx_translate(t, weights_file, &text) || t->session->n_errors != errors ||
        !fits_given(t))
        return false;
    MgAstFile *file = mg_parse(
        t->session, mg_add_source(t->session, t->file.path, mg_text_str(&text), text.bytes.len));
    if (!file)
        return false;
    mg_fmt(t->session, file, &pretty);
    *import = (MgOnnxImport){.text = mg_text_str(&pretty),
                             .length = pretty.bytes.len,
                             .weights = t->weights,
                             .fixed = t->fixed.at,
                             .n_fixed = t->fixed.len};
    import->makers = mg_onnx_makers(t, import->text, import->length, &import->n_makers);
    return true;
}

// Makes the attempts that use `use` of the given tensors. They differ in the names by which
// dimensions are shared, in the branch taken if branches can't be joined, in whether an Expand
// keeps open axes, as later nodes may need, and finally in whether the run checks that a size that
// it decides equals the size that a node needs.
static bool attempts(const MgOnnx *start, MgOnnxUse use, const char *weights_file,
                     MgOnnxImport *import) {
    MgSession *session = start->session;
    uint32_t diags = session->diags.len, errors = session->n_errors;
    bool odd_names = false, took_branch = false, stretched = false, disagreed = false;
    for (unsigned way = 0; way < 16; way++) {
        MgOnnx *t = MG_NEW(session->arena, MgOnnx);
        *t = *start;
        t->use = use;
        t->use_odd_names = way & 1;
        t->take_else = way & 2;
        t->keep_axes = way & 4;
        t->may_agree = way & 8;
        if ((t->use_odd_names && !odd_names) || (t->take_else && !took_branch) ||
            (t->keep_axes && !stretched) || (t->may_agree && !disagreed))
            continue;
        session->diags.len = diags;
        session->n_errors = errors;
        if (attempt(t, weights_file, import))
            return true;
        odd_names |= t->odd_names;
        took_branch |= t->took_branch;
        stretched |= t->stretched;
        disagreed |= t->disagreed;
    }
    return false;
}

bool mg_onnx_import_file(MgSession *session, const MgFileBytes *file, const char *weights_file,
                         const MgGiven *given, uint32_t n_given, MgOnnxImport *import) {
    uint32_t diags = session->diags.len, errors = session->n_errors;
    MgOnnx start = {.session = session,
                    .arena = session->arena,
                    .names = session->names,
                    .file = *file,
                    .given = given,
                    .n_given = n_given,
                    .equal = MG_NEW(session->arena, MgOnnxEqual)};
    if (!(start.model = read_model(session, file)))
        return false;
    for (MgOnnxUse use = 0; use < MG_ONNX_USES; use++) {
        if (!n_given && use != MG_ONNX_USE_NOTHING && use != MG_ONNX_USE_BOUNDS)
            continue;
        if (use == MG_ONNX_USE_BOUNDS && !start.equal->grew && !mg_diags_unsupported(session))
            break; // the model is wrong whatever the bounds are
        // Given tensors say more about sizes than equalities do.
        mg_map_init(&start.equal->of, session->arena);
        start.equal->may = !n_given || use == MG_ONNX_USE_BOUNDS;
        for (uint32_t round = 0; round < MAX_ROUNDS; round++) {
            session->diags.len = diags;
            session->n_errors = errors;
            start.equal->grew = false;
            if (attempts(&start, use, weights_file, import))
                return true;
            if (!start.equal->may || !start.equal->grew)
                break;
        }
    }
    return false;
}

bool mg_onnx_import(MgSession *session, const char *path, const char *weights_file,
                    const MgGiven *given, uint32_t n_given, MgOnnxImport *import) {
    MgFileBytes file;
    return mg_file_read(session, path, mg_no_span(), &file) &&
           mg_onnx_import_file(session, &file, weights_file, given, n_given, import);
}
