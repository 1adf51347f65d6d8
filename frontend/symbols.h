// The names of one file: what it defines, where each is visible, and where each is used.
//
// The index is made from the syntax tree alone, so a file with errors has one too, and it is cheap
// enough to be made anew on every change. Names of other files and of the standard library are left
// to the caller: such a use records the import and the name.
#ifndef MG_FRONTEND_SYMBOLS_H
#define MG_FRONTEND_SYMBOLS_H

#include "frontend/ast.h"

typedef enum MgSymbolKind {
    MG_SYMBOL_GRAPH,
    MG_SYMBOL_LAYER,
    MG_SYMBOL_OP,
    MG_SYMBOL_BUILTIN,
    MG_SYMBOL_DERIVATIVE, // of an op; no text can name it
    MG_SYMBOL_IMPORT,     // the alias of a module
    MG_SYMBOL_TYPE,       // T of op f<T: float>
    MG_SYMBOL_OPERAND,
    MG_SYMBOL_ATTRIBUTE,
    MG_SYMBOL_RESULT,
    MG_SYMBOL_DIM, // a dimension or a pack of them
    MG_SYMBOL_PARAM,
    MG_SYMBOL_BUFFER,
    MG_SYMBOL_INSTANCE, // of a layer
    MG_SYMBOL_CONST,
    MG_SYMBOL_VALUE,
    MG_SYMBOL_CARRY, // a value that a loop hands from one trip to the next
    MG_SYMBOL_INDEX, // of an equation, a reduction, a loop
    MG_SYMBOL_KIND_COUNT
} MgSymbolKind;
const char *mg_symbol_kind_text(MgSymbolKind kind); // "graph", "dimension", …

#define MG_NO_SYMBOL UINT32_MAX

typedef struct MgSymbol {
    MgSymbolKind kind;
    MgSym name;
    MgSpan span;             // the name where it is first defined
    MgSpan whole;            // the item, parameter or statement that defines it
    MgSpan visible;          // where it is visible
    uint32_t scope;          // two symbols of one scope have different names
    uint32_t item;           // the symbol of the item around it, or MG_NO_SYMBOL
    const MgAstItem *ast;    // of a graph, layer, op or builtin
    const MgAstParam *param; // of an operand or attribute
    const MgAstType *type;   // as declared; NULL: inferred
    uint32_t import;         // the number of an import
} MgSymbol;

// The meaning of a use for which the file has no symbol.
typedef struct MgOutside {
    bool imported; // a name of import number `import`; else one of the standard library, or unknown
    uint32_t import; // of the file's imports
    MgSym name;      // of the item
    MgSym attribute; // one of its operands or attributes; 0: the item itself
} MgOutside;

typedef struct MgUse {
    MgSpan span; // of the name alone: one segment of a dotted path
    uint32_t symbol;
    bool defines;
    MgOutside outside; // if symbol is MG_NO_SYMBOL
} MgUse;

typedef struct MgSymbols {
    const MgAstFile *file;
    MG_VEC(MgSymbol) all;
    MG_VEC(MgUse) uses; // sorted by place, definitions included
} MgSymbols;

// Makes the index in the session's arena. file may have syntax errors.
MgSymbols *mg_symbols(MgSession *session, const MgAstFile *file);
// The use whose name covers offset, or ends there. NULL if there is none.
const MgUse *mg_symbols_at(const MgSymbols *symbols, uint32_t offset);
// The symbol that name means at offset, or MG_NO_SYMBOL.
uint32_t mg_symbols_find(const MgSymbols *symbols, uint32_t offset, MgSym name);
// The operand or attribute `name` of item, or MG_NO_SYMBOL.
uint32_t mg_symbols_parameter(const MgSymbols *symbols, uint32_t item, MgSym name);

#endif
