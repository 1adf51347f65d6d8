#!/usr/bin/env python3
"""figures.py FOLDER: checks that every figure of a machine on which a decision depends is in machines/, and that every figure
there is used.

It looks for every constant of an anonymous enum in the rooms below, and for every decimal number. Each must be a machine's
figure (a row of machines/figures.def or machines/tiles.def), or have a place in a list below, which says why no machine
changes it."""
import os
import re
import sys

ROOMS = ("passes", "backends")  # with all rooms inside them, but for the template of a backend
TEMPLATE = "backends/null"

# What arrays, memory, a kernel's code or the time to compile allow.
LIMITS = """
passes/affine.c MOST
passes/attention.h MG_ATTENTION_STEPS MG_ATTENTION_SYMBOLS MG_ATTENTION_PRODUCTS
passes/attention_steps.h MG_STEPS_VISITED
passes/fold.c MAX_ELEMENTS MAX_STEPS
passes/fuse.c MOST_NUMBERS
passes/fuse_group.c MAX_GROUP
passes/gather.c MOST_GROWTH MOST_ADDED
passes/gather.h MG_GATHER_INDICES
passes/inline.c MAX_RANK MAX_INDICES MAX_SIZE REPEATED_SIZE
passes/layouts.c MOST_CANDIDATES SWEEPS
passes/layouts.h MG_LAYOUT_AXES MG_LAYOUT_INDICES
passes/layouts_families.c MANY_PIECES
passes/merge.c MOST_BYTES MOST_PIECES
passes/merge.h MG_MERGE_PARTS MG_MERGE_STEPS MG_MERGE_JOINED
passes/merge_plan.h MG_MERGE_INDICES
passes/order_search.c WINDOW SMALL
passes/repeat.c MAX_MEMBERS MAX_INDICES
passes/siblings.c SMALL TIMES FARTHEST
passes/sink.c MAX_INDICES MAX_SIZE MAX_READERS SMALL
passes/split_axes.h MG_SPLIT_MOST
passes/taps.c MOST MOST_AXES MOST_GROUPS MOST_INDICES MOST_SUMS
passes/terms.c MOST_TERMS MOST_INDICES FIRST_BOUND BOUND_OF_DEPTH
passes/weigh_sums.c MOST
passes/nest/nest.h MG_MAX_DIGITS MG_MAX_AXES MG_MAX_WALKS MG_NEST_DEPTH MG_MOST_TOGETHER
passes/nest/nest_check_loops.c MOST_REGISTERS
passes/nest/nest_check_tile.c MOST_SIDE LEAST
passes/nest/nest_read.c MOST_WORDS
passes/schedule/attention/attention.c LITTLE
passes/schedule/attention/attention.h MG_ATTN_SYMS MG_ATTN_VECTORS MG_ATTN_TILE MG_ATTN_ACROSS
passes/schedule/attention/workers_nest.c MOST_KEYS MOST_ROWS
passes/schedule/contraction/winograd.h MG_WINO_MOST
passes/schedule/window/channels.c MOST_TAPS
passes/schedule/group/chosen.c MOST_PLACES
passes/schedule/group/columns.c MOST_AT_ONCE MOST_CHUNK
passes/schedule/contraction/contraction.h MG_GEMM_INDICES MG_GEMM_VECTORS MG_GEMM_APART
passes/schedule/contraction/choose.c MOST_KEPT
passes/schedule/contraction/emit.c STEPS
passes/schedule/contraction/given.c MOST
passes/schedule/contraction/pack.c SMALL
passes/schedule/contraction/prefetch.c MOST HIDE
passes/schedule/contraction/runs.c MAX_TAPS MAX_STEPS MOST
passes/schedule/contraction/tile.c DEEP MOST
passes/schedule/form.h MG_FORM_SYMS
passes/schedule/gpu/attention.c MAX_ROUNDS WIDEST MOST_ITEM_KEYS MOST_VECTORS
passes/schedule/gpu/attention.h MG_GPU_ATTN_JOINED
passes/schedule/gpu/attention_few.c MOST MOST_ROWS MOST_WIDTH MOST_ITEMS LEAST_ITEMS
passes/schedule/gpu/attention_parts.c MOST JOINED_ALONE
passes/schedule/gpu/attention_seen.c GROUPS
passes/schedule/gpu/attention_units.c WIDEST WIDEST_SPLIT MOST_KEYS SPLIT_KEYS OTHERS
passes/schedule/gpu/attention_units.h MG_UNITS_MOST_KEYS MG_UNITS_MOST_PARTS MG_UNITS_MOST_ROWS MG_UNITS_MOST_VECTORS MG_UNITS_SLOTS
passes/schedule/gpu/attention_wide.c WIDEST
passes/schedule/gpu/contraction.c LEAST_BLOCKS
passes/schedule/gpu/contraction_nest.c MOST_CODE
passes/schedule/gpu/pack.c MOST_PACKED BESIDE
passes/schedule/gpu/row.c MOST_PARTS MOST_SIDE
passes/schedule/gpu/row.h MG_ROWS_ROUNDS MG_ROWS_CACHED
passes/schedule/ordered/scatter_gpu.c MOST_SORTED MOST_SIDE
passes/schedule/gpu/tile.c MOST_ROWS
passes/schedule/gpu/tile.h MG_TILE_ROUNDS MG_TILE_SPLITS MG_TILE_OTHERS
passes/schedule/gpu/transpose.c MOST_READ MOST_TILES
passes/schedule/group/interleaved.c MAX_LANES
passes/schedule/kb.c FEW
passes/schedule/memo.c MAX_CALLS
passes/schedule/plan/owned.c MOST_BUFFERS
passes/schedule/plan/owned_cost.c MOST_BLOCK LEAST_ITEMS MOST_ITEMS
passes/schedule/plan/owned_emit.c MOST_UNROLL MAX_INDICES
passes/schedule/group/parts.c MOST LEAST_OPEN
passes/schedule/plan/persistent.c MOST_BUFFERS
passes/schedule/plan/place.c EFFORT MANY LOOKED_AT
passes/schedule/plan/place_apart.c LEFT REST
passes/schedule/plan/storage_place.c LINE LINES_OF_DEVICE
passes/schedule/riders.c MOST_BETWEEN
passes/schedule/ordered/scan.c MOST_PARTS
passes/schedule/precision.c MOST_WAYS
passes/schedule/ordered/scatter.c MOST_CHUNK
passes/schedule/group/transpose.h MG_TURNED_LANES
passes/schedule/plan/walk_cost.c MOST_UNITS
passes/schedule/window/window.h MG_WINDOW_STRIDE MG_WINDOW_LINE_LOADS
passes/schedule/window/plan.c MOST_TILE MOST_STEPS MOST_STAGE
passes/schedule/contraction/winograd.c MOST_LINE MOST_ROWS
passes/schedule/contraction/winograd.h MG_WINO_BATCH MG_WINO_VECTORS MG_WINO_PANEL
backends/cpu/emit.h MG_CPU_MOST_TERMS MG_CPU_PLACES
backends/cpu/emit_address.c MOST_NODES MOST_FACTORS TOGETHER
backends/cpu/emit_steps.c LONG
backends/cpu/hand_peak.h MG_PEAK_ACCUMULATORS MG_PEAK_LANES
backends/cpu/parts.c MOST PART_SIZE
backends/cuda/source.c MOST PART_BYTES
backends/nvptx/wide.c MOST_SUMS
backends/cuda/api.h MG_CU_NOT_INTERLEAVED MG_CU_PROMOTE_256 MG_CU_SWIZZLE_128 MG_CU_U8 MG_CU_U16 MG_CU_U32 MG_CU_TF32 MG_CU_ZEROS_OUTSIDE MG_CU_ERROR_LOG MG_CU_ERROR_LOG_SIZE MG_CU_EVENT_DEFAULT MG_CU_EVENT_UNTIMED MG_CU_INPUT_PTX MG_CU_INVALID_IMAGE MG_CU_INVALID_PTX MG_CU_INVALID_VALUE MG_CU_LOCAL_BYTES MG_CU_NOT_FOUND MG_CU_NO_DEVICE MG_CU_OUT_OF_MEMORY MG_CU_PCI_BUS MG_CU_PCI_DOMAIN MG_CU_PCI_SLOT MG_CU_POINTER_DEVICE MG_CU_STREAM_NON_BLOCKING
backends/cuda/boxes.h MG_CU_BOX_AXES MG_CU_BOX_PIXELS MG_CU_BOX_WORDS MG_CU_MOST_BOXES
backends/cuda/find.c MAX_DEVICES
backends/cuda/host.c ALIGNED LEAST
backends/cuda/program.c LOG
backends/cuda/ptx.c MOST_ARRAYS MOST_NAME
backends/cuda/ptx.h MG_CU_MOST_STATIC
backends/opencl/host/find.c MAX_PLATFORMS MAX_DEVICES
"""

# The code of a form is written for these sizes. With others it would be other code.
FORMS = """
passes/weigh.c LANES WIDEST BLOCK
passes/schedule/contraction/contraction.h MG_GEMM_OPEN_ROWS
passes/schedule/gpu/gpu.h MG_QUAD MG_GPU_SORT_ITEMS
passes/schedule/gpu/attention.c CHUNK PART
passes/schedule/gpu/attention.h MG_GPU_ATTN_ACROSS MG_GPU_ATTN_ROWS MG_GPU_ATTN_COLUMNS
passes/schedule/gpu/attention_few.c CHUNK VECTOR_BYTES
passes/schedule/gpu/attention_units.c WARPS STEP APART
passes/schedule/gpu/attention_units.h MG_UNITS_LINE
passes/schedule/gpu/attention_boxes.c LINE PIECE
passes/schedule/gpu/attention_wide.c KEYS
passes/schedule/gpu/contraction.c LINE_APART WORD BANKS_APART HIGH WIDE
passes/schedule/gpu/row_emit.c STEP
passes/schedule/gpu/sort.c SHORT LEAST_DIGIT MOST_DIGIT
passes/schedule/gpu/sort.h MG_SORT_MOST_EACH
passes/schedule/gpu/sort_long.c MOST_BINS TILES
passes/schedule/gpu/sort_tile.c MOST_COUNTS
passes/schedule/gpu/split.c PROMOTED
passes/schedule/gpu/tensor.c BANKS_APART
passes/schedule/gpu/tile.h MG_TILE_STEPS
passes/schedule/gpu/tile.h MG_EXCHANGED MG_PACK_LANES MG_WIDE_SLOTS
passes/schedule/gpu/wide.c AHEAD
passes/schedule/gpu/tile_cells.c EXCHANGE_PITCH
passes/schedule/gpu/transpose.c SIDE ITEMS PITCH
passes/schedule/group/nest.h MG_ROWS_AT_ONCE MG_GPU_MOST_LANES
passes/schedule/group/interleaved.c PHASES
passes/layouts_rows.c LINE PIECE
passes/schedule/kb.c BYTES
passes/schedule/plan/owned_workers.c ALIGN
passes/schedule/plan/persistent.c MEET_WORDS LOCAL_ALIGN
passes/schedule/plan/storage_parts.c PART_BYTES STEP_BYTES
passes/schedule/ordered/scan.h MG_SCAN_ITEMS MG_SCAN_LEAST_EACH MG_SCAN_MOST_EACH
passes/schedule/ordered/scan_gpu.c SIDE WHOLE_EACH
passes/schedule/ordered/scatter.c CHUNK
passes/schedule/schedule.h MG_SHARING_ITEMS
passes/schedule/stream.c RUN LEAST_BYTES
passes/schedule/group/transpose.h MG_LINES_SIDE MG_LINES_ALONG MG_LINES_DOWN
backends/cpu/emit_stmt.c SMALL
backends/nvptx/kernel.c PTX_KERNEL
"""

# How far a model is trusted, what an open size is taken for, and what rounding allows.
MODELS = """
passes/fuse_group.c UNKNOWN
passes/layouts.c WORTH
passes/layouts_rows.c WORTH
passes/taps.c WORTH
passes/min_cut.c 1e-9
passes/remat_profile.c 1e-5
passes/siblings.c LEAST_GAIN LEAST_GAIN_OF_COPIES
passes/terms.c 1e-12
passes/schedule/attention/attention.c ENOUGH
passes/schedule/contraction/choose.c MANY
passes/schedule/contraction/tile.c USUAL
passes/schedule/contraction/find.c MANY
passes/schedule/gpu/attention_few.c GROUPS
passes/schedule/gpu/attention_parts.c BLOCKS
passes/schedule/gpu/contraction.c MOST_CUT_OFF 0.999
passes/schedule/gpu/transpose.c UNKNOWN
passes/schedule/plan/owned_cost.c 4.0 16.0
passes/schedule/plan/persistent_cost.c 0.2
passes/schedule/rough.c LONG_SUM
passes/schedule/share.c TICKS_PER_NS TRIPS PARTS 4.0
passes/schedule/group/transpose_lines.c LEAST_TRIPS
"""

# Names of numbers: symbols, bits, words of a protocol, places of a picture.
NAMES = """
passes/layouts.h MG_LAYOUT_NONE
passes/schedule/attention/attention.h 1.4426950408889634
passes/merge_plan.h MG_MERGE_IN_STEP MG_MERGE_IN_JOINED
passes/schedule/attention/attention.h MG_ATTN_ROW MG_ATTN_KEY MG_ATTN_DEPTH MG_ATTN_COLUMN
passes/schedule/attention/attention.c INDEX
passes/schedule/window/channels.c NONE
passes/schedule/contraction/contraction.h MG_GEMM_M MG_GEMM_N MG_GEMM_K MG_GEMM_J
passes/schedule/contraction/words.c SIGN_BYTES
passes/schedule/form.c NUMBER
passes/schedule/gpu/row.h MG_ROWS_SYM
passes/schedule/group/parts.c PART
passes/schedule/schedule.h MG_EACH_LANE
passes/schedule/plan/skyline.c EMPTY MIXED
passes/schedule/window/window.h MG_WINDOW_TOP MG_WINDOW_ROW MG_WINDOW_COLUMN MG_WINDOW_NONE
backends/cpu/emit_address.c STRIDE LAST
backends/cpu/emit_stmt.c OPERANDS RESULTS
backends/cpu/emit_steps.c TIMED BARRIER ALONE SITE_SHIFT KERNEL_SHIFT SLOT_SHIFT MADE_SHIFT ARRAY_SHIFT PORTS WEIGHTS CONSTANTS ARENA
backends/opencl/host/find.c NV_COMPUTE_MAJOR NV_COMPUTE_MINOR NV_WARP_SIZE NV_PCI_BUS NV_PCI_SLOT NV_PCI_DOMAIN AMD_WAVEFRONT_WIDTH
"""

# Halves and wholes, powers of ten between units, and what is larger than any time.
PLAIN = {"0.", "0.5", "1.", "1.0", "2.", "2.0", "100.0", "1024.0", "1e-3", "1e6", "1e9", "1e12", "1e18", "1e30", "1e300"}

ENUM = re.compile(r"\benum \{([^}]*)\}")
CONSTANT = re.compile(r"\s*(\w+)\s*=(.*)", re.S)
DECIMAL = re.compile(r"(?<![\w.])(?:\d+\.\d*(?:e[-+]?\d+)?|\d+e[-+]?\d+)(?!\w)")
USE = re.compile(r"(?:->|\.|MG_FIG_|mg_figure\([^;]*?, )(\w+)\b")
DOT = re.compile(r"^MG_DOT\(\w+, (\w+),", re.M)
FIGURE = re.compile(r"^MG_FIGURE\((\w+)", re.M)


def known():
    places = set()
    for line in (LIMITS + FORMS + MODELS + NAMES).split("\n"):
        file, *names = line.split() or [None]
        places.update((file, name) for name in names)
    return places


def constants(text):
    for body in ENUM.findall(text):
        for constant in map(CONSTANT.match, body.split(",")):
            if constant and re.search(r"\d", constant[2]):
                yield constant[1]


def sources(root, room):
    for folder, _, files in os.walk(os.path.join(root, room)):
        inside = os.path.relpath(folder, root)
        if inside != TEMPLATE:
            yield from (f"{inside}/{file}" for file in sorted(files) if file.endswith((".c", ".h")))


def main(root):
    places, seen, wrong, all_code = known(), set(), [], []
    for room in ROOMS:
        for path in sources(root, room):
            with open(os.path.join(root, path), encoding="utf-8") as source:
                code = re.sub(r"//[^\n]*", "", source.read())
            all_code.append(code)
            found = set(constants(code))
            found |= set(DECIMAL.findall(re.sub(r'"(?:\\.|[^"\\])*"', '""', code))) - PLAIN
            seen |= {(path, name) for name in found}
    for path, name in sorted(seen - places):
        wrong.append(f"{path}: {name}: is it a machine's? Then machines/figures.def has it; else put it into tests/figures.py")
    for path, name in sorted(places - seen):
        wrong.append(f"tests/figures.py: {path} has no {name}")
    for folder in ("tools", "runtime", "ir"):
        for file in os.listdir(os.path.join(root, folder)):
            if file.endswith((".c", ".h")):
                with open(os.path.join(root, folder, file), encoding="utf-8") as source:
                    all_code.append(source.read())
    used = set(USE.findall("\n".join(all_code)))
    with open(os.path.join(root, "lang/dots.def"), encoding="utf-8") as dots:
        used |= set(DOT.findall(dots.read()))
    with open(os.path.join(root, "machines/figures.def"), encoding="utf-8") as figures:
        names = FIGURE.findall(figures.read())
    wrong += [f"machines/figures.def: nothing uses '{name}'" for name in names if name not in used]
    if len(names) < 100 or len(seen) < 100:
        wrong.append("the figures or the constants were not found")
    print("\n".join(wrong) or f"{len(names)} figures; {len(seen)} constants of no machine")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..")))
