// The tables of commands and flags. Parsing, --help, the man page and the shells' completion derive
// from them.
#ifndef MG_TOOLS_OPTIONS_TABLE_H
#define MG_TOOLS_OPTIONS_TABLE_H

#include "tools/options.h"

typedef struct MgcCommandRow {
    MgcCommand command;
    const char *name, *arguments, *help;
    bool needs_file;
} MgcCommandRow;
extern const MgcCommandRow mgc_commands[];
extern const size_t mgc_n_commands;

typedef enum MgcFlagKind {
    SWITCH,         // bool
    TEXT,           // const char *
    LIST,           // MgcList
    NUMBER,         // int64_t between low and high
    REAL,           // double, not negative
    CONSTANT,       // int64_t: set to low
    CHOICE,         // int64_t: the index among the words of `value`, which | separates
    EMIT,           // MgcEmit, by the flag's name
    SWITCH_AND_TEXT // bool; what follows `=` is the const char * at `second`
} MgcFlagKind;

typedef struct MgcFlag {
    const char *name, *value, *help;
    unsigned commands;
    MgcFlagKind kind;
    size_t offset, second;
    int64_t low, high;
} MgcFlag;
extern const MgcFlag mgc_flags[];
extern const size_t mgc_n_flags;

#endif
