// Reads and writes the results of mgc tune. Every byte of a file is checked, and numbers must be
// within the bounds of their parameter's row.
#include "runtime/tuned.h"

#include "backends/backend.h"
#include "support/files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

static const char first_line[] = "mg tuned 1";
enum { LARGEST = 4 << 20, LONGEST_NUMBER = 20 };

const char *mg_tuned_machine(MgSession *session) {
    MgText key = mg_text(session->arena);
    mg_backend_find("cpu")->target_key(session, NULL, &key);
    return mg_text_str(&key);
}

const char *mg_tuned_default(MgSession *session, const MgCache *cache) {
    const char *folder = cache ? mg_cache_folder(cache) : NULL;
    const char *machine = mg_tuned_machine(session);
    return folder ? mg_arena_printf(session->arena, "%s/tuned-%016" PRIx64 ".txt", folder,
                                    mg_hash(machine, strlen(machine), 0))
                  : NULL;
}

typedef struct Reader {
    MgSession *session;
    const char *path, *at, *end; // of the current line
    uint32_t line;
    bool quiet;
    MG_VEC(MgTuned) all;
} Reader;

static bool wrong(Reader *r, const char *what) {
    if (!r->quiet)
        mg_diag(r->session, mg_no_span(), MG_D_tuned_format, r->path, r->line, what);
    return false;
}

// The next word of the line, with its length in *n; NULL at the end of the line.
static const char *word(Reader *r, size_t *n) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t'))
        r->at++;
    const char *begin = r->at;
    while (r->at < r->end && *r->at != ' ' && *r->at != '\t')
        r->at++;
    *n = (size_t)(r->at - begin);
    return *n ? begin : NULL;
}

static bool is_word(const char *w, size_t n, const char *text) {
    return w && n == strlen(text) && !memcmp(w, text, n);
}

static bool number(const char *w, size_t n, int base, uint64_t *value) {
    char digits[LONGEST_NUMBER + 1];
    char *end;
    if (!n || n > LONGEST_NUMBER - 1 || *w == '-' || *w == '+')
        return false;
    memcpy(digits, w, n);
    digits[n] = 0;
    *value = strtoull(digits, &end, base);
    return !*end;
}

static bool read_unit(Reader *r, bool every) {
    size_t n;
    uint64_t unit = 0, value;
    const char *w = every ? NULL : word(r, &n);
    if (every)
        unit = MG_EVERY_UNIT;
    else if (!w || n != 16 || !number(w, n, 16, &unit) || !unit)
        return wrong(r, "a unit has 16 digits");
    while ((w = word(r, &n))) {
        const char *equals = memchr(w, '=', n);
        size_t name = equals ? (size_t)(equals - w) : 0;
        if (!equals || !number(equals + 1, n - name - 1, 10, &value))
            return wrong(r, "a parameter is NAME=NUMBER");
        MgParam param = mg_param_of_name(w, name);
        if (param == MG_N_PARAMS)
            continue; // a parameter of another version
        if (value < (uint64_t)mg_params[param].least || value > (uint64_t)mg_params[param].most)
            return wrong(r, "the number is outside the range of its parameter");
        mg_push(r->session->arena, &r->all, (MgTuned){unit, param, (int64_t)value});
    }
    return true;
}

// Reads the current line. *ours: the file is for this machine.
static bool read_line(Reader *r, bool *ours) {
    size_t n;
    const char *begin = r->at, *w;
    if (r->line == 1)
        return is_word(begin, (size_t)(r->end - begin), first_line) ||
               wrong(r, "its first line is not 'mg tuned 1'");
    const char *comment = memchr(r->at, '#', (size_t)(r->end - r->at));
    r->end = comment ? comment : r->end;
    while (r->end > r->at && r->end[-1] == ' ')
        r->end--;
    w = word(r, &n);
    if (!w)
        return true;
    if (is_word(w, n, "unit"))
        return read_unit(r, false);
    if (is_word(w, n, "every"))
        return read_unit(r, true);
    if (!is_word(w, n, "machine"))
        return wrong(r, "a line begins with 'machine', 'unit' or 'every'");
    while (r->at < r->end && *r->at == ' ')
        r->at++;
    *ours = is_word(r->at, (size_t)(r->end - r->at), mg_tuned_machine(r->session));
    return true;
}

static bool read_bytes(MgSession *session, const MgFileBytes *file, bool quiet, MgTuning *tuning) {
    Reader r = {.session = session, .path = file->path, .quiet = quiet};
    bool ours = false;
    if (file->length > LARGEST)
        return wrong(&r, "it is larger than 4 MiB");
    if (!file->length) {
        r.line = 1;
        return wrong(&r, "its first line is not 'mg tuned 1'");
    }
    const char *at = (const char *)file->bytes, *end = at + file->length;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        r.at = at;
        r.end = newline ? newline : end;
        r.line++;
        at = newline ? newline + 1 : end;
        if (!read_line(&r, &ours))
            return false;
    }
    if (!ours) {
        if (!quiet)
            mg_diag(session, mg_no_span(), MG_D_tuned_other, file->path, mg_tuned_machine(session));
        return true;
    }
    if (r.all.len)
        qsort(r.all.at, r.all.len, sizeof *r.all.at, mg_tuned_order);
    tuning->at = r.all.at;
    tuning->n = r.all.len;
    return true;
}

bool mg_tuned_read(MgSession *session, const char *path, bool quiet, MgTuning *tuning) {
    MgFileBytes file;
    return !(quiet && access(path, R_OK)) && mg_file_read(session, path, mg_no_span(), &file) &&
           read_bytes(session, &file, quiet, tuning);
}

bool mg_tuned_find(MgSession *session, const char *path, const MgCache *cache, MgTuning *tuning) {
    if (path)
        return !path[0] || mg_tuned_read(session, path, false, tuning);
    MgFileBytes file;
    path = mg_tuned_default(session, cache);
    if (path && mg_file_read_private(session, path, &file))
        read_bytes(session, &file, true, tuning);
    return true;
}

void mg_tuned_print(MgSession *session, const char *name, const MgTuning *tuning,
                    const char *const *notes, MgText *out) {
    mg_textf(out, "%s\nmachine %s # %s\n", first_line, mg_tuned_machine(session), name);
    for (uint32_t i = 0; i < tuning->n; i++) {
        const MgTuned *t = &tuning->at[i];
        if (!i || t[-1].unit != t->unit)
            mg_textf(out, t->unit ? "unit %016" PRIx64 : "every", t->unit);
        mg_textf(out, " %s=%" PRId64, mg_params[t->param].name, t->value);
        if (i + 1 == tuning->n || t[1].unit != t->unit)
            mg_textf(out, "%s%s\n", notes && notes[i] ? " # " : "",
                     notes && notes[i] ? notes[i] : "");
    }
}
