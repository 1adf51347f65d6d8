#include "tools/train_files.h"

#include "support/files.h"
#include "tools/mgc.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "step-%06" PRIu64

static int make_folder(const char *path) {
    struct stat s;
    if (!mkdir(path, 0777) || (errno == EEXIST && !stat(path, &s) && S_ISDIR(s.st_mode)))
        return 0;
    return mgc_fail(1, "cannot make the folder '%s': %s", path, strerror(errno));
}

int mgc_checkpoint_check(const char *folder) {
    int status = make_folder(folder);
    return !status && access(folder, W_OK)
               ? mgc_fail(1, "cannot write to the folder '%s': %s", folder, strerror(errno))
               : status;
}

// Is there a checkpoint of this name? Its train.json is written last.
static bool is_there(MgSession *session, const char *folder, const char *name) {
    return !strncmp(name, "step-", 5) && !strchr(name, '/') &&
           !access(mg_arena_printf(session->arena, "%s/%s/train.json", folder, name), F_OK);
}

// The first line of DIR/latest; NULL: it can't be read.
static const char *first_line(MgSession *session, const char *folder) {
    char name[64] = "";
    FILE *f = fopen(mg_arena_printf(session->arena, "%s/latest", folder), "r");
    bool ok = f && (fgets(name, sizeof name, f) || feof(f));
    if (f)
        fclose(f);
    size_t n = strcspn(name, "\n");
    return ok ? mg_arena_str(session->arena, name, n) : NULL;
}

// The checkpoint that DIR/latest names, or NULL.
static const char *latest(MgSession *session, const char *folder) {
    const char *name = first_line(session, folder);
    return name && is_there(session, folder, name) ? name : NULL;
}

// Orders names of checkpoints by their steps.
static int compare_names(const char *a, const char *b) {
    uint64_t m = strtoull(a + strlen("step-"), NULL, 10),
             n = strtoull(b + strlen("step-"), NULL, 10);
    return m != n ? (m > n) - (m < n) : strcmp(a, b);
}

// The checkpoint of the last step, or NULL.
static const char *newest(MgSession *session, const char *folder) {
    const char *name = NULL;
    DIR *d = opendir(folder);
    for (const struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        if (is_there(session, folder, e->d_name) && (!name || compare_names(e->d_name, name) > 0))
            name = mg_arena_str(session->arena, e->d_name, strlen(e->d_name));
    if (d)
        closedir(d);
    return name;
}

// Says why there is no latest checkpoint, and which is the newest one there.
static int no_latest(MgSession *session, const char *folder) {
    const char *line = first_line(session, folder), *there = newest(session, folder);
    const char *hint =
        there ? mg_arena_printf(session->arena,
                                ". The newest checkpoint there is '%s': to go on from it, write "
                                "this name into '%s/latest'",
                                there, folder)
              : "";
    if (!line)
        return mgc_fail(1, "'%s' has no checkpoint: it has no file 'latest' that names one%s",
                        folder, hint);
    for (const char *c = line; *c; c++)
        if (*c < ' ' || *c > '~')
            return mgc_fail(1, "'%s/latest' is damaged: it names no checkpoint%s", folder, hint);
    return mgc_fail(1, "'%s/latest' names '%s', but there is no such checkpoint%s", folder, line,
                    hint);
}

// ---------------------------------------------------------------- saving

static void remove_checkpoint(MgSession *session, const char *folder, const char *name) {
    static const char *const files[] = {"train.json", "weights.safetensors", "state.safetensors"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(mg_arena_printf(session->arena, "%s/%s/%s", folder, name, files[i]));
    rmdir(mg_arena_printf(session->arena, "%s/%s", folder, name)); // stays if there is more in it
}

// Removes all checkpoints but the last two.
static void remove_older(MgSession *session, const char *folder, const char *last,
                         const char *before) {
    MG_VEC(const char *) old = {0};
    DIR *d = opendir(folder);
    for (const struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        if (!strncmp(e->d_name, "step-", 5) && strcmp(e->d_name, last) != 0 &&
            (!before || strcmp(e->d_name, before) != 0))
            mg_push(session->arena, &old,
                    mg_arena_str(session->arena, e->d_name, strlen(e->d_name)));
    if (d)
        closedir(d);
    for (uint32_t i = 0; i < old.len; i++)
        remove_checkpoint(session, folder, old.at[i]);
}

static bool write_text(MgSession *session, const char *path, const char *text) {
    return mg_file_write(session, path, &(MgBytes){text, strlen(text)}, 1);
}

static int not_saved(MgSession *session, const char *folder, const char *name, const char *before) {
    remove_checkpoint(session, folder, name); // its files take space
    const char *stands = before ? mg_arena_printf(session->arena, "; '%s' stands", before) : "";
    return mgc_fail(1, "the checkpoint '%s' in '%s' was not saved%s", name, folder, stands);
}

int mgc_checkpoint_save(MgSession *session, MgTrain *train, const char *folder,
                        const MgcTrainPlace *place) {
    const char *before = latest(session, folder),
               *name = mg_arena_printf(session->arena, NAME, place->step);
    if (!before) // 'latest' is damaged or isn't there
        before = newest(session, folder);
    if (before && !strcmp(before, name)) // another training's; it stands until this one is whole
        name = mg_arena_printf(session->arena, NAME "-again", place->step);
    const char *path = mg_arena_printf(session->arena, "%s/%s", folder, name);
    remove_checkpoint(session, folder, name); // of another training; not the one before
    int status = make_folder(path);
    if (status)
        return status;
    if (mg_train_save(train, path)) {
        mgc_complain(1, mg_train_message(train));
        return not_saved(session, folder, name, before);
    }
    const char *json =
        mg_arena_printf(session->arena,
                        "{\"step\": %" PRIu64 ", \"samples\": %" PRIu64 ", \"seed\": \"%" PRIu64
                        "\", \"batch\": %" PRIu64 ", \"accumulate\": %" PRIu64 "}\n",
                        place->step, place->samples, place->seed, place->batch, place->accumulate);
    if (!write_text(session, mg_arena_printf(session->arena, "%s/train.json", path), json) ||
        !write_text(session, mg_arena_printf(session->arena, "%s/latest", folder),
                    mg_arena_printf(session->arena, "%s\n", name)))
        return not_saved(session, folder, name, before); // the session has the reason
    remove_older(session, folder, name, before);
    return 0;
}

// ---------------------------------------------------------------- loading

static bool whole(const cJSON *json, const char *name, uint64_t *to) {
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(json, name);
    char *end = NULL;
    errno = 0;
    if (cJSON_IsNumber(v) && v->valuedouble >= 0 && v->valuedouble < 0x1p53)
        *to = (uint64_t)v->valuedouble;
    else if (cJSON_IsString(v))
        *to = strtoull(v->valuestring, &end, 10);
    else
        return false;
    return !end || (end != v->valuestring && !*end && !errno);
}

// Reports the options of the checkpoint that differ from those of the training.
static void compare(const cJSON *json, const char *folder, const MgcTrainPlace *place) {
    const struct {
        const char *name;
        uint64_t now;
    } options[] = {{"batch", place->batch}, {"accumulate", place->accumulate}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        uint64_t was;
        if (whole(json, options[i].name, &was) && was != options[i].now)
            fprintf(stderr,
                    "mgc: note: the training in '%s' had --%s=%" PRIu64
                    "; it goes on with --%s=%" PRIu64 ", not as it would have without a stop\n",
                    folder, options[i].name, was, options[i].name, options[i].now);
    }
}

int mgc_checkpoint_load(MgSession *session, MgTrain *train, const char *folder,
                        MgcTrainPlace *place) {
    const char *name = latest(session, folder);
    if (!name)
        return no_latest(session, folder);
    const char *path = mg_arena_printf(session->arena, "%s/%s", folder, name),
               *file = mg_arena_printf(session->arena, "%s/train.json", path);
    MgFileBytes bytes;
    if (!mg_file_read(session, file, mg_no_span(), &bytes))
        return 1;
    cJSON *json = cJSON_ParseWithLength((const char *)bytes.bytes, bytes.length);
    bool ok = json && whole(json, "step", &place->step) &&
              whole(json, "samples", &place->samples) && whole(json, "seed", &place->seed);
    if (ok)
        compare(json, folder, place);
    cJSON_Delete(json);
    if (!ok)
        return mgc_fail(1, "'%s' is not what mgc train writes: it needs step, samples and seed",
                        file);
    return mg_train_load(train, path) ? mgc_complain(1, mg_train_message(train)) : 0;
}
