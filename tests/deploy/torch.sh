#!/usr/bin/env bash
# torch.sh MGC LIBMG SOURCE_FOLDER: tests mg.torch with the Python that MG_TORCH names, or with the first that has PyTorch.
source "$(dirname "$0")/../cli/lib.sh"
export MGC=$mgc MG_LIBRARY=$2 PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$3/python HF_HUB_OFFLINE=1
python=""
for one in ${MG_TORCH:-python3 /usr/bin/python3}; do
    [ -n "$python" ] || { $one -c 'import torch' 2> /dev/null && python=$one; }
done
if [ -z "$python" ]; then
    echo "SKIPPED: needs a Python with PyTorch; MG_TORCH may name one"
    exit 77
fi
$python "$here/test_torch.py" > log 2>&1 || { cat log; exit 1; }
grep -E '^(skipped:|Ran [1-9])' log || { echo "no test ran"; exit 1; }
finish
