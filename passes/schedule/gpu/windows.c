// Rows of a wide product that are windows of a convolution, with channels innermost: a box walks
// over the first pixels of the windows, one tap at a time (MgKBox).
#include "ir/equation.h"
#include "passes/schedule/gpu/tile.h"
#include "passes/schedule/words.h"

// How far a device's walk may go, by the number of axes of pixels.
static const struct {
    int64_t least, most, tap;
} limits[MG_BOX_PIXELS] = {{-32768, 32767, 65535}, {-128, 127, 255}, {-16, 15, 31}};

// A subscript along an axis of pixels: step * window + tap_step * tap + low. UINT32_MAX: no tap.
typedef struct Window {
    uint32_t window, tap;
    int64_t step, tap_step, low;
} Window;

static bool const_size(const MgGpuGemm *gg, uint32_t index, int64_t *size) {
    const MgIndex *i = &gg->g.piece->indices[index];
    int64_t low;
    return mg_ix_is_const(gg->g.s->ix, i->low, &low) && !low &&
           mg_ix_is_const(gg->g.s->ix, i->high, size) && *size > 0;
}

// Takes the only index of a class that a subscript is linear in off *ix. False if there are two.
static bool take_index(const MgGpuGemm *gg, const MgGemmClass *class, MgIx *ix, uint32_t *index,
                       int64_t *step) {
    MgIxTable *t = gg->g.s->ix;
    *index = UINT32_MAX;
    for (uint32_t i = 0; i < class->n; i++) {
        MgIxSym sym = mg_ix_index(t, class->index[i]);
        if (!mg_ix_mentions(t, *ix, sym))
            continue;
        if (*index != UINT32_MAX || !mg_ix_steps(t, *ix, sym, step, ix) || *step <= 0)
            return false;
        *index = class->index[i];
    }
    return true;
}

static bool read_window(const MgGpuGemm *gg, MgIx sub, Window *w) {
    return take_index(gg, &gg->g.m, &sub, &w->window, &w->step) &&
           take_index(gg, &gg->g.k, &sub, &w->tap, &w->tap_step) &&
           mg_ix_is_const(gg->g.s->ix, sub, &w->low);
}

// Adds axis `a` of pixels; *at is the number of indices of rows that further axes have.
static bool add_pixels(const MgGpuGemm *gg, MgGpuBox *b, uint32_t a, const Window *w, int64_t size,
                       int64_t stride, uint32_t *at) {
    int64_t windows;
    uint32_t pixels = b->box.rank;
    if (!*at || gg->g.m.index[--*at] != w->window || !const_size(gg, w->window, &windows))
        return false;
    int64_t high = w->low + w->step * (windows - 1) + 1 - size; // behind the last window
    if (w->low < limits[pixels - 1].least || w->low > limits[pixels - 1].most || w->step > 8 ||
        high < limits[pixels - 1].least || high > limits[pixels - 1].most)
        return false;
    b->windows[a] = windows;
    b->box.walks[a] = (struct MgKBoxWalk){(int32_t)w->low, (int32_t)high, (int32_t)w->step};
    b->box.axes[a + 1] = (struct MgKBoxAxis){size, stride, 1};
    return true;
}

// The digits of a tap: the indices of k before the channels.
static bool find_taps(const MgGpuGemm *gg, MgGpuBox *b, const Window *w) {
    uint32_t pixels = b->box.rank;
    b->n_taps = gg->g.k.n - 1;
    if (b->n_taps > pixels)
        return false;
    for (uint32_t i = 0; i < b->n_taps; i++) {
        struct MgGpuTap *tap = &b->taps[i];
        while (tap->axis < pixels && w[tap->axis].tap != gg->g.k.index[i])
            tap->axis++;
        if (tap->axis == pixels || !const_size(gg, gg->g.k.index[i], &tap->size))
            return false;
        tap->step = w[tap->axis].tap_step;
        if (tap->step * (tap->size - 1) > limits[pixels - 1].tap)
            return false;
    }
    for (uint32_t a = 0; a < pixels; a++) { // every tap of a subscript must have been found
        bool found = w[a].tap == UINT32_MAX;
        for (uint32_t i = 0; i < b->n_taps; i++)
            found |= b->taps[i].axis == a;
        if (!found)
            return false;
    }
    return true;
}

// Are images the first axis of the value, with an index of their own?
static bool has_images(const MgGpuGemm *gg, MgIx sub) {
    return gg->g.m.n && sub == mg_ix_idx(gg->g.s->ix, gg->g.m.index[0]);
}

// The read of channels-innermost images that rows are, with constant sizes, or NULL.
static const MgSx *find_read(const MgGpuGemm *gg, const MgStage *st, MgIx *subs, int64_t *sizes) {
    const MgGemm *g = &gg->g;
    MgIxTable *t = g->s->ix;
    const MgSx *x = mg_gpu_plain_read(st->factor);
    int64_t line = MG_LINE_BYTES / (int64_t)mg_dtype_size(st->type), run;
    if (!x || x->n_args < 2 || x->n_args > MG_BOX_AXES || !g->k.n || !mg_gpu_is_zero_outside(x) ||
        g->batch.n || !mg_read_subs(x, subs))
        return NULL;
    const MgValue *v = mg_value(g->s->g, mg_op(g->s->g, g->unit->ops[0])->operands[x->operand]);
    uint32_t last = x->n_args - 1, channels = g->k.index[g->k.n - 1];
    for (uint32_t i = 0; i <= last; i++)
        if (!mg_ix_is_const(t, v->shape[i], &sizes[i]))
            return NULL;
    bool fits = v->dtype == st->type && subs[last] == mg_ix_idx(t, channels) &&
                const_size(gg, channels, &run) && run == sizes[last] && run % line == 0;
    return fits ? x : NULL;
}

bool mg_gpu_find_windows(MgGpuGemm *gg, const MgStage *st, MgGpuBox *b) {
    MgIx subs[64];
    int64_t sizes[MG_BOX_AXES];
    Window windows[MG_BOX_PIXELS];
    const MgSx *x = find_read(gg, st, subs, sizes);
    if (!x)
        return false;
    bool images = has_images(gg, subs[0]);
    uint32_t last = x->n_args - 1, pixels = last - images, left = gg->g.m.n;
    int64_t stride = sizes[last];
    if (!pixels || pixels > MG_BOX_PIXELS)
        return false;
    b->box.rank = pixels; // until all are known
    for (uint32_t a = 0; a < pixels; stride *= sizes[last - 1 - a], a++)
        if (!read_window(gg, subs[last - 1 - a], &windows[a]) ||
            !add_pixels(gg, b, a, &windows[a], sizes[last - 1 - a], stride, &left))
            return false;
    if (!find_taps(gg, b, windows) || left != images)
        return false;
    b->one_image = !images;
    b->box.axes[0] =
        (struct MgKBoxAxis){sizes[last], 1, MG_LINE_BYTES / (uint32_t)mg_dtype_size(st->type)};
    b->box.axes[pixels + 1] = (struct MgKBoxAxis){images ? sizes[0] : 1, stride, 1};
    b->box.rank = pixels + 2;
    b->box.pixels = (uint32_t)st->size;
    return true;
}

// ---------------------------------------------------------------- places

void mg_gpu_fix_windows(MgGpuGemm *gg, MgKBlock *block, const MgStage *st, MgGpuBox *b) {
    MgKernel *k = gg->g.kb.k;
    const MgKx *left = st->base;
    uint32_t images = b->box.rank - 1;
    for (uint32_t i = 0; i + 1 < images; i++) {
        const struct MgKBoxWalk *w = &b->box.walks[i];
        bool whole = b->one_image && i + 2 == images;
        const MgKx *d = whole ? left : mg_gpu_digit(k, block, &left, num(k, b->windows[i]));
        b->fixed[i + 1] = named(k, block, "at", plus(k, times(k, d, w->step), w->low));
        b->fixed[b->box.rank + i] = num(k, 0);
    }
    b->fixed[images] = b->one_image ? num(k, 0) : left;
}

void mg_gpu_place_taps(MgGpuGemm *gg, MgKBlock *block, const MgGpuBox *b, const MgKx *k0,
                       const MgKx **at) {
    MgKernel *k = gg->g.kb.k;
    const MgKx *left = k0;
    at[0] = mg_gpu_digit(k, block, &left, num(k, b->box.axes[0].size));
    for (uint32_t i = b->n_taps; i-- > 0;) {
        const struct MgGpuTap *tap = &b->taps[i];
        const MgKx *d = i ? mg_gpu_digit(k, block, &left, num(k, tap->size)) : left;
        at[b->box.rank + tap->axis] = named(k, block, "tap", times(k, d, tap->step));
    }
}
