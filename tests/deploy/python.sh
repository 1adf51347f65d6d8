#!/usr/bin/env bash
# python.sh MGC LIBMG SOURCE_FOLDER: tests the Python package with this build's libmg, and compares its layouts with the C
# compiler's.
source "$(dirname "$0")/../cli/lib.sh"
export MGC=$mgc MG_LIBRARY=$2 PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$3/python
python=""
for one in python3 /usr/bin/python3; do
    [ -n "$python" ] || { $one -c 'import numpy' 2> /dev/null && python=$one; }
done
if [ -z "$python" ]; then
    echo "SKIPPED: needs python3-numpy"
    exit 77
fi
cat > layout.py <<'END_OF_PYTHON'
import ctypes, sys
from mg import _library as c
names = {"ContextOptions": "MgContextOptions", "CompileOptions": "MgCompileOptions", "Given": "MgGiven", "PortInfo": "MgPortInfo", "Timing": "MgTiming"}
print('#include <mg.h>\n#include <stdio.h>\nint main(void) { int bad = 0;')
for python, name in names.items():
    struct = getattr(c, python)
    print(f'if (sizeof({name}) != {ctypes.sizeof(struct)}) bad += printf("{name}\\n");')
    for field, *_ in struct._fields_:
        print(f'if (offsetof({name}, {field}) != {getattr(struct, field).offset}) bad += printf("{name}.{field}\\n");')
print('return bad; }')
END_OF_PYTHON
expect 0 "" bash -c "$python layout.py > layout.c && ${CC:-cc} -I '$3/include' layout.c -o layout && ./layout"
$python "$here/test_aten.py" > log 2>&1 || { cat log; exit 1; }
$python "$here/test_jit.py" > log 2>&1 || { cat log; exit 1; }
$python "$here/test_masks.py" > log 2>&1 || { cat log; exit 1; }
$python "$here/test_grad.py" > log 2>&1 || { cat log; exit 1; }
$python "$here/test_python.py" > log 2>&1 || { cat log; exit 1; }
grep -E '^Ran [1-9]' log || { echo "no test ran"; exit 1; }
finish
