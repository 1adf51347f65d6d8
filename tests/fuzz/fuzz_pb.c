// Fuzzes the reader of serialised TensorProto. What it accepts lies inside the given bytes, and a
// tensor that is written reads back the same.
#include "fuzz_file.h"

#include "formats/tensor_proto.h"

#include <stdlib.h>

static void read(MgSession *session, const uint8_t *data, size_t size) {
    MgTensorProto proto;
    if (!mg_tensor_proto_parse(session->arena, data, size, &proto) && proto.location)
        mg_tensor_proto_external(session->arena, data, size, &proto);
    fuzz_touch(proto.data, proto.data ? proto.bytes : 0);
    MgTensor *t = mg_pb_of_bytes(session, "fuzz", data, size);
    if (!t)
        return;
    MgBytes parts[2];
    mg_pb_parts(session, "t", t, parts);
    MgText whole = mg_text(session->arena);
    for (int i = 0; i < 2; i++)
        mg_text_add_n(&whole, parts[i].at, parts[i].length);
    MgTensor *again =
        mg_pb_of_bytes(session, "fuzz", (const unsigned char *)whole.bytes.at, whole.bytes.len);
    if (!again || again->bytes != t->bytes || again->dtype != t->dtype ||
        (t->bytes && memcmp(again->data, t->data, t->bytes) != 0))
        abort();
    mg_tensor_release(again);
    mg_tensor_release(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_file(data, size, read);
}
