// The operators that ONNX defines (schemas.def), with the support that ops_*.def give them.
#include "frontend/onnx/internal.h"

#include <stdlib.h>

const MgOnnxSchema mg_onnx_schemas[] = {
#define ONNX_OP(domain, name, opsets, refused) {domain, name, opsets, refused},
#include "frontend/onnx/schemas.def"
    {NULL, NULL, NULL, NULL}};

const MgOnnxSchema *mg_onnx_schema(const char *domain, const char *name) {
    for (const MgOnnxSchema *s = mg_onnx_schemas; s->name; s++)
        if (!strcmp(s->name, name) && !strcmp(s->domain, domain))
            return s;
    return NULL;
}

int64_t mg_onnx_supported_from(const MgOnnxSchema *schema) {
    int64_t first = 0;
    for (const MgOnnxRow *r = mg_onnx_rows; r->name; r++)
        if (!strcmp(r->name, schema->name) && !strcmp(r->domain, schema->domain) &&
            (!first || r->since < first))
            first = r->since;
    return first;
}

void mg_onnx_list_ops(MgText *out) {
    enum { NAME = 44, OPSETS = 34 };
    mg_textf(out, "%-*s%-*s%s\n", NAME, "operator", OPSETS, "defined in opsets", "supported");
    for (const MgOnnxSchema *s = mg_onnx_schemas; s->name; s++) {
        const char *dot = *s->domain ? "." : "";
        int width = NAME - (int)(strlen(s->domain) + strlen(dot));
        int64_t from = mg_onnx_supported_from(s);
        mg_textf(out, "%s%s%-*s%-*s", s->domain, dot, width, s->name, OPSETS, s->opsets);
        if (!from)
            mg_textf(out, "no: %s\n", s->refused);
        else if (from > strtoll(s->opsets, NULL, 10))
            mg_textf(out, "from opset %lld\n", (long long)from);
        else
            mg_text_add(out, "yes\n");
    }
}
