#!/usr/bin/env bash
# cuda.sh MGC LIBMG SOURCE_FOLDER OTHER_CUDA FAILING_OPENCL: tests arrays on a CUDA device with the Python package, over a driver that
# computes nothing, with this machine's OpenCL as its compiler.
source "$(dirname "$0")/../cli/lib.sh"
export MG_LIBRARY=$2 PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$3/python POCL_CACHE_DIR=$work/pocl MG_PCI=7
python=""
for one in ${MG_TORCH:-} python3 /usr/bin/python3; do
    [ -n "$python" ] || { $one -c 'import numpy' 2> /dev/null && python=$one; }
done
MG_REAL_OPENCL=$(ldconfig -p | awk '/libOpenCL\.so\.1 .*x86-64/ { print $NF; exit }')
export MG_REAL_OPENCL
if [ -z "$python" ] || [ -z "$MG_REAL_OPENCL" ] || ! "$mgc" devices > /dev/null 2>&1; then
    echo "SKIPPED: needs numpy and a device of OpenCL"
    exit 77
fi
mkdir pocl fake
cp "$4" fake/libcuda.so.1
cp "$5" fake/libOpenCL.so.1
LD_LIBRARY_PATH=$work/fake $python "$here/test_cuda.py" > log 2>&1 || { cat log; exit 1; }
grep -E '^(skipped:|Ran [1-9])' log || { echo "no test ran"; exit 1; }
finish
