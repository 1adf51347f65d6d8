#!/usr/bin/env bash
# drawn.sh MGC LIBMG SOURCE_FOLDER: tests mg.jit on 500 drawn functions of numpy.
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
expect 0 "Ran 500 functions, 0 of them wrong" $python "$here/test_drawn.py"
expect 0 "Ran 150 functions, 0 of them wrong" $python "$here/test_drawn.py" 150 10000
expect 0 ", 0 of them wrong" $python "$here/test_functions.py"
finish
