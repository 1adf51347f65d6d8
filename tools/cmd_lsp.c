// mgc lsp: the language server on standard input and output, until the client says exit.
#include "tools/mgc.h"

#include "editor/server.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

static bool write_all(void *context, const char *bytes, size_t length) {
    (void)context;
    while (length) {
        ssize_t n = write(STDOUT_FILENO, bytes, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        length -= (size_t)n;
    }
    return true;
}

static bool more_waits(void) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&input, 1, 0) > 0;
}

// Reads the input that is available. False at its end, or if memory runs out.
static bool take_input(MgServer *server) {
    char chunk[1 << 16];
    do {
        ssize_t n = read(STDIN_FILENO, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0 || !mg_server_feed(server, chunk, (size_t)n))
            return false;
    } while (more_waits());
    return true;
}

int mgc_lsp(const MgcOptions *options) {
    (void)options;
    MgServer *server = mg_server_new(write_all, NULL);
    if (!server)
        return mgc_fail(1, "out of memory");
    bool open = true;
    while (open && mg_server_status(server) < 0) {
        open = take_input(server);
        mg_server_work(server);
    }
    int status = mg_server_status(server);
    mg_server_free(server);
    return status < 0 ? 1 : status;
}
