// Graphs whose memory is hard to plan: very different sizes, long lives, joins and splits.
#include "tests/random/random_memory.h"

typedef struct Made {
    uint32_t columns, readers;
} Made;

typedef struct Gen {
    uint64_t state;
    MgArena *arena;
    MG_VEC(Made) made;
    MgText params, body;
} Gen;

static uint32_t below(Gen *g, uint32_t n) { // Knuth's MMIX constants
    g->state = g->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((g->state >> 33) % n);
}

// An earlier value: mostly one of the last few, sometimes any.
static uint32_t any(Gen *g) {
    uint32_t n = g->made.len, recent = n < 4 ? n : 4;
    uint32_t v = below(g, 3) ? n - 1 - below(g, recent) : below(g, n);
    g->made.at[v].readers++;
    return v;
}

static uint32_t like(Gen *g, uint32_t v) {
    uint32_t n = g->made.len, start = below(g, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t w = (start + i) % n;
        if (w != v && g->made.at[w].columns == g->made.at[v].columns) {
            g->made.at[w].readers++;
            return w;
        }
    }
    return v;
}

static void statement(Gen *g) {
    uint32_t n = g->made.len, v = any(g), columns = g->made.at[v].columns;
    switch (below(g, 6)) {
    case 0:
        mg_textf(&g->body, "    v%u = tanh(v%u)\n", n, v);
        break;
    case 1:
        mg_textf(&g->body, "    v%u = add(v%u, v%u)\n", n, v, like(g, v));
        break;
    case 2: {
        uint32_t w = any(g);
        mg_textf(&g->body, "    v%u = concat(v%u, v%u, axis = -1)\n", n, v, w);
        columns += g->made.at[w].columns;
        break;
    }
    case 3:
        if (columns > 1) {
            uint32_t start = below(g, columns / 2);
            mg_textf(&g->body, "    v%u = slice(v%u, start = %u, stop = %u, axis = -1)\n", n, v,
                     start, columns);
            columns -= start;
            break;
        } // fall through
    default: {
        uint32_t to = 1 + below(g, below(g, 2) ? 16 : 400);
        mg_textf(&g->params, "    param w%u: f32[%u, %u]\n", n, columns, to);
        mg_textf(&g->body, "    v%u = matmul(v%u, w%u)\n", n, v, n);
        columns = to;
    }
    }
    mg_push(g->arena, &g->made, (Made){columns, 0});
}

const char *mg_random_memory(uint64_t seed, uint32_t n_ops, MgArena *arena) {
    Gen g = {.state = seed * 2654435761u + 12345, .arena = arena};
    g.params = mg_text(arena);
    g.body = mg_text(arena);
    uint32_t rows = 1 + below(&g, 64), width = 1 + below(&g, 200);
    mg_push(arena, &g.made, (Made){width, 0});
    for (uint32_t i = 0; i < n_ops; i++)
        statement(&g);
    MgText out = mg_text(arena);
    mg_textf(&out, "mg 1\ngraph memory(v0: f32[%u, %u]) -> (", rows, width);
    const char *comma = "";
    for (uint32_t v = 1; v < g.made.len; v++)
        if (!g.made.at[v].readers) {
            mg_textf(&out, "%sv%u: f32[%u, %u]", comma, v, rows, g.made.at[v].columns);
            comma = ", ";
        }
    mg_textf(&out, ")\n    weights \"none\"\n{\n%s%s}\n", mg_text_str(&g.params),
             mg_text_str(&g.body));
    return mg_text_str(&out);
}
