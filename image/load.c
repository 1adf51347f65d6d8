// The relocating loader: it checks the object, places its sections in one mapping, resolves symbols
// and relocates, then protects each part: code is read and execute, constants are read only. If an
// image has several objects, each has its own mapping, and later objects may use what earlier ones
// export.
#include "image/load.h"

#include "image/relocate.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const MgRelocations *const machine = &MG_RELOCATIONS_HERE;
// Parts of the mapping, by address. TABLE holds the stubs of far functions and the GOT.
typedef enum Part { PART_CODE, PART_TABLE, PART_CONST, PART_DATA, PARTS } Part;

struct MgLoadedImage {
    struct {
        unsigned char *base;
        size_t size;
    } mappings[MG_IMAGE_MAX_PARTS];
    uint32_t n;
    const MgImage *image;
};

typedef struct Export {
    const char *name; // in the file
    uint64_t address;
} Export;

typedef struct Exports { // of the objects linked so far, sorted by name
    Export *at;
    size_t n;
} Exports;

typedef struct Loader {
    const unsigned char *file;
    size_t length;
    char *error;
    const Elf64_Ehdr *header;
    const Elf64_Shdr *sections;
    const char *names; // of sections
    size_t names_size;
    const Elf64_Sym *symbols;
    uint32_t n_symbols;
    const char *strings;
    size_t strings_size;
    size_t *place;     // by section: its offset in the mapping, or SIZE_MAX
    uint64_t *address; // by symbol: its address
    uint32_t *slot;    // by symbol: 1 + its entry in the table, 0 if it has none
    uint32_t n_slots;
    size_t page;
    size_t begin[PARTS + 1];
    unsigned char *base;
    Exports *exports;
} Loader;

static bool fail(Loader *l, const char *what, const char *name) {
    snprintf(l->error, MG_IMAGE_ERROR_MAX, name ? "%s '%.80s'" : "%s", what, name);
    return false;
}

// Bytes [offset, offset + size) of the file, or NULL if they are not all there or are misaligned.
static const void *at(const Loader *l, uint64_t offset, uint64_t size, size_t align) {
    if (offset > l->length || size > l->length - offset || offset % align)
        return NULL;
    return l->file + offset;
}

static const char *string(const char *table, size_t size, uint32_t offset) {
    return offset < size && memchr(table + offset, 0, size - offset) ? table + offset : NULL;
}

static bool read_header(Loader *l) {
    const Elf64_Ehdr *h = at(l, 0, sizeof *h, 1);
    if (!h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0)
        return fail(l, "not an ELF object", NULL);
    if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB ||
        h->e_type != ET_REL || h->e_machine != machine->machine)
        return fail(l, "not a relocatable object for", machine->name);
    if (h->e_shentsize != sizeof(Elf64_Shdr) || h->e_shstrndx >= h->e_shnum)
        return fail(l, "the section table is malformed", NULL);
    l->header = h;
    l->sections = at(l, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr), 8);
    if (!l->sections)
        return fail(l, "the section table lies outside the file", NULL);
    for (uint32_t i = 0; i < h->e_shnum; i++) {
        const Elf64_Shdr *s = &l->sections[i];
        bool stored = s->sh_type != SHT_NOBITS && s->sh_type != SHT_NULL;
        if (stored && !at(l, s->sh_offset, s->sh_size, 1))
            return fail(l, "a section lies outside the file", NULL);
        if (s->sh_type == SHT_NULL && (s->sh_flags & SHF_ALLOC))
            return fail(l, "a section that is not used has memory", NULL);
        if (s->sh_addralign > l->page || (s->sh_addralign & (s->sh_addralign - 1)))
            return fail(l, "a section has an unusable alignment", NULL);
        if ((s->sh_flags & SHF_ALLOC) && s->sh_size > (uint64_t)1 << 31)
            return fail(l, "a section is too large", NULL);
    }
    const Elf64_Shdr *names = &l->sections[h->e_shstrndx];
    l->names = at(l, names->sh_offset, names->sh_size, 1);
    l->names_size = names->sh_type == SHT_STRTAB ? names->sh_size : 0;
    return true;
}

static bool read_symbols(Loader *l) {
    for (uint32_t i = 0; i < l->header->e_shnum; i++) {
        const Elf64_Shdr *s = &l->sections[i];
        if (s->sh_type != SHT_SYMTAB)
            continue;
        l->symbols = at(l, s->sh_offset, s->sh_size, 8);
        if (!l->symbols || s->sh_entsize != sizeof(Elf64_Sym) || s->sh_link >= l->header->e_shnum ||
            l->sections[s->sh_link].sh_type != SHT_STRTAB)
            return fail(l, "the symbol table is malformed", NULL);
        l->n_symbols = (uint32_t)(s->sh_size / sizeof(Elf64_Sym));
        const Elf64_Shdr *strings = &l->sections[s->sh_link];
        l->strings = at(l, strings->sh_offset, strings->sh_size, 1);
        l->strings_size = strings->sh_size;
        return true;
    }
    return fail(l, "there is no symbol table", NULL);
}

static Part part_of(const Loader *l, const Elf64_Shdr *s) {
    if (s->sh_flags & SHF_EXECINSTR)
        return PART_CODE;
    if (!(s->sh_flags & SHF_WRITE))
        return PART_CONST;
    const char *name = string(l->names, l->names_size, s->sh_name);
    return name && strncmp(name, ".data.rel.ro", 12) == 0 ? PART_CONST : PART_DATA;
}

// Counts the symbols that need an entry in the table: those defined elsewhere, and those that code
// reaches through the GOT. Relocations are checked here, so that relocate() may trust them.
static bool scan_relocations(Loader *l) {
    for (uint32_t i = 0; i < l->header->e_shnum; i++) {
        const Elf64_Shdr *s = &l->sections[i];
        if (s->sh_type == SHT_REL)
            return fail(l, "relocations without addends are not supported", NULL);
        if (s->sh_type != SHT_RELA)
            continue;
        const Elf64_Rela *r = at(l, s->sh_offset, s->sh_size, 8);
        if (!r || s->sh_entsize != sizeof *r || s->sh_info >= l->header->e_shnum)
            return fail(l, "a relocation table is malformed", NULL);
        const Elf64_Shdr *to = &l->sections[s->sh_info];
        for (uint64_t n = s->sh_size / sizeof *r; n-- && (to->sh_flags & SHF_ALLOC); r++) {
            uint32_t symbol = ELF64_R_SYM(r->r_info), type = ELF64_R_TYPE(r->r_info);
            uint32_t width = machine->width(type);
            if (symbol >= l->n_symbols || to->sh_type == SHT_NOBITS || to->sh_size < width ||
                r->r_offset > to->sh_size - width)
                return fail(l, "a relocation lies outside its section", NULL);
            if ((machine->through_got(type) || l->symbols[symbol].st_shndx == SHN_UNDEF) &&
                symbol && !l->slot[symbol])
                l->slot[symbol] = ++l->n_slots;
        }
    }
    return true;
}

static bool lay_out(Loader *l) {
    size_t next = 0;
    bool placed = false;
    for (Part part = 0; part < PARTS; part++) {
        l->begin[part] = next;
        if (part == PART_CODE) // a sanitized caller reads a function's type in front of its code
            next += MG_ENTRY_BYTES;
        if (part == PART_TABLE)
            next += (size_t)l->n_slots * MG_ENTRY_BYTES;
        for (uint32_t i = 0; i < l->header->e_shnum; i++) {
            const Elf64_Shdr *s = &l->sections[i];
            if (!(s->sh_flags & SHF_ALLOC) || !s->sh_size || part == PART_TABLE ||
                part_of(l, s) != part)
                continue;
            size_t align = s->sh_addralign ? s->sh_addralign : 1;
            next = (next + align - 1) & ~(align - 1);
            l->place[i] = next;
            placed = true;
            next += s->sh_size;
            if (next > (size_t)1 << 31)
                return fail(l, "the object is too large", NULL);
        }
        next = (next + l->page - 1) & ~(l->page - 1);
    }
    l->begin[PARTS] = next;
    if (!placed)
        return fail(l, "the object is empty", NULL);
    l->base = mmap(NULL, next, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (l->base == MAP_FAILED) {
        l->base = NULL;
        return false; // without a message
    }
    for (uint32_t i = 0; i < l->header->e_shnum; i++)
        if (l->place[i] != SIZE_MAX && l->sections[i].sh_type != SHT_NOBITS)
            memcpy(l->base + l->place[i], l->file + l->sections[i].sh_offset,
                   l->sections[i].sh_size);
    return true;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const Export *)a)->name, ((const Export *)b)->name);
}

static uint64_t find_function(const Loader *l, const char *name) {
    Export key = {.name = name}, *found = NULL;
    if (l->exports->n)
        found = bsearch(&key, l->exports->at, l->exports->n, sizeof key, by_name);
    return found ? found->address : (uint64_t)(uintptr_t)dlsym(RTLD_DEFAULT, name);
}

static bool resolve(Loader *l) {
    for (uint32_t i = 1; i < l->n_symbols; i++) {
        const Elf64_Sym *s = &l->symbols[i];
        const char *name = string(l->strings, l->strings_size, s->st_name);
        if (!name)
            return fail(l, "the symbol table is malformed", NULL);
        if (s->st_shndx == SHN_UNDEF) {
            if (!l->slot[i])
                continue; // nothing refers to it
            l->address[i] = find_function(l, name);
            if (!l->address[i])
                return fail(l, "there is no function", name);
        } else if (s->st_shndx == SHN_ABS) {
            l->address[i] = s->st_value;
        } else if (s->st_shndx >= l->header->e_shnum) {
            return fail(l, "a symbol is of no section:", name);
        } else if (l->place[s->st_shndx] != SIZE_MAX) {
            if (s->st_value > l->sections[s->st_shndx].sh_size)
                return fail(l, "a symbol lies outside its section:", name);
            l->address[i] = (uint64_t)(uintptr_t)(l->base + l->place[s->st_shndx]) + s->st_value;
        }
    }
    return true;
}

static unsigned char *table_entry(const Loader *l, uint32_t symbol) {
    return l->base + l->begin[PART_TABLE] + (size_t)(l->slot[symbol] - 1) * MG_ENTRY_BYTES;
}

static void fill_table(Loader *l) {
    for (uint32_t i = 0; i < l->n_symbols; i++)
        if (l->slot[i]) {
            memcpy(table_entry(l, i), machine->jump, MG_JUMP_BYTES);
            memcpy(table_entry(l, i) + MG_JUMP_BYTES, &l->address[i], 8);
        }
}

static bool relocate_one(Loader *l, unsigned char *where, const Elf64_Rela *r) {
    uint32_t symbol = ELF64_R_SYM(r->r_info);
    const char *wrong = machine->apply(
        where,
        &(MgRelocation){.type = ELF64_R_TYPE(r->r_info),
                        .symbol = l->address[symbol],
                        .addend = (uint64_t)r->r_addend,
                        .place = (uint64_t)(uintptr_t)where,
                        .entry = l->slot[symbol] ? (uint64_t)(uintptr_t)table_entry(l, symbol) : 0,
                        .elsewhere = l->symbols[symbol].st_shndx == SHN_UNDEF});
    return wrong ? fail(l, wrong, NULL) : true;
}

static bool relocate(Loader *l) {
    for (uint32_t i = 0; i < l->header->e_shnum; i++) {
        const Elf64_Shdr *s = &l->sections[i];
        if (s->sh_type != SHT_RELA || l->place[s->sh_info] == SIZE_MAX)
            continue;
        const Elf64_Rela *r = (const Elf64_Rela *)(l->file + s->sh_offset);
        for (uint64_t n = s->sh_size / sizeof *r; n--; r++)
            if (!relocate_one(l, l->base + l->place[s->sh_info] + r->r_offset, r))
                return false;
    }
    return true;
}

static bool protect(Loader *l) {
    static const int access[PARTS] = {PROT_READ | PROT_EXEC, PROT_READ | PROT_EXEC, PROT_READ,
                                      PROT_READ | PROT_WRITE};
    for (Part part = 0; part < PARTS; part++) {
        size_t size = l->begin[part + 1] - l->begin[part];
        if (size && mprotect(l->base + l->begin[part], size, access[part]) != 0)
            return fail(l, "the system refuses executable memory", NULL);
    }
    // What was written as data may still be on its way when it is fetched as code.
    __builtin___clear_cache((char *)l->base, (char *)l->base + l->begin[PART_CONST]);
    return true;
}

static const MgImage *find_image(Loader *l) {
    for (uint32_t i = 1; i < l->n_symbols; i++) {
        const Elf64_Sym *s = &l->symbols[i];
        uint64_t size = sizeof(MgImage);
        if (s->st_shndx == SHN_UNDEF || strcmp(l->strings + s->st_name, "mg_image") != 0 ||
            !l->address[i])
            continue;
        uint64_t offset = l->address[i] - (uint64_t)(uintptr_t)l->base;
        if (offset > l->begin[PARTS] || l->begin[PARTS] - offset < size || l->address[i] % 8)
            break;
        const MgImage *image = (const MgImage *)(uintptr_t)l->address[i];
        if (image->magic == MG_IMAGE_MAGIC && image->abi == MG_IMAGE_ABI)
            return image;
        fail(l, "the image is of another version", NULL);
        return NULL;
    }
    fail(l, "the object holds no image", NULL);
    return NULL;
}

// Makes the object's global functions available to later objects.
static bool export(Loader *l) {
    Exports *e = l->exports;
    Export *grown = realloc(e->at, (e->n + l->n_symbols + 1) * sizeof *grown);
    if (!grown)
        return false; // without a message
    e->at = grown;
    for (uint32_t i = 1; i < l->n_symbols; i++) {
        const Elf64_Sym *s = &l->symbols[i];
        if (s->st_shndx != SHN_UNDEF && ELF64_ST_BIND(s->st_info) == STB_GLOBAL && l->address[i])
            e->at[e->n++] = (Export){l->strings + s->st_name, l->address[i]};
    }
    qsort(e->at, e->n, sizeof *e->at, by_name);
    return true;
}

static bool link_object(Loader *l) {
    if (!read_header(l) || !read_symbols(l))
        return false;
    uint32_t sections = l->header->e_shnum;
    l->place = malloc(sections * sizeof *l->place + 1);
    l->address = calloc(l->n_symbols + 1, sizeof *l->address);
    l->slot = calloc(l->n_symbols + 1, sizeof *l->slot);
    if (!l->place || !l->address || !l->slot)
        return false; // without a message
    memset(l->place, 0xff, sections * sizeof *l->place);
    if (!scan_relocations(l) || !lay_out(l) || !resolve(l))
        return false;
    fill_table(l);
    return relocate(l) && protect(l) && export(l);
}

// Loads object number `loaded->n` of the image; the last one holds the constant.
static bool load_object(MgLoadedImage *loaded, Exports *exports, const unsigned char *bytes,
                        size_t length, bool last, char *error) {
    Loader l = {.file = bytes,
                .length = length,
                .error = error,
                .page = (size_t)sysconf(_SC_PAGESIZE),
                .exports = exports};
    bool good = link_object(&l);
    if (l.base) {
        loaded->mappings[loaded->n].base = l.base;
        loaded->mappings[loaded->n++].size = l.begin[PARTS];
    }
    if (good && last)
        good = (loaded->image = find_image(&l)) != NULL;
    free(l.place);
    free(l.address);
    free(l.slot);
    return good;
}

static bool load_parts(MgLoadedImage *loaded, Exports *exports, const unsigned char *bytes,
                       size_t length, char *error) {
    MgImageParts head;
    size_t at = sizeof head;
    if (length < sizeof head || memcmp(bytes, MG_IMAGE_PARTS_MAGIC, sizeof head.magic) != 0)
        return load_object(loaded, exports, bytes, length, true, error);
    memcpy(&head, bytes, sizeof head);
    bool good = head.count > 0 && head.count <= MG_IMAGE_MAX_PARTS;
    if (!good)
        snprintf(error, MG_IMAGE_ERROR_MAX, "the table of objects is malformed");
    for (uint64_t i = 0; i < head.count && good; i++) {
        if (at > length || head.length[i] > length - at) {
            snprintf(error, MG_IMAGE_ERROR_MAX, "an object lies outside the file");
            return false;
        }
        good = load_object(loaded, exports, bytes + at, head.length[i], i + 1 == head.count, error);
        at += (head.length[i] + 7) & ~(size_t)7;
    }
    return good;
}

MgLoadedImage *mg_image_load(const void *bytes, size_t length, char *error) {
    unsigned char *aligned = NULL;
    Exports exports = {0};
    MgLoadedImage *loaded = calloc(1, sizeof *loaded);
    if ((uintptr_t)bytes % 8) // the loader reads tables in place
        aligned = malloc(length ? length : 1);
    error[0] = 0;
    if (!loaded || ((uintptr_t)bytes % 8 && !aligned)) {
        free(loaded);
        free(aligned);
        return NULL;
    }
    if (aligned)
        memcpy(aligned, bytes, length);
    if (!load_parts(loaded, &exports, aligned ? aligned : bytes, length, error)) {
        mg_image_unload(loaded);
        loaded = NULL;
    }
    free(exports.at);
    free(aligned);
    return loaded;
}

const MgImage *mg_loaded_image(const MgLoadedImage *loaded) {
    return loaded->image;
}

void mg_image_unload(MgLoadedImage *loaded) {
    if (!loaded)
        return;
    for (uint32_t i = 0; i < loaded->n; i++)
        munmap(loaded->mappings[i].base, loaded->mappings[i].size);
    free(loaded);
}
