// Fuzzes the reader of .mgb: sections lie inside the file. Hashes are set right first, as an
// attacker would do. The first byte says how many sections the table has.
#include "fuzz_file.h"

#include "runtime/package.h"

enum { HEAD = 24, ROW = 40 };

static void read(MgSession *session, const uint8_t *data, size_t size) {
    static const char magic[8] = "MGBOX\r\n\1";
    MgPackage package;
    MgFileBytes map = {.path = "fuzz", .bytes = data, .length = size};
    mg_package_of_bytes(session, &map, &package);
    if (size < HEAD + ROW)
        return;
    unsigned char *bytes = mg_arena_copy(session->arena, data, size, 1);
    uint64_t n = data[0] % ((size - HEAD) / ROW) + 1, hash = mg_hash(bytes + HEAD, n * ROW, 0);
    memcpy(bytes, magic, 8);
    memcpy(bytes + 8, &n, 8);
    memcpy(bytes + 16, &hash, 8);
    map.bytes = bytes;
    mg_package_of_bytes(session, &map, &package);
    for (uint32_t i = 0; i < package.sections.len; i++)
        fuzz_touch(package.sections.at[i].bytes, package.sections.at[i].length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_file(data, size, read);
}
