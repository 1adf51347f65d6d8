#!/usr/bin/env bash
# Tests a model whose shape is an input, so that the given values decide it. The test writes the model byte by byte:
# y = Reshape(x, shape), opset 13.
source "$(dirname "$0")/lib.sh"
python3 - <<'END'
def varint(v):
    out = b""
    while v >= 128:
        out += bytes([v & 127 | 128]); v >>= 7
    return out + bytes([v])
def field(n, v):
    return varint(n << 3) + varint(v) if isinstance(v, int) else varint(n << 3 | 2) + varint(len(v)) + v
def port(name, kind, dims):
    shape = b"".join(field(1, field(1, d)) for d in dims)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, shape)))
node = field(1, b"x") + field(1, b"shape") + field(2, b"y") + field(4, b"Reshape")
graph = field(1, node) + field(2, b"g") + field(11, port(b"x", 1, [6])) + field(11, port(b"shape", 7, [2])) + field(12, port(b"y", 1, []))
open("model.onnx", "wb").write(field(1, 8) + field(7, graph) + field(8, field(2, 13)))
END
expect 0 "y: f32[2, 3] =" "$mgc" run model.onnx --input x=1,2,3,4,5,6 --input shape=2,3
expect 0 "y: f32[3, 2] =" "$mgc" run model.onnx --input x=1,2,3,4,5,6 --input shape=3,-1
expect 3 "node 'y' (Reshape)" "$mgc" run model.onnx --input x=1,2,3,4,5,6 --input shape=random
expect 1 "6 elements into [4, 2]" "$mgc" run model.onnx --input x=1,2,3,4,5,6 --input shape=4,2
finish
