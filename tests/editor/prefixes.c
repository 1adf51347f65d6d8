// Tests half-written texts. Documents are prefixes of files, one after another as if they were
// typed, with the requests of an editor at the place of typing. Every request gets an answer, and
// none is an internal error.
//
// prefixes STEP FILE…: every STEP-th prefix of each file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "editor/server.h"

static const char uri[] = "file:///prefixes/typed.mg";
static int answers, failures;

static bool take(void *context, const char *bytes, size_t length) {
    (void)context;
    if (bytes[0] != '{' || length < 2) // a header
        return true;
    cJSON *message = cJSON_ParseWithLength(bytes, length);
    answers += cJSON_HasObjectItem(message, "id");
    const cJSON *error = cJSON_GetObjectItem(message, "error");
    failures += !message || cJSON_GetNumberValue(cJSON_GetObjectItem(error, "code")) == -32603;
    cJSON_Delete(message);
    return true;
}

static void tell(MgServer *server, int id, const char *method, cJSON *params) {
    cJSON *message = cJSON_CreateObject();
    if (id)
        cJSON_AddNumberToObject(message, "id", id);
    cJSON_AddStringToObject(message, "method", method);
    cJSON_AddItemToObject(message, "params", params);
    char *body = cJSON_PrintUnformatted(message), header[64];
    int n = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", strlen(body));
    mg_server_feed(server, header, (size_t)n);
    mg_server_feed(server, body, strlen(body));
    cJSON_free(body);
    cJSON_Delete(message);
}

static cJSON *document(const char *text) {
    cJSON *params = cJSON_CreateObject(), *item = cJSON_AddObjectToObject(params, "textDocument");
    cJSON_AddStringToObject(item, "uri", uri);
    if (text)
        cJSON_AddStringToObject(item, "text", text);
    return params;
}

static void ask_all(MgServer *server, const char *text, size_t length) {
    static const char *const methods[] = {
        "hover",          "definition", "references",   "documentHighlight",
        "prepareRename",  "completion", "formatting",   "inlayHint",
        "documentSymbol", "codeAction", "signatureHelp"};
    int line = 0, column = 0;
    for (size_t i = 0; i < length; i++) {
        column = text[i] == '\n' ? 0 : column + 1;
        line += text[i] == '\n';
    }
    int before = answers, n = (int)(sizeof methods / sizeof *methods);
    for (int i = 0; i < n; i++) {
        cJSON *params = document(NULL), *at = cJSON_AddObjectToObject(params, "position");
        cJSON_AddNumberToObject(at, "line", line);
        cJSON_AddNumberToObject(at, "character", column);
        cJSON *range = cJSON_AddObjectToObject(params, "range");
        cJSON_AddItemToObject(range, "start", cJSON_Duplicate(at, true));
        cJSON_AddItemToObject(range, "end", cJSON_Duplicate(at, true));
        char method[64];
        snprintf(method, sizeof method, "textDocument/%s", methods[i]);
        tell(server, i + 1, method, params);
    }
    mg_server_work(server);
    failures += answers != before + n;
}

static char *read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    static char bytes[1 << 20];
    *length = fread(bytes, 1, sizeof bytes - 1, file);
    fclose(file);
    return bytes;
}

static int type_file(MgServer *server, const char *path, size_t step) {
    size_t length;
    char *text = read_file(path, &length);
    int prefixes = 0;
    if (!text) {
        printf("%s cannot be read\n", path);
        failures++;
        return 0;
    }
    for (size_t n = length; n <= length; n -= step, prefixes++) {
        text[n] = 0;
        tell(server, 0, "textDocument/didOpen", document(text));
        ask_all(server, text, n);
        if (failures) {
            printf("%s: after %zu bytes\n", path, n);
            break;
        }
    }
    return prefixes;
}

int main(int argc, char **argv) {
    MgServer *server = mg_server_new(take, NULL);
    size_t step = argc > 2 ? strtoull(argv[1], NULL, 10) : 0;
    if (!server || !step)
        return 2;
    tell(server, 1, "initialize", cJSON_CreateObject());
    mg_server_work(server);
    int prefixes = 0;
    for (int i = 2; i < argc && !failures; i++)
        prefixes += type_file(server, argv[i], step);
    mg_server_free(server);
    printf("%d prefixes of %d files, %d answers\n", prefixes, argc - 2, answers);
    return failures || !prefixes;
}
