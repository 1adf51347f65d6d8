; The functions that a library exports for one graph. They are LLVM IR because mgc runs without a C
; compiler. backends/cpu/library.c replaces the words that begin with a dollar. The layout of
; $NAME.net is the header's (runtime/library_header.c); $IMAGE_… and $CALL_… are offsets of fields of
; image/image.h. Only instances are ever written to, so any number of them may run at a time.

; an image, the addresses of its weights (none if they are in a separate file), their offsets in
; that file, the sizes that it is for, and the graph's dimensions that it leaves open
%form = type { ptr, ptr, ptr, ptr, ptr }
; sizes, bytes of arena, parallel, user, workers, workers of this run, ticks |
; form, owned arena, weights, opened, call, ports, dims, slots, separate weights
%$NAME.net = type { [$DIMS x i64], i64, ptr, ptr, i32, i32, ptr, ptr, ptr, ptr, i64, [$CALL_BYTES x i8], [$PORTS x ptr], [$DIMS x i64], [$SLOTS x i64], [$WEIGHT_SLOTS x ptr] }

$DECLARATIONS
@$NAME.forms = private unnamed_addr constant [$FORMS x %form] [$FORM_ROWS]
@$NAME.codes = private unnamed_addr constant [$CODES x ptr] [$CODE_ROWS]
$CODE_TEXTS
@$NAME.unknown = private unnamed_addr constant [19 x i8] c"unknown error code\00"
@$NAME.file = private unnamed_addr constant [$HEADER_BYTES x i8] $HEADER

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i32 @memcmp(ptr, ptr, i64)
declare noalias ptr @aligned_alloc(i64, i64)
declare void @free(ptr)
declare void @$NAME.shapes_of(ptr, ptr)
declare void @$NAME.bounds_of(ptr, ptr)

define i64 @$NAME_hash() nounwind {
  ret i64 $HASH
}

; Whether the file's header is the one that the offsets were made for.
define internal i1 @$NAME.fits(ptr %file, i64 %bytes) nounwind {
  %given = icmp ne ptr %file, null
  %whole = icmp eq i64 %bytes, $FILE_BYTES
  %both = and i1 %given, %whole
  br i1 %both, label %compare, label %no
compare:
  %difference = call i32 @memcmp(ptr %file, ptr @$NAME.file, i64 $HEADER_BYTES)
  %same = icmp eq i32 %difference, 0
  ret i1 %same
no:
  ret i1 false
}

define i32 @$NAME_open_checked(ptr %net, i64 %hash, ptr %file, i64 %bytes) nounwind {
  %absent = icmp eq ptr %net, null
  br i1 %absent, label %missing, label %clear
missing:
  ret i32 $MISSING
clear:
  call void @llvm.memset.p0.i64(ptr %net, i8 0, i64 ptrtoint (ptr getelementptr (%$NAME.net, ptr null, i32 1) to i64), i1 false)
  %same = icmp eq i64 %hash, $HASH
  br i1 %same, label %weights, label %mismatch
weights:
  br i1 $BESIDE, label %check, label %good
check:
  %fits = call i1 @$NAME.fits(ptr %file, i64 %bytes)
  br i1 %fits, label %good, label %wrong
good:
  %weights.at = getelementptr %$NAME.net, ptr %net, i32 0, i32 9
  store ptr %file, ptr %weights.at
  %opened = getelementptr %$NAME.net, ptr %net, i32 0, i32 10
  store i64 $HASH, ptr %opened
  ret i32 $OK
mismatch:
  ret i32 $MISMATCH
wrong:
  ret i32 $WEIGHTS
}

define internal void @$NAME.free(ptr %net) nounwind {
  %owned.at = getelementptr %$NAME.net, ptr %net, i32 0, i32 8
  %owned = load ptr, ptr %owned.at
  call void @free(ptr %owned)
  store ptr null, ptr %owned.at
  ret void
}

define void @$NAME_close(ptr %net) nounwind {
  %absent = icmp eq ptr %net, null
  br i1 %absent, label %end, label %close
end:
  ret void
close:
  call void @$NAME.free(ptr %net)
  call void @llvm.memset.p0.i64(ptr %net, i8 0, i64 ptrtoint (ptr getelementptr (%$NAME.net, ptr null, i32 1) to i64), i1 false)
  ret void
}

; Fills in dims: the first $GIVEN from sizes, -1 for those that data decide. False if one is
; no valid size.
define internal i1 @$NAME.take(ptr %sizes, ptr %dims) nounwind {
entry:
  call void @llvm.memset.p0.i64(ptr %dims, i8 -1, i64 $DIM_BYTES, i1 false)
  br label %test
test:
  %i = phi i64 [ 0, %entry ], [ %next, %copy ]
  %more = icmp ult i64 %i, $GIVEN
  br i1 %more, label %copy, label %good
copy:
  %from = getelementptr i64, ptr %sizes, i64 %i
  %size = load i64, ptr %from
  %to = getelementptr i64, ptr %dims, i64 %i
  store i64 %size, ptr %to
  %next = add i64 %i, 1
  %fits = icmp ult i64 %size, 1099511627776
  br i1 %fits, label %test, label %bad
good:
  ret i1 true
bad:
  ret i1 false
}

; The number of the first form that fits these dims. The last one always fits.
define internal i32 @$NAME.choose(ptr %dims) nounwind {
entry:
  br label %form
form:
  %f = phi i32 [ 0, %entry ], [ %f.next, %other ]
  %set.at = getelementptr [$FORMS x %form], ptr @$NAME.forms, i32 0, i32 %f, i32 3
  %set = load ptr, ptr %set.at
  br label %dim
dim:
  %d = phi i64 [ 0, %form ], [ %d.next, %fits ]
  %done = icmp eq i64 %d, $GIVEN
  br i1 %done, label %found, label %compare
compare:
  %want.at = getelementptr i64, ptr %set, i64 %d
  %want = load i64, ptr %want.at
  %have.at = getelementptr i64, ptr %dims, i64 %d
  %have = load i64, ptr %have.at
  %any = icmp slt i64 %want, 0
  %same = icmp eq i64 %want, %have
  %ok = or i1 %any, %same
  br i1 %ok, label %fits, label %other
fits:
  %d.next = add i64 %d, 1
  br label %dim
other:
  %f.next = add i32 %f, 1
  br label %form
found:
  ret i32 %f
}

; Copies the graph's dimensions to a form's own, or back.
define internal void @$NAME.spread(ptr %form, ptr %sizes, ptr %dims, i1 %back) nounwind {
entry:
  %image = load ptr, ptr %form
  %n.at = getelementptr i8, ptr %image, i64 $IMAGE_N_DIMS
  %n = load i32, ptr %n.at
  %map.at = getelementptr %form, ptr %form, i32 0, i32 4
  %map = load ptr, ptr %map.at
  br label %test
test:
  %i = phi i32 [ 0, %entry ], [ %next, %copy ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %copy, label %end
copy:
  %which.at = getelementptr i32, ptr %map, i32 %i
  %which = load i32, ptr %which.at
  %size.at = getelementptr i64, ptr %sizes, i32 %which
  %dim.at = getelementptr i64, ptr %dims, i32 %i
  %from = select i1 %back, ptr %dim.at, ptr %size.at
  %to = select i1 %back, ptr %size.at, ptr %dim.at
  %value = load i64, ptr %from
  store i64 %value, ptr %to
  %next = add i32 %i, 1
  br label %test
end:
  ret void
}

; Computes the slots for these sizes. Returns 0, or the code of the requirement that failed.
define internal i32 @$NAME.place(i32 %f, ptr %sizes, ptr %dims, ptr %slots) nounwind {
  %form = getelementptr [$FORMS x %form], ptr @$NAME.forms, i32 0, i32 %f
  call void @$NAME.spread(ptr %form, ptr %sizes, ptr %dims, i1 false)
  %image.at = getelementptr [$FORMS x %form], ptr @$NAME.forms, i32 0, i32 %f, i32 0
  %image = load ptr, ptr %image.at
  %bind.at = getelementptr i8, ptr %image, i64 $IMAGE_BIND
  %bind = load ptr, ptr %bind.at
  %failed = call i32 %bind(ptr %dims, ptr %slots)
  %fine = icmp eq i32 %failed, 0
  %number = add i32 %f, 1
  %high = shl i32 %number, 24
  %code = or i32 %high, %failed
  %result = select i1 %fine, i32 $OK, i32 %code
  ret i32 %result
}

define i32 @$NAME_arena(ptr %sizes, ptr %bytes) nounwind {
  %given = alloca [$DIMS x i64]
  %dims = alloca [$DIMS x i64]
  %slots = alloca [$SLOTS x i64]
  %sizeless = icmp eq ptr %sizes, null
  %absent = and i1 %sizeless, $NEEDS_GIVEN
  %nowhere = icmp eq ptr %bytes, null
  %wrong = or i1 %absent, %nowhere
  br i1 %wrong, label %missing, label %take
missing:
  ret i32 $MISSING
take:
  %taken = call i1 @$NAME.take(ptr %sizes, ptr %given)
  br i1 %taken, label %place, label %bad
place:
  %f = call i32 @$NAME.choose(ptr %given)
  %code = call i32 @$NAME.place(i32 %f, ptr %given, ptr %dims, ptr %slots)
  %need = load i64, ptr %slots
  store i64 %need, ptr %bytes
  %huge = icmp slt i64 %need, 0
  %fine = icmp eq i32 %code, 0
  %both = and i1 %huge, %fine
  br i1 %both, label %bad, label %end
end:
  ret i32 %code
bad:
  ret i32 $SIZES
}

; Takes the caller's arena, or allocates one. Returns the code, and the address through %at.
define internal i32 @$NAME.settle(ptr %net, i64 %need, ptr %arena, i64 %bytes, ptr %at) nounwind {
  %none = icmp eq ptr %arena, null
  br i1 %none, label %make, label %given
given:
  %address = ptrtoint ptr %arena to i64
  %low = and i64 %address, 63
  %straight = icmp eq i64 %low, 0
  %room = icmp uge i64 %bytes, %need
  %good = and i1 %straight, %room
  store ptr %arena, ptr %at
  %code = select i1 %good, i32 $OK, i32 $ARENA
  ret i32 %code
make:
  %more = add i64 %need, 127
  %whole = and i64 %more, -64
  %own = call ptr @aligned_alloc(i64 64, i64 %whole)
  %owned.at = getelementptr %$NAME.net, ptr %net, i32 0, i32 8
  store ptr %own, ptr %owned.at
  store ptr %own, ptr %at
  %failed = icmp eq ptr %own, null
  %made = select i1 %failed, i32 $MEMORY, i32 $OK
  ret i32 %made
}

; Sets the weights of a form: those in the object, or at their offsets in the caller's bytes.
define internal ptr @$NAME.weigh(ptr %net, i32 %f) nounwind {
entry:
  %inside.at = getelementptr [$FORMS x %form], ptr @$NAME.forms, i32 0, i32 %f, i32 1
  %inside = load ptr, ptr %inside.at
  br i1 $BESIDE, label %beside, label %end
end:
  ret ptr %inside
beside:
  %base.at = getelementptr %$NAME.net, ptr %net, i32 0, i32 9
  %base = load ptr, ptr %base.at
  %offsets.at = getelementptr [$FORMS x %form], ptr @$NAME.forms, i32 0, i32 %f, i32 2
  %offsets = load ptr, ptr %offsets.at
  %image.at = getelementptr [$FORMS x %form], ptr @$NAME.forms, i32 0, i32 %f, i32 0
  %image = load ptr, ptr %image.at
  %n.at = getelementptr i8, ptr %image, i64 $IMAGE_N_WEIGHTS
  %n = load i32, ptr %n.at
  br label %test
test:
  %i = phi i32 [ 0, %beside ], [ %next, %fill ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %fill, label %filled
fill:
  %offset.at = getelementptr i64, ptr %offsets, i32 %i
  %offset = load i64, ptr %offset.at
  %weight = getelementptr i8, ptr %base, i64 %offset
  %to = getelementptr %$NAME.net, ptr %net, i32 0, i32 15, i32 %i
  store ptr %weight, ptr %to
  %next = add i32 %i, 1
  br label %test
filled:
  %all = getelementptr %$NAME.net, ptr %net, i32 0, i32 15
  ret ptr %all
}

define internal void @$NAME.fill(ptr %net, i32 %f, ptr %arena) nounwind {
  %form = getelementptr [$FORMS x %form], ptr @$NAME.forms, i32 0, i32 %f
  %image = load ptr, ptr %form
  %call = getelementptr %$NAME.net, ptr %net, i32 0, i32 11
  call void @llvm.memset.p0.i64(ptr %call, i8 0, i64 $CALL_BYTES, i1 false)
  %ports = getelementptr %$NAME.net, ptr %net, i32 0, i32 12
  store ptr %ports, ptr %call
  %weights = call ptr @$NAME.weigh(ptr %net, i32 %f)
  %weights.at = getelementptr i8, ptr %call, i64 $CALL_WEIGHTS
  store ptr %weights, ptr %weights.at
  %constants.from = getelementptr i8, ptr %image, i64 $IMAGE_CONSTANTS
  %constants = load ptr, ptr %constants.from
  %constants.at = getelementptr i8, ptr %call, i64 $CALL_CONSTANTS
  store ptr %constants, ptr %constants.at
  %arena.at = getelementptr i8, ptr %call, i64 $CALL_ARENA
  store ptr %arena, ptr %arena.at
  %dims = getelementptr %$NAME.net, ptr %net, i32 0, i32 13
  %dims.at = getelementptr i8, ptr %call, i64 $CALL_DIMS
  store ptr %dims, ptr %dims.at
  %slots = getelementptr %$NAME.net, ptr %net, i32 0, i32 14
  %slots.at = getelementptr i8, ptr %call, i64 $CALL_SLOTS
  store ptr %slots, ptr %slots.at
  %repeat.at = getelementptr i8, ptr %call, i64 $CALL_REPEAT
  store i32 1, ptr %repeat.at
  call void @$NAME.bounds_of(ptr %net, ptr %net)
  %form.at = getelementptr %$NAME.net, ptr %net, i32 0, i32 7
  store ptr %form, ptr %form.at
  ret void
}

define i32 @$NAME_bind(ptr %net, ptr %sizes, ptr %arena, i64 %bytes) nounwind {
  %at = alloca ptr
  %sizeless = icmp eq ptr %sizes, null
  %absent = and i1 %sizeless, $NEEDS_GIVEN
  %netless = icmp eq ptr %net, null
  %wrong = or i1 %absent, %netless
  br i1 %wrong, label %missing, label %look
missing:
  ret i32 $MISSING
look:
  %opened.at = getelementptr %$NAME.net, ptr %net, i32 0, i32 10
  %opened = load i64, ptr %opened.at
  %open = icmp eq i64 %opened, $HASH
  br i1 %open, label %take, label %closed
take:
  %form.at = getelementptr %$NAME.net, ptr %net, i32 0, i32 7
  store ptr null, ptr %form.at
  call void @$NAME.free(ptr %net)
  %dims = getelementptr %$NAME.net, ptr %net, i32 0, i32 13
  %slots = getelementptr %$NAME.net, ptr %net, i32 0, i32 14
  %taken = call i1 @$NAME.take(ptr %sizes, ptr %net)
  br i1 %taken, label %place, label %bad
place:
  %f = call i32 @$NAME.choose(ptr %net)
  %placed = call i32 @$NAME.place(i32 %f, ptr %net, ptr %dims, ptr %slots)
  %fine = icmp eq i32 %placed, 0
  br i1 %fine, label %settle, label %refused
refused:
  ret i32 %placed
settle:
  %need = load i64, ptr %slots
  %need.at = getelementptr %$NAME.net, ptr %net, i32 0, i32 1
  store i64 %need, ptr %need.at
  %huge = icmp slt i64 %need, 0
  br i1 %huge, label %bad, label %room
room:
  %settled = call i32 @$NAME.settle(ptr %net, i64 %need, ptr %arena, i64 %bytes, ptr %at)
  %ready = icmp eq i32 %settled, 0
  br i1 %ready, label %fill, label %without
without:
  ret i32 %settled
fill:
  %memory = load ptr, ptr %at
  call void @$NAME.fill(ptr %net, i32 %f, ptr %memory)
  ret i32 $OK
closed:
  ret i32 $NOT_OPEN
bad:
  ret i32 $SIZES
}

; Runs one worker's part. The caller's parallel() calls it.
define internal void @$NAME.work(ptr %net, i32 %worker) nounwind {
  %form.at = getelementptr %$NAME.net, ptr %net, i32 0, i32 7
  %form = load ptr, ptr %form.at
  %image = load ptr, ptr %form
  %run.at = getelementptr i8, ptr %image, i64 $IMAGE_RUN
  %run = load ptr, ptr %run.at
  %call = getelementptr %$NAME.net, ptr %net, i32 0, i32 11
  %workers.at = getelementptr %$NAME.net, ptr %net, i32 0, i32 5
  %workers = load i32, ptr %workers.at
  call void %run(ptr %call, i32 %worker, i32 %workers)
  ret void
}

; Clears the words for the workers' times, so that a site that a run does not reach has none.
define internal void @$NAME.clock(ptr %net, ptr %image, i32 %workers) nounwind {
  %ticks.at = getelementptr %$NAME.net, ptr %net, i32 0, i32 6
  %ticks = load ptr, ptr %ticks.at
  %to = getelementptr %$NAME.net, ptr %net, i32 0, i32 11, i64 $CALL_TICKS
  store ptr %ticks, ptr %to
  %none = icmp eq ptr %ticks, null
  br i1 %none, label %end, label %clear
clear:
  %sites.at = getelementptr i8, ptr %image, i64 $IMAGE_N_SITES
  %sites = load i32, ptr %sites.at
  %all = mul i32 %sites, %workers
  %wide = zext i32 %all to i64
  %bytes = shl i64 %wide, 4
  call void @llvm.memset.p0.i64(ptr %ticks, i8 0, i64 %bytes, i1 false)
  br label %end
end:
  ret void
}

; Runs all workers at the same time, or the only one on this thread.
define internal void @$NAME.enter(ptr %net, ptr %form) nounwind {
  %image = load ptr, ptr %form
  %most.at = getelementptr i8, ptr %image, i64 $IMAGE_MAX_WORKERS
  %most = load i32, ptr %most.at
  %wish.at = getelementptr %$NAME.net, ptr %net, i32 0, i32 4
  %wish = load i32, ptr %wish.at
  %over = icmp ugt i32 %wish, %most
  %allowed = select i1 %over, i32 %most, i32 %wish
  %worth.at = getelementptr %$NAME.net, ptr %net, i32 0, i32 14, i64 $SLOT_WORKERS
  %worth.wide = load i64, ptr %worth.at
  %worth = trunc i64 %worth.wide to i32
  %small = icmp ult i32 %worth, %allowed
  %fitting = select i1 %small, i32 %worth, i32 %allowed
  %hook.at = getelementptr %$NAME.net, ptr %net, i32 0, i32 2
  %hook = load ptr, ptr %hook.at
  %hooked = icmp ne ptr %hook, null
  %several = icmp ugt i32 %fitting, 1
  %parallel = and i1 %hooked, %several
  %workers = select i1 %parallel, i32 %fitting, i32 1
  %workers.at = getelementptr %$NAME.net, ptr %net, i32 0, i32 5
  store i32 %workers, ptr %workers.at
  call void @$NAME.clock(ptr %net, ptr %image, i32 %workers)
  br i1 %parallel, label %all, label %one
all:
  %user.at = getelementptr %$NAME.net, ptr %net, i32 0, i32 3
  %user = load ptr, ptr %user.at
  call void %hook(ptr %user, i32 %workers, ptr @$NAME.work, ptr %net)
  ret void
one:
  call void @$NAME.work(ptr %net, i32 0)
  ret void
}

define i32 @$NAME_run(ptr %net, ptr %inputs, ptr %outputs) nounwind {
  %netless = icmp eq ptr %net, null
  br i1 %netless, label %missing, label %look
missing:
  ret i32 $MISSING
look:
  %form.at = getelementptr %$NAME.net, ptr %net, i32 0, i32 7
  %form = load ptr, ptr %form.at
  %bound = icmp ne ptr %form, null
  br i1 %bound, label %check, label %unbound
check:
  %no.inputs = icmp eq ptr %inputs, null
  %inputless = and i1 %no.inputs, $NEEDS_INPUTS
  %no.outputs = icmp eq ptr %outputs, null
  %outputless = and i1 %no.outputs, $NEEDS_OUTPUTS
  %wrong = or i1 %inputless, %outputless
  br i1 %wrong, label %missing, label %go
go:
  %ports = getelementptr %$NAME.net, ptr %net, i32 0, i32 12
  call void @llvm.memcpy.p0.p0.i64(ptr %ports, ptr %inputs, i64 $INPUT_BYTES, i1 false)
  %behind = getelementptr i8, ptr %ports, i64 $INPUT_BYTES
  call void @llvm.memcpy.p0.p0.i64(ptr %behind, ptr %outputs, i64 $OUTPUT_BYTES, i1 false)
  %error.at = getelementptr %$NAME.net, ptr %net, i32 0, i32 11, i64 $CALL_ERROR
  store i32 0, ptr %error.at
  call void @$NAME.enter(ptr %net, ptr %form)
  %error = load i32, ptr %error.at
  %fine = icmp eq i32 %error, 0
  br i1 %fine, label %good, label %trapped
good:
  %dims = getelementptr %$NAME.net, ptr %net, i32 0, i32 13
  call void @$NAME.spread(ptr %form, ptr %net, ptr %dims, i1 true)
  ret i32 $OK
trapped:
  %first = ptrtoint ptr @$NAME.forms to i64
  %this = ptrtoint ptr %form to i64
  %distance = sub i64 %this, %first
  %index = udiv i64 %distance, ptrtoint (ptr getelementptr (%form, ptr null, i32 1) to i64)
  %form.number = trunc i64 %index to i32
  %number = add i32 %form.number, 1
  %high = shl i32 %number, 24
  %low = or i32 %error, $TRAP
  %code = or i32 %high, %low
  ret i32 %code
unbound:
  ret i32 $NOT_BOUND
}

define void @$NAME_shapes(ptr %sizes, ptr %shapes) nounwind {
  %sizeless = icmp eq ptr %sizes, null
  %absent = and i1 %sizeless, $NEEDS_SIZES
  %nowhere = icmp eq ptr %shapes, null
  %wrong = or i1 %absent, %nowhere
  br i1 %wrong, label %end, label %write
write:
  call void @$NAME.shapes_of(ptr %sizes, ptr %shapes)
  br label %end
end:
  ret void
}

; The time that a worker spent on a kernel in the latest run. False if none, or if it was not timed.
; %to: name, schedule, place, begin, end, flops, bytes
define i32 @$NAME_timing(ptr %net, i32 %site, i32 %worker, ptr %to) nounwind {
  %counts = alloca [$SITE_COUNTS x i64]
  %netless = icmp eq ptr %net, null
  %nowhere = icmp eq ptr %to, null
  %wrong = or i1 %netless, %nowhere
  br i1 %wrong, label %none, label %find
find:
  %form.at = getelementptr %$NAME.net, ptr %net, i32 0, i32 7
  %form = load ptr, ptr %form.at
  %bound = icmp ne ptr %form, null
  %ticks.at = getelementptr %$NAME.net, ptr %net, i32 0, i32 6
  %ticks = load ptr, ptr %ticks.at
  %timed = icmp ne ptr %ticks, null
  %workers.at = getelementptr %$NAME.net, ptr %net, i32 0, i32 5
  %workers = load i32, ptr %workers.at
  %working = icmp ult i32 %worker, %workers
  %ran = and i1 %bound, %timed
  %there = and i1 %ran, %working
  br i1 %there, label %look, label %none
look:
  %image = load ptr, ptr %form
  %n.at = getelementptr i8, ptr %image, i64 $IMAGE_N_SITES
  %n = load i32, ptr %n.at
  %known = icmp ult i32 %site, %n
  br i1 %known, label %read, label %none
read:
  %row.of = mul i32 %worker, %n
  %row = add i32 %row.of, %site
  %place = shl i32 %row, 1
  %begin.at = getelementptr i64, ptr %ticks, i32 %place
  %end.at = getelementptr i64, ptr %begin.at, i32 1
  %end = load i64, ptr %end.at
  %reached = icmp ne i64 %end, 0
  br i1 %reached, label %tell, label %none
tell:
  %sites.at = getelementptr i8, ptr %image, i64 $IMAGE_SITES
  %sites = load ptr, ptr %sites.at
  %texts = getelementptr { [3 x ptr], double }, ptr %sites, i32 %site
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %texts, i64 24, i1 false)
  %begin.to = getelementptr i8, ptr %to, i64 24
  call void @llvm.memcpy.p0.p0.i64(ptr %begin.to, ptr %begin.at, i64 16, i1 false)
  %costs.at = getelementptr i8, ptr %image, i64 $IMAGE_COSTS
  %costs = load ptr, ptr %costs.at
  %dims = getelementptr %$NAME.net, ptr %net, i32 0, i32 13
  call void %costs(ptr %dims, ptr %counts)
  %cost.place = shl i32 %site, 1
  %cost = getelementptr i64, ptr %counts, i32 %cost.place
  %cost.to = getelementptr i8, ptr %to, i64 40
  call void @llvm.memcpy.p0.p0.i64(ptr %cost.to, ptr %cost, i64 16, i1 false)
  ret i32 1
none:
  ret i32 0
}

; The text of a code: from the table, or from a form's requirement or trap.
define ptr @$NAME_message(i32 %code) nounwind {
  %form.number = lshr i32 %code, 24
  %plain = icmp eq i32 %form.number, 0
  br i1 %plain, label %listed, label %formed
listed:
  %known = icmp ult i32 %code, $CODES
  br i1 %known, label %text, label %unknown
text:
  %text.at = getelementptr [$CODES x ptr], ptr @$NAME.codes, i32 0, i32 %code
  %text.found = load ptr, ptr %text.at
  ret ptr %text.found
formed:
  %f = sub i32 %form.number, 1
  %there = icmp ult i32 %f, $FORMS
  br i1 %there, label %look, label %unknown
look:
  %image.at = getelementptr [$FORMS x %form], ptr @$NAME.forms, i32 0, i32 %f, i32 0
  %image = load ptr, ptr %image.at
  %trap.bit = and i32 %code, $TRAP
  %trap = icmp ne i32 %trap.bit, 0
  %number = and i32 %code, 8388607
  %index = sub i32 %number, 1
  br i1 %trap, label %traps, label %requires
traps:
  %n.at = getelementptr i8, ptr %image, i64 $IMAGE_N_TRAPS
  %n = load i32, ptr %n.at
  %traps.at = getelementptr i8, ptr %image, i64 $IMAGE_TRAPS
  %traps.table = load ptr, ptr %traps.at
  %in.traps = icmp ult i32 %index, %n
  br i1 %in.traps, label %found, label %unknown
requires:
  %requires.at = getelementptr i8, ptr %image, i64 $IMAGE_REQUIRES
  %requires.table = load ptr, ptr %requires.at
  %m.at = getelementptr [$FORMS x i32], ptr @$NAME.requires, i32 0, i32 %f
  %m = load i32, ptr %m.at
  %in.requires = icmp ult i32 %index, %m
  br i1 %in.requires, label %found, label %unknown
found:
  %table = phi ptr [ %traps.table, %traps ], [ %requires.table, %requires ]
  %row = getelementptr ptr, ptr %table, i32 %index
  %found.text = load ptr, ptr %row
  ret ptr %found.text
unknown:
  ret ptr @$NAME.unknown
}
