// Tests serialised TensorProto: every element type from raw_data and from its typed field, packed
// and not; elements in another file; and hostile messages, which are all refused with a reason.
#include "tests/unit/check.h"

#include "formats/tensor_proto.h"

static MgSession *session;

// A message built field by field.
static void varint(MgText *m, uint64_t v) {
    for (; v >= 0x80; v >>= 7)
        mg_text_add_n(m, &(char){(char)(v | 0x80)}, 1);
    mg_text_add_n(m, &(char){(char)v}, 1);
}

static void number(MgText *m, uint32_t field, uint64_t v) {
    varint(m, field << 3);
    varint(m, v);
}

static void bytes(MgText *m, uint32_t field, const void *at, size_t n) {
    varint(m, field << 3 | 2);
    varint(m, n);
    mg_text_add_n(m, at, n);
}

static const unsigned char *at(const MgText *m) {
    return (const unsigned char *)m->bytes.at;
}

static const char *parse(MgText *m, MgTensorProto *t) {
    return mg_tensor_proto_parse(session->arena, at(m), m->bytes.len, t);
}

static MgText vector(uint64_t type, int64_t n) {
    if (!session)
        session = mg_session_new(0);
    MgText m = mg_text(session->arena);
    number(&m, 2, type);
    number(&m, 1, (uint64_t)n);
    return m;
}

static void done(void) {
    mg_session_free(session);
    session = NULL;
}

// Two elements, -1 and 3 (1 and 1 of bool), as each type stores them.
static const struct {
    uint32_t type, field, wire; // wire: 0 varint, 1 fixed64, 5 fixed32
    uint64_t a, b;              // as numbers of the typed field
    MgDType dtype;
} typed[] = {
    {1, 4, 5, 0xbf800000, 0x40400000, MG_F32},
    {2, 5, 0, 255, 3, MG_U8},
    {3, 5, 0, UINT64_MAX, 3, MG_I8},
    {4, 5, 0, 65535, 3, MG_U16},
    {5, 5, 0, UINT64_MAX, 3, MG_I16},
    {6, 5, 0, UINT64_MAX, 3, MG_I32},
    {7, 7, 0, UINT64_MAX, 3, MG_I64},
    {9, 5, 0, 1, 1, MG_BOOL},
    {10, 5, 0, 0xbc00, 0x4200, MG_F16},
    {11, 10, 1, 0xbff0000000000000, 0x4008000000000000, MG_F64},
    {12, 11, 0, UINT32_MAX, 3, MG_U32},
    {13, 11, 0, UINT64_MAX, 3, MG_U64},
    {16, 5, 0, 0xbf80, 0x4040, MG_BF16},
    {17, 5, 0, 0xb8, 0x44, MG_F8E4M3},
    {19, 5, 0, 0xbc, 0x42, MG_F8E5M2},
};
#define N_TYPED (sizeof typed / sizeof *typed)

static void put(MgText *m, uint32_t wire, uint64_t v) {
    if (wire)
        mg_text_add_n(m, (const char *)&v, wire == 1 ? 8 : 4);
    else
        varint(m, v);
}

START_TEST(every_type_from_every_field) {
    for (size_t i = 0; i < N_TYPED; i++) {
        MgText raw = vector(typed[i].type, 2), packed = vector(typed[i].type, 2),
               plain = vector(typed[i].type, 2), run = mg_text(session->arena);
        size_t size = mg_dtype_size(typed[i].dtype);
        unsigned char elements[16];
        memcpy(elements, &typed[i].a, size);
        memcpy(elements + size, &typed[i].b, size);
        bytes(&raw, 9, elements, 2 * size);
        put(&run, typed[i].wire, typed[i].a);
        put(&run, typed[i].wire, typed[i].b);
        bytes(&packed, typed[i].field, run.bytes.at, run.bytes.len);
        varint(&plain, typed[i].field << 3 | typed[i].wire);
        put(&plain, typed[i].wire, typed[i].a);
        varint(&plain, typed[i].field << 3 | typed[i].wire);
        put(&plain, typed[i].wire, typed[i].b);
        MgText *forms[] = {&raw, &packed, &plain};
        for (int f = 0; f < 3; f++) {
            MgTensorProto t;
            const char *why = parse(forms[f], &t);
            ck_assert_msg(!why, "type %u form %d: %s", typed[i].type, f, why);
            ck_assert_int_eq(t.dtype, typed[i].dtype);
            ck_assert_uint_eq(t.count, 2);
            ck_assert_uint_eq(t.bytes, 2 * size);
            ck_assert_mem_eq(t.data, elements, 2 * size);
        }
    }
    done();
}
END_TEST

START_TEST(raw_data_is_not_copied) {
    MgText m = vector(1, 2);
    bytes(&m, 9, "abcdefgh", 8);
    MgTensorProto t;
    ck_assert_ptr_null(parse(&m, &t));
    ck_assert(t.data > at(&m) && t.data < at(&m) + m.bytes.len);
    done();
}
END_TEST

START_TEST(elements_that_share_a_byte) {
    MgTensorProto t;
    MgText m = vector(22, 3); // int4: -1, 7, -8
    bytes(&m, 9, "\x7f\x08", 2);
    ck_assert_ptr_null(parse(&m, &t));
    ck_assert_mem_eq(t.data, ((signed char[]){-1, 7, -8}), 3);
    m = vector(21, 3);
    bytes(&m, 5, "\x7f\x08", 2); // packed varints of a byte each
    ck_assert_ptr_null(parse(&m, &t));
    ck_assert_mem_eq(t.data, "\x0f\x07\x08", 3);
    m = vector(26, 5); // int2: -1, 1, -2, 0, 1
    bytes(&m, 9, "\x27\xfd", 2);
    ck_assert_ptr_null(parse(&m, &t));
    ck_assert_mem_eq(t.data, ((signed char[]){-1, 1, -2, 0, 1}), 5);
    m = vector(25, 5);
    bytes(&m, 9, "\x27\xfd", 2);
    ck_assert_ptr_null(parse(&m, &t));
    ck_assert_mem_eq(t.data, "\3\1\2\0\1", 5);
    m = vector(25, 5);
    bytes(&m, 9, "\x27", 1);
    ck_assert_str_eq(parse(&m, &t), "its shape asks for 2 bytes, but it has 1");
    done();
}
END_TEST

START_TEST(truth_values_are_0_or_1) {
    MgTensorProto t;
    MgText m = vector(9, 3);
    bytes(&m, 9, "\x00\x02\xff", 3);
    ck_assert_ptr_null(parse(&m, &t));
    ck_assert_mem_eq(t.data, "\0\1\1", 3);
    done();
}
END_TEST

START_TEST(scalars_and_empty_tensors) {
    MgTensorProto t;
    MgText m = vector(7, 0);
    ck_assert_ptr_null(parse(&m, &t));
    ck_assert_uint_eq(t.count, 0);
    m.bytes.len = 0;
    number(&m, 2, 6);
    number(&m, 5, 42);
    ck_assert_ptr_null(parse(&m, &t));
    ck_assert_uint_eq(t.rank, 0);
    ck_assert_mem_eq(t.data, &(int32_t){42}, 4);
    m = vector(1, INT64_MAX); // an empty tensor may have any other sizes
    number(&m, 1, INT64_MAX);
    number(&m, 1, 0);
    ck_assert_ptr_null(parse(&m, &t));
    done();
}
END_TEST

static MgText external(const char *key, const char *value) {
    MgText m = vector(1, 2), entry = mg_text(session->arena);
    bytes(&entry, 1, "location", 8);
    bytes(&entry, 2, "w.bin", 5);
    bytes(&m, 13, entry.bytes.at, entry.bytes.len);
    entry.bytes.len = 0;
    bytes(&entry, 1, key, strlen(key));
    bytes(&entry, 2, value, strlen(value));
    bytes(&m, 13, entry.bytes.at, entry.bytes.len);
    number(&m, 14, 1);
    return m;
}

START_TEST(elements_elsewhere) {
    MgTensorProto t;
    MgText m = external("offset", "4");
    ck_assert_ptr_null(parse(&m, &t));
    ck_assert_str_eq(t.location, "w.bin");
    ck_assert_ptr_null(t.data);
    const unsigned char file[12] = "0123abcdefgh";
    ck_assert_ptr_null(mg_tensor_proto_external(session->arena, file, 12, &t));
    ck_assert_ptr_eq(t.data, file + 4);
    ck_assert_ptr_nonnull(strstr(mg_tensor_proto_external(session->arena, file, 11, &t),
                                 "its 8 bytes at offset 4 lie outside the file's 11"));
    m = external("offset", "18446744073709551615");
    ck_assert_ptr_null(parse(&m, &t));
    ck_assert_ptr_nonnull(mg_tensor_proto_external(session->arena, file, 12, &t));
    m = external("length", "9");
    ck_assert_ptr_null(parse(&m, &t));
    ck_assert_ptr_nonnull(strstr(mg_tensor_proto_external(session->arena, file, 12, &t),
                                 "asks for 8 bytes, but it has 9"));
    m = external("offset", "-1");
    ck_assert_str_eq(parse(&m, &t), "its external offset is not a number");
    done();
}
END_TEST

// A message with a tag for each field that the text names, and part of the reason for its refusal.
START_TEST(hostile) {
    MgTensorProto t;
    MgText m = vector(1, 2);
    bytes(&m, 9, "abcdefg", 7);
    ck_assert_str_eq(parse(&m, &t), "its shape asks for 8 bytes, but it has 7");
    for (uint32_t n = 0; n < m.bytes.len; n++) { // every prefix is refused too
        const char *why = mg_tensor_proto_parse(session->arena, at(&m), n, &t);
        ck_assert_ptr_nonnull(why);
    }
    m = vector(1, 3);
    number(&m, 1, INT64_MAX);
    ck_assert_str_eq(parse(&m, &t), "its shape overflows");
    m = vector(1, -1);
    ck_assert_str_eq(parse(&m, &t), "one of its dimensions is negative");
    m = vector(29, 1);
    ck_assert_str_eq(parse(&m, &t), "ONNX has no such element type");
    m = vector(7, 2);
    bytes(&m, 7, "\x01\x80", 2); // a varint that does not end
    ck_assert_str_eq(parse(&m, &t), "its bytes are damaged or cut off");
    m = vector(7, 1);
    bytes(&m, 7, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
          12); // nor does this one within 64 bits
    ck_assert_str_eq(parse(&m, &t), "its bytes are damaged or cut off");
    m = vector(7, 2);
    number(&m, 7, 1);
    ck_assert_str_eq(parse(&m, &t), "its shape asks for 2 numbers, but it has 1");
    m = vector(7, 1);
    varint(&m, 9 << 3 | 2);
    varint(&m, UINT64_MAX); // a length beyond the end of the message
    ck_assert_str_eq(parse(&m, &t), "its bytes are damaged or cut off");
    m = vector(1, 1 << 30); // nothing is allocated for what isn't there
    ck_assert_str_eq(parse(&m, &t), "its shape asks for 4294967296 bytes, but it has 0");
    m = vector(1, 1);
    for (int i = 0; i < 64; i++)
        number(&m, 1, 1);
    ck_assert_str_eq(parse(&m, &t), "it has more than 64 dimensions");
    done();
}
END_TEST

START_TEST(types_without_counterpart_are_named) {
    MgText m = vector(8, 1);
    bytes(&m, 6, "text", 4);
    MgTensorProto t;
    ck_assert_ptr_null(parse(&m, &t));
    ck_assert_int_eq(t.dtype, MG_DTYPE_COUNT);
    ck_assert_str_eq(mg_onnx_type(t.onnx_type)->name, "string");
    ck_assert_ptr_null(mg_pb_of_bytes(session, "x.pb", at(&m), m.bytes.len));
    ck_assert_ptr_nonnull(strstr(mg_test_diags(session), "elements of type string"));
    done();
}
END_TEST

START_TEST(written_and_read_again) {
    session = mg_session_new(0);
    for (int d = 0; d < MG_DTYPE_COUNT; d++) {
        MgTensor *t = mg_tensor_new((MgElement)d, 2, (int64_t[]){2, 300});
        memset(t->data, 1, t->bytes);
        MgBytes parts[2];
        mg_pb_parts(session, "name", t, parts);
        MgText whole = mg_text(session->arena);
        mg_text_add_n(&whole, parts[0].at, parts[0].length);
        mg_text_add_n(&whole, parts[1].at, parts[1].length);
        MgTensor *again = mg_pb_of_bytes(session, "x.pb", at(&whole), whole.bytes.len);
        ck_assert_ptr_nonnull(again);
        ck_assert_int_eq(again->dtype, t->dtype);
        ck_assert_int_eq(again->dims[1], 300);
        ck_assert_mem_eq(again->data, t->data, t->bytes);
        mg_tensor_release(again);
        mg_tensor_release(t);
    }
    done();
}
END_TEST

MG_TEST_MAIN("tensor_proto", every_type_from_every_field, raw_data_is_not_copied,
             elements_that_share_a_byte, truth_values_are_0_or_1, scalars_and_empty_tensors,
             elements_elsewhere, hostile, types_without_counterpart_are_named,
             written_and_read_again)
