// A call is one line of MG, whichever way it goes: recorded, the line joins the others; at once, it
// is a graph of its own, which the context's cache keeps compiled.
#include "capture.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 256, ROOM = 1 << 16 };

struct Capture {
    MgContext *context;
    bool record;
    uint32_t n_values;
    MgTensor *tensors[MOST];
    char names[MOST][32];
    char inputs[ROOM], body[ROOM], text[2 * ROOM + 1024], message[1024];
};

Capture *capture_new(MgContext *context, bool record) {
    Capture *c = calloc(1, sizeof *c);
    if (c) {
        c->context = context;
        c->record = record;
    }
    return c;
}

void capture_free(Capture *c) {
    for (uint32_t i = 0; c && i < c->n_values; i++)
        mg_tensor_release(c->tensors[i]);
    free(c);
}

const char *capture_message(const Capture *c) {
    return c->message[0] ? c->message : NULL;
}

static Value fail(Capture *c, const char *what, const char *why) {
    if (!c->message[0])
        snprintf(c->message, sizeof c->message, "%s: %s", what, why);
    return (Value){0};
}

static void add(char *text, size_t room, const char *format, ...) {
    size_t used = strlen(text);
    va_list list;
    va_start(list, format);
    vsnprintf(text + used, room - used, format, list);
    va_end(list);
}

static Value keep(Capture *c, MgTensor *tensor, const char *name) {
    uint32_t k = c->n_values;
    if (k == MOST || strlen(name) >= sizeof c->names[0]) {
        mg_tensor_release(tensor);
        return fail(c, name, "too many values, or too long a name");
    }
    c->tensors[k] = tensor;
    strcpy(c->names[k], name);
    c->n_values++;
    return (Value){tensor, c->record ? c->names[k] : NULL};
}

Value capture_input(Capture *c, const char *name, MgTensor *tensor, const char *type) {
    if (c->message[0])
        return (Value){0};
    if (!c->record)
        return tensor ? keep(c, mg_tensor_retain(tensor), name)
                      : fail(c, name, "there is no tensor");
    add(c->inputs, sizeof c->inputs, "%s%s: %s", c->inputs[0] ? ", " : "", name, type);
    return keep(c, NULL, name);
}

// "operator(a, b, axis = 1)"
static void write_call(char *text, size_t room, const char *operator, const char * const * operands,
                       uint32_t n, const char *attributes) {
    add(text, room, "%s(", operator);
    for (uint32_t i = 0; i < n; i++)
        add(text, room, "%s%s", i ? ", " : "", operands[i]);
    add(text, room, "%s%s)", attributes ? (n ? ", " : "") : "", attributes ? attributes : "");
}

static void write_type(char *text, size_t room, const MgTensor *tensor) {
    add(text, room, "%s[", mg_element_name(mg_tensor_element(tensor)));
    for (uint32_t i = 0; i < mg_tensor_rank(tensor); i++)
        add(text, room, "%s%lld", i ? ", " : "", (long long)mg_tensor_dims(tensor)[i]);
    add(text, room, "]");
}

// Compiles the line as a graph, and runs it.
static Value compute(Capture *c, const char *operator, const Value * operands, uint32_t n,
                     const char *attributes) {
    char names[MOST][8], text[4096] = "mg 1\ngraph call(";
    const char *at[MOST];
    for (uint32_t i = 0; i < n; i++) {
        snprintf(names[i], sizeof names[i], "x%u", i);
        at[i] = names[i];
        add(text, sizeof text, "%s%s: ", i ? ", " : "", names[i]);
        write_type(text, sizeof text, operands[i].tensor);
    }
    add(text, sizeof text, ") -> (y) { y = ");
    write_call(text, sizeof text, operator, at, n, attributes);
    add(text, sizeof text, " }\n");
    MgModel *model = NULL;
    MgInstance *instance = NULL;
    MgTensor *result = NULL;
    MgStatus status = mg_model_compile(c->context, operator, text, strlen(text), NULL, &model);
    if (!status)
        status = mg_instance_new(model, c->context, &instance);
    for (uint32_t i = 0; i < n && !status; i++)
        status = mg_bind_input_tensor(instance, i, operands[i].tensor);
    if (!status)
        status = mg_run(instance);
    if (!status)
        result = mg_output_tensor(instance, 0);
    Value value = {0};
    if (!result)
        fail(c, operator,
             instance ? mg_instance_message(instance) : mg_context_message(c->context));
    mg_instance_free(instance);
    mg_model_release(model);
    return result ? keep(c, result, "") : value;
}

static Value line(Capture *c, const char *operator, const Value * operands, uint32_t n,
                  const char *attributes) {
    const char *at[MOST];
    char name[32];
    for (uint32_t i = 0; i < n; i++)
        at[i] = operands[i].name;
    snprintf(name, sizeof name, "v%u", c->n_values);
    add(c->body, sizeof c->body, "    %s = ", name);
    write_call(c->body, sizeof c->body, operator, at, n, attributes);
    add(c->body, sizeof c->body, "\n");
    return keep(c, NULL, name);
}

Value capture_call(Capture *c, const char *operator, const Value * operands, uint32_t n,
                   const char *attributes) {
    if (c->message[0])
        return (Value){0};
    for (uint32_t i = 0; i < n; i++)
        if (n > MOST || (c->record ? !operands[i].name : !operands[i].tensor))
            return fail(c, operator, "an operand is no value of this capture");
    return c->record ? line(c, operator, operands, n, attributes)
                     : compute(c, operator, operands, n, attributes);
}

const char *capture_text(Capture *c, const char *graph, const Value *results, uint32_t n) {
    c->text[0] = 0;
    add(c->text, sizeof c->text, "mg 1\ngraph %s(%s) -> (", graph, c->inputs);
    for (uint32_t i = 0; i < n; i++)
        add(c->text, sizeof c->text, "%sout%u", i ? ", " : "", i + 1);
    add(c->text, sizeof c->text, ") {\n%s", c->body);
    for (uint32_t i = 0; i < n; i++)
        add(c->text, sizeof c->text, "    out%u = identity(%s)\n", i + 1,
            results[i].name ? results[i].name : "_");
    add(c->text, sizeof c->text, "}\n");
    return c->text;
}
