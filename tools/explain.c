// --explain prints a line on standard error for each edge, value or product, with its place in the
// source. The line of an edge waits until the graph is compiled, since a schedule may split what a
// pass made one kernel.
#include "tools/mgc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *place_of(MgGraph *g, MgValueId v, char *buffer, size_t room) {
    const MgModule *m = g->module;
    const MgValue *value = mg_value(g, v);
    const MgOrigin *o = value->origin ? mg_origin_of_user(m, value->origin) : NULL;
    const char *name = mg_name(m->session->names, value->name);
    if (o)
        snprintf(buffer, room, "%s (%s:%u:%u)", name, mg_name(m->session->names, o->file), o->line,
                 o->column);
    else
        snprintf(buffer, room, "%s", name);
    return buffer;
}

typedef struct Edge {
    MgOpId op;
    uint32_t operand;
    char *text;  // "producer -> consumer: why"; NULL: there was no memory for it
    size_t ends; // bytes before the colon
} Edge;

static struct {
    const MgGraph *g; // of all
    Edge *at;
    size_t len, room;
} edges;

void mgc_tell_edges(void) {
    for (size_t i = 0; i < edges.len; i++) {
        fprintf(stderr, "%s\n", edges.at[i].text ? edges.at[i].text : "mgc: out of memory");
        free(edges.at[i].text);
    }
    free(edges.at);
    memset(&edges, 0, sizeof edges);
}

// The line of an edge, which is made if it doesn't exist yet. NULL if memory runs out.
static Edge *line_of(MgGraph *g, MgOpId op, uint32_t i) {
    if (edges.g != g)
        mgc_tell_edges();
    edges.g = g;
    for (size_t k = edges.len; k-- > 0;)
        if (edges.at[k].op == op && edges.at[k].operand == i)
            return &edges.at[k];
    if (edges.len == edges.room) {
        size_t room = 2 * edges.room + 64;
        Edge *more = realloc(edges.at, room * sizeof *more);
        if (!more)
            return NULL;
        edges.at = more;
        edges.room = room;
    }
    edges.at[edges.len] = (Edge){.op = op, .operand = i};
    return &edges.at[edges.len++];
}

void mgc_explain_edge(void *context, MgGraph *g, MgOpId op, uint32_t i, const char *why) {
    char from[512], to[512], *text = NULL;
    (void)context;
    const MgOp *consumer = mg_op(g, op);
    Edge *edge = consumer->n_results ? line_of(g, op, i) : NULL;
    if (!edge)
        return;
    if (!edge->text) { // names change when a group is made
        place_of(g, consumer->operands[i], from, sizeof from);
        place_of(g, consumer->results[0], to, sizeof to);
        if (asprintf(&edge->text, "%s -> %s", from, to) < 0)
            edge->text = NULL;
        edge->ends = edge->text ? strlen(edge->text) : 0;
    }
    if (edge->text && asprintf(&text, "%.*s: %s%s", (int)edge->ends, edge->text,
                               why ? "apart: " : "one kernel", why ? why : "") >= 0) {
        free(edge->text);
        edge->text = text;
    }
}

void mgc_explain_layout(void *context, MgGraph *g, MgValueId v, const char *text) {
    char place[512];
    (void)context;
    fprintf(stderr, "%s: %s\n", place_of(g, v, place, sizeof place), text);
}

void mgc_explain_remat(void *context, MgGraph *g, MgValueId v, bool again, double bytes,
                       double ns) {
    char place[512];
    (void)context;
    fprintf(stderr, "%s: %s, %.0f bytes, %.3g µs\n", place_of(g, v, place, sizeof place),
            again ? "computed again" : "kept", bytes, ns * 1e-3);
}

void mgc_explain_checkpoint(void *context, MgGraph *g, MgValueId v, const MgCheckpointTold *told) {
    char place[512];
    double us = told->ns * 1e-3;
    (void)context;
    fprintf(stderr, "%s: ", place_of(g, v, place, sizeof place));
    if (told->sum)
        fprintf(stderr, "added up in each of %.0f trips, %.3g µs\n", told->trips, us);
    else if (!told->every)
        fprintf(stderr, "what derivatives read of its %.0f trips is kept, %.0f bytes, %.3g µs\n",
                told->trips, told->bytes, us);
    else
        fprintf(stderr,
                "%.0f of %.0f states kept, the trips from one to the next computed again, %.0f "
                "bytes instead of %.0f, %.3g µs\n",
                ceil(told->trips / told->every), told->trips, told->bytes, told->all, us);
}

// The callback for two sums of products that read the same factor.
void mgc_explain_sibling(void *context, MgGraph *g, MgOpId first, MgOpId op, const char *why) {
    char one[512], other[512];
    (void)context;
    if (edges.g != g)
        mgc_tell_edges();
    place_of(g, mg_op(g, first)->results[0], one, sizeof one);
    place_of(g, mg_op(g, op)->results[0], other, sizeof other);
    fprintf(stderr, "%s beside %s: %s%s\n", one, other, why ? "apart: " : "one product",
            why ? why : "");
}
