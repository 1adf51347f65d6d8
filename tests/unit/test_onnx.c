// Tests the ONNX front end's internals: the walk over the wire format, its tensors, shapes that
// depend on given inputs, and the tables of operators. Models are written by hand, field by field.
#include "tests/unit/check.h"

#include "frontend/onnx/internal.h"
#include "frontend/onnx/onnx.h"
#include "frontend/onnx/onnx.pb-c.h"
#include "frontend/onnx/wire.h"
#include "include/mg.h"

#include <stdio.h>
#include <unistd.h>

typedef struct Bytes {
    unsigned char at[4096];
    size_t n;
} Bytes;

static void number(Bytes *b, uint64_t value) {
    for (; value > 127; value >>= 7)
        b->at[b->n++] = (unsigned char)(value & 127) | 128;
    b->at[b->n++] = (unsigned char)value;
}

static void integer(Bytes *b, unsigned field, uint64_t value) {
    number(b, field << 3);
    number(b, value);
}

static void bytes(Bytes *b, unsigned field, const void *at, size_t n) {
    number(b, field << 3 | 2);
    number(b, n);
    memcpy(b->at + b->n, at, n);
    b->n += n;
}

static void text(Bytes *b, unsigned field, const char *word) {
    bytes(b, field, word, strlen(word));
}

static void message(Bytes *b, unsigned field, const Bytes *inner) {
    bytes(b, field, inner->at, inner->n);
}

static MgSession *session;
static void open_session(void) {
    session = mg_session_new((size_t)64 << 20);
}
static void close_session(void) {
    mg_session_free(session);
}

static const Onnx__ModelProto *read_model(const Bytes *b) {
    return (const Onnx__ModelProto *)mg_wire_read(session, "m.onnx", "ONNX",
                                                  &onnx__model_proto__descriptor, b->at, b->n);
}

// ---------------------------------------------------------------- the wire
START_TEST(tensors_stay_in_the_file) {
    Bytes tensor = {0}, graph = {0}, model = {0};
    open_session();
    text(&tensor, 8, "w");
    bytes(&tensor, 9, "\1\2\3\4", 4);
    message(&graph, 5, &tensor);
    message(&model, 7, &graph);
    const Onnx__ModelProto *m = read_model(&model);
    ck_assert_ptr_nonnull(m);
    ck_assert_uint_eq(m->graph->n_initializer, 1);
    MgWirePlace place;
    ck_assert_uint_eq(m->graph->initializer[0].len, sizeof place);
    memcpy(&place, m->graph->initializer[0].data, sizeof place);
    ck_assert_uint_eq(place.length, tensor.n);
    ck_assert_mem_eq(model.at + place.offset, tensor.at, tensor.n);
    close_session();
}
END_TEST

START_TEST(every_beginning_is_refused_or_read) {
    Bytes node = {0}, graph = {0}, model = {0};
    text(&node, 1, "x");
    text(&node, 2, "y");
    text(&node, 4, "Relu");
    message(&graph, 1, &node);
    message(&model, 7, &graph);
    for (size_t n = 0; n < model.n; n++) {
        Bytes cut = model;
        cut.n = n;
        open_session();
        const Onnx__ModelProto *m = read_model(&cut);
        ck_assert((m != NULL) != (session->n_errors > 0));
        close_session();
    }
}
END_TEST

START_TEST(depth_is_bounded) {
    Bytes inner = {0}; // a graph in an attribute in a node in a graph …
    for (int i = 0; i < 150; i++) {
        Bytes attribute = {0}, node = {0}, graph = {0};
        message(&attribute, 6, &inner);
        message(&node, 5, &attribute);
        message(&graph, 1, &node);
        inner = graph;
    }
    Bytes model = {0};
    message(&model, 7, &inner);
    open_session();
    ck_assert_ptr_null(read_model(&model));
    ck_assert_ptr_nonnull(strstr(mg_test_diags(session), "nested too deeply"));
    close_session();
}
END_TEST

START_TEST(types_are_checked) {
    Bytes number_for_text = {0}, bad_text = {0}, half = {0}, attribute = {0}, node = {0},
          graph = {0};
    integer(&number_for_text, 7, 1); // the graph as a number
    open_session();
    ck_assert_ptr_null(read_model(&number_for_text));
    ck_assert_ptr_nonnull(strstr(mg_test_diags(session), "the graph of a ModelProto"));
    text(&bad_text, 2, "\xc3\x28"); // the producer's name
    ck_assert_ptr_null(read_model(&bad_text));
    ck_assert_ptr_nonnull(strstr(mg_test_diags(session), "is not text"));
    bytes(&attribute, 7, "\0\0\0\0\0", 5); // packed floats
    message(&node, 5, &attribute);
    message(&graph, 1, &node);
    message(&half, 7, &graph);
    ck_assert_ptr_null(read_model(&half));
    ck_assert_ptr_nonnull(strstr(mg_test_diags(session), "ends within one"));
    close_session();
}
END_TEST

// ---------------------------------------------------------------- given inputs
static void port(Bytes *graph, unsigned field, const char *name, int type, int rank,
                 const int64_t *dims) {
    Bytes shape = {0}, tensor = {0}, kind = {0}, info = {0};
    for (int i = 0; i < rank; i++) {
        Bytes dim = {0};
        integer(&dim, 1, (uint64_t)dims[i]);
        message(&shape, 1, &dim);
    }
    integer(&tensor, 1, (uint64_t)type);
    message(&tensor, 2, &shape);
    message(&kind, 1, &tensor);
    text(&info, 1, name);
    message(&info, 2, &kind);
    message(graph, field, &info);
}

// y = Reshape(x, shape), where shape is an input.
static void write_reshape(const char *path) {
    Bytes node = {0}, graph = {0}, opset = {0}, model = {0};
    text(&node, 1, "x");
    text(&node, 1, "shape");
    text(&node, 2, "y");
    text(&node, 4, "Reshape");
    message(&graph, 1, &node);
    port(&graph, 11, "x", 1, 1, (int64_t[]){6});
    port(&graph, 11, "shape", 7, 1, (int64_t[]){2});
    port(&graph, 12, "y", 1, 2, (int64_t[]){2, 3});
    integer(&opset, 2, 17);
    message(&model, 7, &graph);
    message(&model, 8, &opset);
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(model.at, 1, model.n, f), model.n);
    fclose(f);
}

static MgTensor *sizes(int64_t a, int64_t b) {
    MgTensor *t = mg_tensor_new(MG_ELEMENT_I64, 1, (int64_t[]){2});
    int64_t *data = mg_tensor_data(t);
    data[0] = a;
    data[1] = b;
    return t;
}

START_TEST(other_values_than_those_given_are_refused) {
    const char *path = "given.onnx";
    float x[6] = {1, 2, 3, 4, 5, 6};
    MgContextOptions quiet = {.cache_folder = ""};
    MgContext *context;
    MgModel *model;
    MgInstance *instance;
    MgTensor *given = sizes(2, 3), *other = sizes(3, 2);
    write_reshape(path);
    ck_assert_int_eq(mg_context_new(&quiet, &context), MG_OK);
    ck_assert_int_eq(mg_model_load(context, path, NULL, &model), MG_OK); // any values will do
    ck_assert_int_eq(mg_instance_new(model, context, &instance), MG_OK);
    mg_bind_input(instance, 0, x, 1, (int64_t[]){6});
    mg_bind_input_tensor(instance, 1, given);
    ck_assert_msg(mg_run(instance) == MG_OK, "%s", mg_instance_message(instance));
    mg_bind_input_tensor(instance, 1, other);
    ck_assert_msg(mg_run(instance) == MG_OK, "%s", mg_instance_message(instance));
    mg_instance_free(instance);
    mg_model_release(model);
    MgGiven inputs[] = {{.name = "shape", .tensor = given}};
    MgCompileOptions options = {.level = -1, .given = inputs, .n_given = 1};
    ck_assert_int_eq(mg_model_load(context, path, &options, &model), MG_OK);
    ck_assert_int_eq(mg_instance_new(model, context, &instance), MG_OK);
    mg_bind_input(instance, 0, x, 1, (int64_t[]){6});
    mg_bind_input_tensor(instance, 1, other);
    ck_assert_int_eq(mg_run(instance), MG_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(mg_instance_message(instance), "input shape is not [2, 3]"));
    mg_bind_input_tensor(instance, 1, given);
    ck_assert_msg(mg_run(instance) == MG_OK, "%s", mg_instance_message(instance));
    mg_bind_input_tensor(instance, 1, other); // also if only a value changes
    ck_assert_int_eq(mg_run(instance), MG_BAD_INPUT);
    mg_instance_free(instance);
    mg_model_release(model);
    options.mode = MG_MODE_LOOP; // and before each of several passes
    ck_assert_int_eq(mg_model_load(context, path, &options, &model), MG_OK);
    ck_assert_int_eq(mg_instance_new(model, context, &instance), MG_OK);
    mg_bind_input(instance, 0, x, 1, (int64_t[]){6});
    mg_bind_input_tensor(instance, 1, other);
    ck_assert_int_eq(mg_run_passes(instance, 2), MG_BAD_INPUT);
    mg_tensor_release(given);
    mg_tensor_release(other);
    mg_instance_free(instance);
    mg_model_release(model);
    mg_context_free(context);
    unlink(path);
}
END_TEST

// Attributes are translated in lang/std/onnx.mg. A row that needs C is about the graph: subgraphs,
// sequences, values that fold, sizes that depend on data.
START_TEST(few_rows_need_c) {
    uint32_t n = 0;
    for (const MgOnnxRow *r = mg_onnx_rows; r->name; r++)
        n += r->translate != NULL;
    ck_assert_uint_le(n, 40);
}
END_TEST

// Every operator that is listed as supported has a row, and every row is listed.
START_TEST(the_tables_of_operators_agree) {
    for (const MgOnnxSchema *s = mg_onnx_schemas; s->name; s++)
        ck_assert_msg(!mg_onnx_supported_from(s) == !!*s->refused, "%s", s->name);
    for (const MgOnnxRow *r = mg_onnx_rows; r->name; r++)
        ck_assert_msg(mg_onnx_schema(r->domain, r->name) != NULL, "%s", r->name);
}
END_TEST

MG_TEST_MAIN("onnx", tensors_stay_in_the_file, every_beginning_is_refused_or_read, depth_is_bounded,
             types_are_checked, other_values_than_those_given_are_refused, few_rows_need_c,
             the_tables_of_operators_agree)
