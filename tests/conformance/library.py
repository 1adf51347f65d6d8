#!/usr/bin/env python3
"""library.py MGC CASE...: tests models as libraries that C calls.

For each case, a folder as `mgc test` takes it, mgc builds a library of model.onnx. A C program, written from the
library's header, runs it on the inputs of each data set; its outputs are compared with the expected ones. A CASE may be
zoo:NAME, a folder of $MG_ZOO. The exit status is 77 (skipped) if a folder does not exist."""
import os, re, subprocess, sys, tempfile
import numpy as np

TYPES = {"f32": "f4", "f64": "f8", "f16": "f2", "i64": "i8", "i32": "i4", "i8": "i1", "u8": "u1", "bool": "?"}


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def tensor(path):
    """Returns the dimensions and raw bytes of a TensorProto."""
    data, at, dims, raw = open(path, "rb").read(), 0, [], None
    while at < len(data):
        key, at = varint(data, at)
        value, at = varint(data, at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
        if key == 1 << 3:
            dims.append(value)
        elif key == 1 << 3 | 2:
            place = 0
            while place < len(value):
                size, place = varint(value, place)
                dims.append(size)
        elif key == 9 << 3 | 2:
            raw = value
    assert raw is not None, f"{path} has no raw data"
    return dims, raw


def ports(header, kind):
    """Returns (name, C type, element type, shape's text) of each input or output."""
    body = re.search(r"typedef struct \w+_%s \{\n(.*?)\n\}" % kind, header, re.S).group(1)
    return [m.groups() for m in re.finditer(r"(?:const )?(\w+) \*(\w+); // (\w+)\[(.*)\]", body)]


PROGRAM = """#include "%(header)s"
#include <stdio.h>
#include <stdlib.h>
static void *data(const char *name, size_t bytes) {
    void *at = calloc(1, bytes + 1);
    FILE *file = fopen(name, "rb");
    if (!at || !file || fread(at, 1, bytes, file) != bytes) exit(10);
    fclose(file);
    return at;
}
static void put(const char *name, const void *at, size_t bytes) {
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(at, 1, bytes, file) != bytes || fclose(file)) exit(11);
}
int main(void) {
    %(net)s_instance net;
    %(sizes)s
    %(net)s_dims dims;
    int code = %(net)s_open(&net);
    if (!code) code = %(net)s_bind(&net, %(given)s, NULL, 0);
    if (!code) {
        %(net)s_shapes(%(given)s, &dims);
        %(net)s_inputs inputs = {%(inputs)s};
        %(net)s_outputs outputs = {%(outputs)s};
        code = %(net)s_run(&net, &inputs, &outputs);
        %(net)s_shapes(&net.sizes, &dims);
        %(puts)s
    }
    if (code) fprintf(stderr, "%%s\\n", %(net)s_message(code));
    %(net)s_close(&net);
    return code != 0;
}
"""


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}")


def program(header, folder):
    """Returns a C program for the inputs of a data set, whose raw bytes it reads from in0, in1, ..."""
    net = re.search(r"typedef struct (\w+)_instance", header).group(1)
    inputs, outputs = ports(header, "inputs"), ports(header, "outputs")
    sizes = {}
    for k, (_, _, _, shape) in enumerate(inputs):
        dims, raw = tensor(f"{folder}/input_{k}.pb")
        open(f"in{k}", "wb").write(raw)
        names = [n for n in shape.split(", ") if n]
        if not names and dims == [1]:
            dims = []  # some data sets give a number as a tensor of one element
        assert len(names) == len(dims), f"input {k} has the shape {dims}, not [{shape}]"
        sizes.update((n, d) for n, d in zip(names, dims) if re.fullmatch(r"[A-Za-z_]\w*", n))

    def count(name, c, shape):
        rank = len([n for n in shape.split(", ") if n])
        return " * ".join([f"sizeof({c})"] + [f"(size_t)dims.{name}[{k}]" for k in range(rank)])

    return PROGRAM % {
        "header": "net.h", "net": net, "given": "&sizes" if sizes else "NULL",
        "sizes": f"{net}_sizes sizes = {{{', '.join(f'.{n} = {d}' for n, d in sizes.items())}}};" if sizes else "",
        "inputs": ", ".join(f'.{n} = data("in{k}", {count(n, c, s)})' for k, (c, n, _, s) in enumerate(inputs)),
        "outputs": ", ".join(f".{n} = calloc(1, {count(n, c, s)} + 1)" for c, n, _, s in outputs),
        "puts": " ".join(f'put("out{k}", outputs.{n}, {count(n, c, s)});' for k, (c, n, _, s) in enumerate(outputs)),
    }, outputs


def check(mgc, case):
    run([mgc, f"{case}/model.onnx", "-o", "net.so"])
    header, sets = open("net.h").read(), 0
    for folder in sorted(f.path for f in os.scandir(case) if f.name.startswith("test_data_set_")):
        text, outputs = program(header, folder)
        open("main.c", "w").write(text)
        run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "main.c", "./net.so", "-o", "main"])
        run(["./main"])
        for k, (_, name, dtype, _) in enumerate(outputs):
            dims, raw = tensor(f"{folder}/output_{k}.pb")
            want = np.frombuffer(raw, TYPES[dtype]).reshape(dims).astype("f8")
            got = np.fromfile(f"out{k}", TYPES[dtype]).astype("f8")
            assert got.size == want.size, f"{case}: {name} has {got.size} elements, not {want.size}"
            most = 1e-2 if dtype == "f16" else 1e-3
            np.testing.assert_allclose(got.reshape(dims), want, most, most, err_msg=f"{case}: {name}")
        sets += 1
    assert sets, f"{case} has no data sets"
    print(f"{os.path.basename(case)}: {sets} sets")


def main():
    mgc, cases = os.path.abspath(sys.argv[1]), []
    for case in sys.argv[2:]:
        if case.startswith("zoo:"):
            case = os.path.join(os.environ.get("MG_ZOO", "/nonexistent"), case[4:])
        if not os.path.isdir(case):
            print(f"skipped: there is no folder '{case}'")
            sys.exit(77)
        cases.append(os.path.abspath(case))
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        os.environ["MG_CACHE_DIR"] = work + "/cache"
        for case in cases:
            check(mgc, case)


if __name__ == "__main__":
    main()
