// Tests the compile cache: a damaged entry is a miss, a failed write is no error, the limit holds.
#include "runtime/cache.h"
#include "tests/unit/check.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char dir[256];

static MgCacheKey key_of(const char *text) {
    MgCachePart part = {text, strlen(text)};
    return mg_cache_key(&part, 1);
}

static MgCache *open_new(uint64_t limit) {
    snprintf(dir, sizeof dir, "/tmp/mg-test-cache-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
    MgCache *cache = mg_cache_open(dir, limit);
    ck_assert_ptr_nonnull(cache);
    ck_assert_ptr_null(mg_cache_note(cache));
    return cache;
}

// Calls see for every file of the directory, and returns their number.
static int each_file(void (*see)(const char *path)) {
    int n = 0;
    char path[600];
    DIR *d = opendir(dir);
    for (struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.' && (!e->d_name[1] || !strcmp(e->d_name, "..")))
            continue;
        snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
        n++;
        if (see)
            see(path);
    }
    closedir(d);
    return n;
}

static void remove_file(const char *path) {
    unlink(path);
}

static void close_and_remove(MgCache *cache) {
    mg_cache_close(cache);
    chmod(dir, 0700);
    each_file(remove_file);
    rmdir(dir);
}

static char found_path[600];
static void remember(const char *path) {
    snprintf(found_path, sizeof found_path, "%s", path);
}

// Is the key found? If it is, its bytes must be exactly these.
static bool holds(MgCache *cache, MgCacheKey key, const char *text) {
    void *bytes;
    size_t length;
    if (!mg_cache_get(cache, key, &bytes, &length))
        return false;
    ck_assert_uint_eq(length, strlen(text));
    ck_assert_mem_eq(bytes, text, length);
    free(bytes);
    return true;
}

START_TEST(keeps_and_finds) {
    MgCache *cache = open_new(0);
    MgCacheKey a = key_of("a"), b = key_of("b");
    ck_assert(!holds(cache, a, ""));
    ck_assert(mg_cache_put(cache, a, "payload", 7));
    ck_assert(holds(cache, a, "payload"));
    ck_assert(!holds(cache, b, ""));
    ck_assert(mg_cache_put(cache, a, "", 0)); // replaces; empty is allowed
    ck_assert(holds(cache, a, ""));
    ck_assert_int_eq(each_file(NULL), 1);
    close_and_remove(cache);
}
END_TEST

START_TEST(keys_cover_all_parts) {
    MgCachePart one[] = {{"ab", 2}, {"c", 1}}, two[] = {{"a", 1}, {"bc", 2}},
                three[] = {{"abc", 3}};
    MgCacheKey k1 = mg_cache_key(one, 2), k2 = mg_cache_key(two, 2), k3 = mg_cache_key(three, 1);
    MgCacheKey again = mg_cache_key(one, 2);
    ck_assert(k1.low == again.low && k1.high == again.high);
    ck_assert(k1.low != k2.low && k2.low != k3.low && k1.low != k3.low);
}
END_TEST

// Cuts an entry at every length, then flips every bit. Each is a miss, and a put repairs it.
START_TEST(damage_is_a_miss) {
    MgCache *cache = open_new(0);
    MgCacheKey key = key_of("x");
    unsigned char file[256];
    ck_assert(mg_cache_put(cache, key, "some payload", 12));
    each_file(remember);
    int fd = open(found_path, O_RDONLY);
    ssize_t size = read(fd, file, sizeof file);
    close(fd);
    ck_assert_int_eq(size, 8 + 5 * 8 + 12);
    for (ssize_t n = 0; n < size; n++) {
        ck_assert_int_eq(truncate(found_path, n), 0);
        ck_assert(!holds(cache, key, ""));
        ck_assert(mg_cache_put(cache, key, "some payload", 12));
        ck_assert(holds(cache, key, "some payload"));
    }
    for (ssize_t bit = 0; bit < 8 * size; bit++) {
        unsigned char turned = file[bit / 8] ^ (unsigned char)(1 << bit % 8);
        fd = open(found_path, O_WRONLY);
        ck_assert_int_eq(pwrite(fd, &turned, 1, bit / 8), 1);
        ck_assert(!holds(cache, key, ""));
        ck_assert_int_eq(pwrite(fd, &file[bit / 8], 1, bit / 8), 1);
        close(fd);
    }
    ck_assert(holds(cache, key, "some payload"));
    fd = open(found_path, O_WRONLY | O_APPEND);
    ck_assert_int_eq(write(fd, "x", 1), 1);
    close(fd);
    ck_assert(!holds(cache, key, ""));
    // an entry under another's name
    MgCacheKey other = key_of("y");
    char path[600];
    ck_assert(mg_cache_put(cache, key, "some payload", 12));
    snprintf(path, sizeof path, "%s/%016llx%016llx.mgo", dir, (unsigned long long)other.high,
             (unsigned long long)other.low);
    ck_assert_int_eq(rename(found_path, path), 0);
    ck_assert(!holds(cache, other, ""));
    close_and_remove(cache);
}
END_TEST

// Sets an entry's age, since the resolution of a file system's clock is unknown.
static void age(MgCacheKey key, int seconds) {
    char path[600];
    struct timespec then = {.tv_sec = time(NULL) - seconds};
    snprintf(path, sizeof path, "%s/%016llx%016llx.mgo", dir, (unsigned long long)key.high,
             (unsigned long long)key.low);
    ck_assert_int_eq(utimensat(AT_FDCWD, path, (struct timespec[]){then, then}, 0), 0);
}

START_TEST(oldest_go_first) {
    MgCache *cache = open_new(5 * 1048);
    char payload[1000] = {0}, name[8];
    for (int i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "%d", i);
        ck_assert(mg_cache_put(cache, key_of(name), payload, sizeof payload));
        age(key_of(name), 100 - i);
    }
    void *bytes;
    size_t length;
    ck_assert(mg_cache_get(cache, key_of("0"), &bytes, &length)); // used last
    free(bytes);
    ck_assert(mg_cache_put(cache, key_of("5"), payload, sizeof payload));
    ck_assert_int_eq(each_file(NULL), 5);
    ck_assert(mg_cache_get(cache, key_of("0"), &bytes, &length));
    free(bytes);
    ck_assert(!mg_cache_get(cache, key_of("1"), &bytes, &length));
    ck_assert(mg_cache_get(cache, key_of("5"), &bytes, &length));
    free(bytes);
    close_and_remove(cache);
}
END_TEST

// A file has the directory's name (a mode would not stop root).
START_TEST(unusable_directory) {
    char path[300];
    MgCache *cache = open_new(0);
    snprintf(path, sizeof path, "%s/file", dir);
    close(open(path, O_WRONLY | O_CREAT, 0600));
    strcat(path, "/cache");
    MgCache *broken = mg_cache_open(path, 0);
    void *bytes;
    size_t length;
    ck_assert_ptr_nonnull(strstr(mg_cache_note(broken), path));
    ck_assert(!mg_cache_put(broken, key_of("x"), "1", 1));
    ck_assert(!mg_cache_get(broken, key_of("x"), &bytes, &length));
    mg_cache_close(broken);
    ck_assert_int_eq(chmod(dir, 0777), 0); // entries are executed
    broken = mg_cache_open(dir, 0);
    ck_assert_ptr_nonnull(strstr(mg_cache_note(broken), "others can write"));
    mg_cache_close(broken);
    broken = mg_cache_open("", 0);
    ck_assert_ptr_nonnull(mg_cache_note(broken));
    mg_cache_close(broken);
    close_and_remove(cache);
}
END_TEST

// Makes the folder dir/a/b/c and returns the cache's message there, if the parent has this mode.
static bool refused_below(mode_t mode, const char *word) {
    char path[300];
    snprintf(path, sizeof path, "%s/a", dir);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    ck_assert_int_eq(chmod(path, mode), 0);
    strcat(path, "/b/c");
    MgCache *cache = mg_cache_open(path, 0);
    const char *note = mg_cache_note(cache);
    bool refused = mg_cache_refused(cache), says = note && strstr(note, word);
    mg_cache_close(cache);
    for (int i = 0; i < 3; i++) {
        rmdir(path);
        *strrchr(path, '/') = 0;
    }
    return refused && says;
}

// Entries are executed, so the folder must belong to the user alone, and nobody else may replace
// it.
START_TEST(writable_by_others) {
    static const struct {
        mode_t mode;
        const char *why;
    } rows[] = {{0777, "others can write"},
                {0770, "its group can write"},
                {01777, "others can write"},
                {0702, "others can write"},
                {0720, "its group can write"}};
    MgCache *cache = open_new(0);
    ck_assert(!mg_cache_refused(cache));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_int_eq(chmod(dir, rows[i].mode), 0);
        MgCache *other = mg_cache_open(dir, 0);
        ck_assert(mg_cache_refused(other));
        ck_assert_ptr_nonnull(strstr(mg_cache_note(other), rows[i].why));
        ck_assert_ptr_null(mg_cache_folder(other));
        mg_cache_close(other);
    }
    ck_assert_int_eq(chmod(dir, 0755), 0);
    MgCache *other = mg_cache_open(dir, 0);
    ck_assert(!mg_cache_refused(other));
    mg_cache_close(other);
    ck_assert(refused_below(0777, "can be written by others"));
    ck_assert(refused_below(0770, "can be written by others"));
    ck_assert(!refused_below(01777, "")); // sticky, as /tmp
    ck_assert(!refused_below(0755, ""));
    if (geteuid() == 0) { // root trusts only root
        ck_assert_int_eq(chown(dir, 12345, (gid_t)-1), 0);
        other = mg_cache_open(dir, 0);
        ck_assert_ptr_nonnull(strstr(mg_cache_note(other), "it belongs to another user"));
        mg_cache_close(other);
        char path[300];
        snprintf(path, sizeof path, "%s/below", dir);
        other = mg_cache_open(path, 0);
        ck_assert_ptr_nonnull(strstr(mg_cache_note(other), "belongs to another user"));
        mg_cache_close(other);
        rmdir(path);
        ck_assert_int_eq(chown(dir, 0, (gid_t)-1), 0);
    }
    close_and_remove(cache);
}
END_TEST

// An entry that somebody else could have written is a miss, and so is one in another place.
START_TEST(planted_entries) {
    MgCache *cache = open_new(0);
    MgCacheKey key = key_of("x");
    char away[620];
    ck_assert(mg_cache_put(cache, key, "payload", 7));
    each_file(remember);
    ck_assert_int_eq(chmod(found_path, 0620), 0);
    ck_assert(!holds(cache, key, ""));
    ck_assert_int_eq(chmod(found_path, 0602), 0);
    ck_assert(!holds(cache, key, ""));
    ck_assert_int_eq(chmod(found_path, 0644), 0);
    ck_assert(holds(cache, key, "payload"));
    if (geteuid() == 0) {
        ck_assert_int_eq(chown(found_path, 12345, (gid_t)-1), 0);
        ck_assert(!holds(cache, key, ""));
        ck_assert_int_eq(chown(found_path, 0, (gid_t)-1), 0);
    }
    snprintf(away, sizeof away, "%s/away", dir);
    ck_assert_int_eq(rename(found_path, away), 0);
    ck_assert_int_eq(symlink(away, found_path), 0);
    ck_assert(!holds(cache, key, ""));
    unlink(found_path);
    ck_assert_int_eq(mkfifo(found_path, 0600), 0); // it doesn't wait for other processes
    ck_assert(!holds(cache, key, ""));
    ck_assert(mg_cache_put(cache, key, "payload", 7));
    ck_assert(holds(cache, key, "payload"));
    close_and_remove(cache);
}
END_TEST

START_TEST(read_only_directory) {
    MgCache *cache = open_new(0);
    ck_assert(mg_cache_put(cache, key_of("x"), "1", 1));
    ck_assert_int_eq(chmod(dir, 0500), 0);
    if (geteuid() != 0) {
        ck_assert(!mg_cache_put(cache, key_of("y"), "1", 1));
        ck_assert_ptr_nonnull(mg_cache_note(cache));
    }
    ck_assert(holds(cache, key_of("x"), "1"));
    close_and_remove(cache);
}
END_TEST

// Two processes that write and read the same entries must never see half of one.
START_TEST(processes_share) {
    enum { ROUNDS = 300 };
    MgCache *cache = open_new(0);
    static const char *const texts[] = {"first text", "a second and longer text"};
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    int me = child == 0, bad = 0;
    for (int i = 0; i < ROUNDS; i++) {
        void *bytes;
        size_t length;
        bad += !mg_cache_put(cache, key_of("shared"), texts[me], strlen(texts[me]));
        if (!mg_cache_get(cache, key_of("shared"), &bytes, &length)) {
            bad++;
            continue;
        }
        bool one = length == strlen(texts[0]) && !memcmp(bytes, texts[0], length);
        bool two = length == strlen(texts[1]) && !memcmp(bytes, texts[1], length);
        bad += !one && !two;
        free(bytes);
    }
    if (child == 0)
        _exit(bad != 0);
    int status;
    waitpid(child, &status, 0);
    ck_assert_int_eq(bad, 0);
    ck_assert_int_eq(status, 0);
    ck_assert_int_eq(each_file(NULL), 1);
    close_and_remove(cache);
}
END_TEST

MG_TEST_MAIN("cache", keeps_and_finds, keys_cover_all_parts, damage_is_a_miss, oldest_go_first,
             unusable_directory, writable_by_others, planted_entries, read_only_directory,
             processes_share)
