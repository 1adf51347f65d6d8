#!/usr/bin/env bash
# gpt2.sh MGC LIBMG SOURCE_FOLDER: runs the commands of examples/gpt2/README.md with this build, and tests the example.
source "$(dirname "$0")/../cli/lib.sh"
export MG_LIBRARY=$2 PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$3/python
source=$3
python=""
for one in python3 /usr/bin/python3; do
    [ -n "$python" ] || { $one -c 'import numpy' 2> /dev/null && python=$one; }
done
if [ -z "$python" ]; then
    echo "SKIPPED: needs python3-numpy"
    exit 77
fi
# The README's commands find mgc, pkg-config and Python with numpy here.
mkdir bin
ln -s "$mgc" bin/mgc
printf '#!/bin/sh\necho "-I%s/include -L%s -lmg -Wl,-rpath,%s"\n' "$source" "$(dirname "$2")" "$(dirname "$2")" > bin/pkg-config
printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v $python)" > bin/python3
chmod +x bin/*
export PATH=$work/bin:$PATH
cp -r "$source/examples/gpt2" gpt2
cd gpt2 || exit 1

# Each indented line of the README is a command, or what the command before it prints.
sed -n 's/^    //p' README.md > lines
grep -E '^(cc|mgc|\./)' lines | grep -v small > commands # GPT-2 small would take minutes
[ "$(wc -l < commands)" -ge 4 ] || fail "the README has only these commands: $(cat commands)"
while read -r command; do
    expect 0 '' bash -c "$command"
    grep -vxFf lines "$work/out" > more
    [[ $command = mgc* ]] || [ ! -s more ] || fail "$command prints what the README doesn't have: $(cat more)"
done < commands
expect 0 'the same' bash -c "mgc weights tiny.mg --graph=step --weights=random:1 -o step.safetensors && cmp step.safetensors tiny.safetensors && echo the same"

# A file of another net is refused, with the names and shapes of what differs; so is one that is none.
sed 's/97/98/g; s/layers = 2/layers = 3/; s/\[2, 3, 32, 8\]/[3, 3, 32, 8]/g' tiny.mg > other.mg
for command in ./generate "python3 generate.py"; do
    expect 1 "'wte.weight' is f32[97, 24] in" $command other.mg 1
    expect 1 "has no tensor 'h.2.ln_1.weight' (f32[24])" $command other.mg 1
    expect 1 "has no tensor 'h.2.mlp.c_proj.weight' (f32[96, 24])" $command other.mg 1
done
expect 1 'tokens after a prompt of 3: the model has' ./generate --count=9223372036854775807 tiny.mg 3 5 96
cp tiny.safetensors kept
head -c 1000 kept > tiny.safetensors
expect 1 'tiny.safetensors' ./generate tiny.mg 1
cp kept tiny.safetensors

# With a tokenizer the prompt and the result are text.
expect 1 'generate.py: --tokenizer needs the package `tokenizers`' env PYTHONPATH="$work/none:$PYTHONPATH" bash -c \
    "mkdir -p $work/none && echo 'raise ImportError' > $work/none/tokenizers.py && python3 generate.py --tokenizer=t.json tiny.mg hello"
mkdir -p "$work/fake" && cat > "$work/fake/tokenizers.py" <<'EOF'
class Encoding:
    def __init__(self, ids): self.ids = ids
class Tokenizer:  # a token for each printable character
    @staticmethod
    def from_file(path):
        open(path).close()
        return Tokenizer()
    def encode(self, text): return Encoding([ord(c) - 32 for c in text])
    def decode(self, ids): return "".join(chr(i + 32) for i in ids)
EOF
PYTHONPATH=$work/fake:$PYTHONPATH expect 1 'generate.py: none.json is no tokenizer' python3 generate.py --tokenizer=none.json tiny.mg hello
: > some.json
PYTHONPATH=$work/fake:$PYTHONPATH expect 0 'hello you' python3 generate.py --tokenizer=some.json tiny.mg hello you
[ "$(wc -m < "$work/out")" = 30 ] || fail "not 20 characters after the prompt: $(cat "$work/out")"

expect 0 OK bash -c "$python '$source/tests/deploy/test_gpt2.py' ./generate . 2>&1"

# The same tokens on a device, if there is one.
if "$mgc" devices > /dev/null 2>&1; then
    ./generate --count=3 --top-k=9 tiny.mg 3 5 96 > cpu
    expect 0 "$(cat cpu)" ./generate --count=3 --top-k=9 --target=gpu tiny.mg 3 5 96
fi
finish
