#!/usr/bin/env python3
"""Compares real nets, which $MG_ZOO has in ONNX's layout (nets/NAME/model.onnx and test_data_set_0), with the faster of ONNX Runtime and OpenVINO.

    zoo.py [--level=N] [--threads=N] [--march=CPU] [NET…]

Every contender reads the same model and inputs. Their outputs are compared before anything is timed.
"""
import glob, os, sys

import peers
try:
    import numpy as np, onnx, onnxruntime as ort, openvino as ov
except ImportError as e:
    peers.absent("zoo", e)
import mg

FOLDER = os.path.join(os.environ.get("MG_ZOO", ""), "nets")


def runtime(path, threads):
    """Returns a run of ONNX Runtime, whose inputs and outputs are bound once, the inputs of the first test, and the outputs."""
    options = ort.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads, options.log_severity_level = threads, 1, 3
    session = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    data, inputs = os.path.join(os.path.dirname(path), "test_data_set_0"), []
    for i, port in enumerate(session.get_inputs()):
        x = onnx.numpy_helper.to_array(onnx.load_tensor(os.path.join(data, f"input_{i}.pb")))
        x = x.astype(np.float16) if port.type == "tensor(float16)" else x
        inputs.append(x if port.shape else x.reshape(()))  # the data may give a scalar an axis
    binding, outputs = session.io_binding(), session.run(None, {port.name: x for port, x in zip(session.get_inputs(), inputs)})
    for port, x in zip(session.get_inputs(), inputs):
        binding.bind_ortvalue_input(port.name, ort.OrtValue.ortvalue_from_numpy(x))
    for port, x in zip(session.get_outputs(), outputs):
        binding.bind_ortvalue_output(port.name, ort.OrtValue.ortvalue_from_numpy(x))
    return lambda: session.run_with_iobinding(binding), inputs, outputs


def openvino(path, inputs, threads):
    """Returns a run of OpenVINO in f32, whose inputs are set once. None if it refuses the model."""
    try:
        core = ov.Core()
        model = core.read_model(path)
        model.reshape({port: x.shape for port, x in zip(model.inputs, inputs)})
        settings = {"INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1, "INFERENCE_PRECISION_HINT": "f32", "ENABLE_CPU_PINNING": False}
        request = core.compile_model(model, "CPU", settings).create_infer_request()
        for i, x in enumerate(inputs):
            request.set_input_tensor(i, ov.Tensor(x))
        request.infer()
        return request.infer, [request.get_output_tensor(i).data.copy() for i in range(len(model.outputs))]
    except RuntimeError as e:
        print(f"zoo: OpenVINO refuses {path}: {str(e).splitlines()[0]}", file=sys.stderr)
        return None


def check(who, expected, got):
    for x, y in zip(expected, got):
        x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
        if not np.allclose(y, x, rtol=0, atol=5e-3 * max(np.abs(x).max(initial=0), 1e-30), equal_nan=True):
            sys.exit(f"zoo: {who}: results differ by {np.abs(x - y).max()} of {np.abs(x).max()}")


def one(name, level, threads, _):
    path = os.path.join(FOLDER, name, "model.onnx")
    theirs, inputs, expected = runtime(path, threads)
    mine = mg.Net(path, inputs, threads, level)
    check(f"{name}, MG", expected, [mine.output(i, x.shape, x.dtype) for i, x in enumerate(expected)])
    contenders, other = {"ONNX Runtime " + ort.__version__: theirs}, openvino(path, inputs, threads)
    if other:
        check(f"{name}, OpenVINO", expected, other[1])
        contenders["OpenVINO " + ov.__version__.split("-")[0]] = other[0]
    return mg.compare_best("zoo", name, mine.run, contenders, threads, seconds=0.1)


def main():
    folders = sorted(glob.glob(os.path.join(FOLDER, "*", "")))
    if not folders:
        print("zoo: MG_ZOO names no folder with nets/NAME/model.onnx", file=sys.stderr)
        sys.exit(peers.NOT_RUN)
    names = [os.path.basename(os.path.dirname(folder)) for folder in folders]
    mg.run("zoo", (((name,), name) for name in names), one)


if __name__ == "__main__":
    main()
