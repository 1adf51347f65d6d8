// Fuzzes the language server. Bytes of value 1 separate the messages of an input, which are framed
// here, so that the fuzzer spends its bytes on their content. An input that begins with the byte 2
// is passed on unchanged, frames included. No input crashes the server, and it answers with frames
// of JSON alone.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "editor/server.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool take(void *context, const char *bytes, size_t length) {
    (void)context;
    if (bytes[0] != '{')
        return true;
    cJSON *message = cJSON_ParseWithLength(bytes, length);
    if (!message) {
        fprintf(stderr, "the server sent no JSON: %.*s\n", (int)length, bytes);
        abort();
    }
    cJSON_Delete(message);
    return true;
}

static void send(MgServer *server, const char *body, size_t length) {
    char header[64];
    int n = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", length);
    mg_server_feed(server, header, (size_t)n);
    mg_server_feed(server, body, length);
    mg_server_work(server);
}

// Input that is not JSON is typed into a document, and requests are made at its end.
static void type_text(MgServer *server, const char *text, size_t length) {
    static const char *const methods[] = {"completion", "signatureHelp", "hover",     "rename",
                                          "formatting", "inlayHint",     "codeAction"};
    char *copy = strndup(text, length);
    cJSON *message = cJSON_CreateObject();
    cJSON_AddStringToObject(message, "method", "textDocument/didOpen");
    cJSON *item =
        cJSON_AddObjectToObject(cJSON_AddObjectToObject(message, "params"), "textDocument");
    cJSON_AddStringToObject(item, "uri", "file:///fuzz/a.mg");
    cJSON_AddStringToObject(item, "text", copy);
    char *body = cJSON_PrintUnformatted(message);
    send(server, body, strlen(body));
    cJSON_free(body);
    cJSON_Delete(message);
    int lines = 0, column = 0;
    for (const char *c = copy; *c; c++) {
        column = *c == '\n' ? 0 : column + 1;
        lines += *c == '\n';
    }
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        char ask[512];
        int n =
            snprintf(ask, sizeof ask,
                     "{\"id\":%zu,\"method\":\"textDocument/%s\",\"params\":{\"newName\":\"q\","
                     "\"textDocument\":{\"uri\":\"file:///fuzz/a.mg\"},\"position\":{\"line\":%d,"
                     "\"character\":%d},\"range\":{\"start\":{\"line\":0,\"character\":0},"
                     "\"end\":{\"line\":%d,\"character\":0}}}}",
                     i, methods[i], lines, column / 2, lines + 1);
        send(server, ask, (size_t)n);
    }
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char hello[] = "{\"id\":0,\"method\":\"initialize\",\"params\":{}}";
    const char *text = (const char *)data, *end = text + size;
    static MgServer *server; // reads its library once; the next initialize closes texts
    if (!server)
        server = mg_server_new(take, NULL);
    if (!server)
        return 0;
    send(server, hello, sizeof hello - 1);
    if (size && *text == 2) {
        MgServer *other = mg_server_new(take, NULL); // what is left in its frames goes with it
        mg_server_feed(other, text + 1, size - 1);
        mg_server_work(other);
        mg_server_free(other);
        return 0;
    }
    while (text < end) {
        const char *mark = memchr(text, 1, (size_t)(end - text));
        size_t length = (size_t)((mark ? mark : end) - text);
        if (length && *text == '{')
            send(server, text, length);
        else
            type_text(server, text, length);
        text += length + 1;
    }
    if (mg_server_status(server) >= 0) {
        mg_server_free(server);
        server = NULL;
    }
    return 0;
}
