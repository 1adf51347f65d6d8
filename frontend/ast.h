// The tree of a .mg file, as the parser builds it: syntax alone, before names, types or shapes.
//
// Every construct is a struct with named fields. A construct with several forms is a tagged union.
// Nodes live in the session's arena and do not change after parsing. Every node has the span of its
// text. The parser guarantees two bounds, so code that reads the tree may recurse without a counter
// of its own: no expression is deeper than MG_AST_MAX_DEPTH, and no block is nested deeper than
// MG_AST_MAX_BLOCKS. A statement or item with a syntax error is reported and left out of the tree.
#ifndef MG_FRONTEND_AST_H
#define MG_FRONTEND_AST_H

#include "support/diag.h"

// The unit of depth is one operator of a chain (a + b + …, which leans to the left). Any other
// level counts as MG_AST_LEVEL units. So a long sum is allowed, and no path is longer than the
// limit.
#define MG_AST_MAX_DEPTH 12000
#define MG_AST_LEVEL 12
#define MG_AST_MAX_BLOCKS 100

typedef struct MgAstExpr MgAstExpr;
typedef struct MgAstStmt MgAstStmt;
typedef struct MgAstSub MgAstSub;
typedef struct MgAstArg MgAstArg;

// A name at the place where it is written. A dotted path (`nn.linear`, `wte.weight`) is one symbol,
// dots included. An optional name that is absent has symbol 0, the empty name.
typedef struct MgAstName {
    MgSym sym;
    MgSpan span;
} MgAstName;
typedef MG_VEC(MgAstName) MgAstNames;

// ---------------------------------------------------------------- expressions

typedef MG_VEC(MgAstExpr *) MgAstExprs;
typedef MG_VEC(MgAstSub) MgAstSubs;
typedef MG_VEC(MgAstArg) MgAstArgs;

// `a..b` (half-open) or `a..=b` (closed). In a list or after `@` it may be a single expression;
// then last is NULL. If the range is absent, first is NULL.
typedef struct MgAstRange {
    MgSpan span;
    MgAstExpr *first, *last;
    bool closed;
} MgAstRange;
typedef MG_VEC(MgAstRange) MgAstRanges;

// An index, or a pack of indices, where it is bound: `k`, `k in 0..n`, `..k`, `..k in 0..kernel`.
typedef struct MgAstBinder {
    MgSpan span;
    MgAstName name;
    bool pack;
    MgAstRange range; // first is NULL if it is not given
} MgAstBinder;
typedef MG_VEC(MgAstBinder) MgAstBinders;

typedef enum MgAstOp {
#define MG_AST_OPS(X)                                                                              \
    X(OR, "or")                                                                                    \
    X(AND, "and")                                                                                  \
    X(NOT, "not")                                                                                  \
    X(EQ, "==")                                                                                    \
    X(NE, "!=")                                                                                    \
    X(LT, "<")                                                                                     \
    X(LE, "<=")                                                                                    \
    X(GT, ">")                                                                                     \
    X(GE, ">=")                                                                                    \
    X(ADD, "+")                                                                                    \
    X(SUB, "-")                                                                                    \
    X(MUL, "*")                                                                                    \
    X(DIV, "/")                                                                                    \
    X(MOD, "%")                                                                                    \
    X(NEG, "-")
#define X(id, text) MG_AST_##id,
    MG_AST_OPS(X)
#undef X
        MG_AST_OP_COUNT
} MgAstOp;
const char *mg_ast_op_text(MgAstOp op);

typedef enum MgAstExprKind {
    MG_EXPR_INT,    // 12, 0x1f
    MG_EXPR_FLOAT,  // 0.5, 1e-5, 0x1.8p+1 (inf and nan are names)
    MG_EXPR_STRING, // "same"
    MG_EXPR_NAME,   // x, D, true, wte.weight, f32
    MG_EXPR_LIST,   // [1, 2, 2..rank(x)]
    MG_EXPR_UNARY,  // -a, not a
    MG_EXPR_BINARY, // a + b, a <= b, a and b
    MG_EXPR_REDUCE, // sum[k, ..r in 0..n] body
    MG_EXPR_READ,   // x[i, ..n] else otherwise
    MG_EXPR_CALL,   // f(x, stride = 2), h[i](x)
} MgAstExprKind;

struct MgAstExpr {
    MgAstExprKind kind;
    bool parens;    // written in parentheses, which the span excludes
    uint16_t depth; // of this tree: MG_AST_LEVEL for a leaf
    MgSpan span;
    union {
        uint64_t integer; // never negative: -3 is NEG of 3; may exceed INT64_MAX (u64 literals)
        struct {
            double value;
            MgSym spelling; // as written, for exact printing
        } number;
        MgSym string; // escapes decoded
        MgSym name;
        MgAstRanges list;
        struct {
            MgAstOp op;
            MgAstExpr *operand;
        } unary;
        struct {
            MgAstOp op;
            MgSpan op_span;
            MgAstExpr *left, *right;
        } binary;
        struct {
            MgAstName reducer; // sum, max, argmax, …: a reducer of lang/prims.def
            MgAstBinders binders;
            MgAstExpr *body;
        } reduce;
        struct {
            MgAstName name;
            MgAstSubs subs;
            MgAstExpr *otherwise; // NULL without `else`
        } read;
        struct {
            MgAstName name;
            bool indexed;    // h[i](x): an element of an array of instances
            MgAstSubs index; // if indexed
            MgAstArgs args;
        } call;
    };
};

struct MgAstArg {
    MgSpan span;
    MgAstName name; // of the attribute; sym 0 for a positional argument
    MgAstExpr *value;
};

// ---------------------------------------------------------------- entries of shapes and subscripts

typedef enum MgAstSubKind {
    MG_SUB_EXPR,  // i, H + 2*p, B <= 64 (a bound in a shape), `_`
    MG_SUB_INDEX, // i in 0..n                       index
    MG_SUB_PACK,  // ..n, ..n in 0..k                index, with pack set
    MG_SUB_ZIP,   // ..(o*stride + k)                expr
    MG_SUB_TUPLE, // (g, m), (n, c, ..i), (..b)      tuple
    MG_SUB_SOME,  // some C <= size(S)               expr
} MgAstSubKind;

struct MgAstSub {
    MgAstSubKind kind;
    uint16_t depth; // of this subtree
    MgSpan span;
    union {
        MgAstExpr *expr;
        MgAstBinder index;
        MgAstSubs tuple; // its entries have no places
    };
    // After `@`: an axis, a list of axes, or a range of them; first is NULL without `@`.
    MgAstRange place;
};

// ---------------------------------------------------------------- types

// `f32[B, ..N]`, `T[]`; without brackets (has_shape false) `int`, `str`, or an element type alone.
typedef struct MgAstType {
    MgSpan span;
    MgAstName element;
    bool has_shape;
    MgAstSubs shape;
} MgAstType;

// ---------------------------------------------------------------- items

typedef struct MgAstTypeParam {
    MgSpan span;
    MgAstName name, constraint; // T: float
} MgAstTypeParam;
typedef MG_VEC(MgAstTypeParam) MgAstTypeParams;

typedef enum MgAstParamKind {
    MG_PARAM_TENSOR,
    MG_PARAM_INT, // this and the next three are lists if type.has_shape (int[], int[..X])
    MG_PARAM_FLOAT,
    MG_PARAM_STR,
    MG_PARAM_TYPE,
    MG_PARAM_BOOL, // `bool` alone; bool[…] is a tensor
    MG_PARAM_ENUM, // "reflect" | "edge"
} MgAstParamKind;

typedef struct MgAstParam {
    MgSpan span;
    MgAstName name;
    MgAstParamKind kind;
    bool optional;      // T[]?
    bool variadic;      // T[..N]...
    MgAstType type;     // unless an enum
    MgAstNames choices; // of an enum, decoded
    MgAstExpr *initial; // the default; NULL if there is none
} MgAstParam;
typedef MG_VEC(MgAstParam) MgAstParams;

typedef struct MgAstResult {
    MgSpan span;
    MgAstName name;
    MgAstType *type; // NULL: inferred
    bool variadic;
    MgAstName over; // `k2: f16[B, P] over k` takes the buffer of input k; sym 0: none
} MgAstResult;
typedef MG_VEC(MgAstResult) MgAstResults;

typedef enum MgAstClauseKind {
    MG_CLAUSE_REQUIRE,   // require expr : "message"
    MG_CLAUSE_WEIGHTS,   // weights "file"
    MG_CLAUSE_LET,       // let L = expr
    MG_CLAUSE_LET_PACK,  // let ..O = expr
    MG_CLAUSE_BROADCAST, // broadcast N
    MG_CLAUSE_TRAINING,  // training seed
} MgAstClauseKind;

// `#at("net.mg", 6, 10)` after a statement.
typedef struct MgAstAnnot {
    MgSpan span;
    MgAstName name;
    MgAstArgs args;
} MgAstAnnot;
typedef MG_VEC(MgAstAnnot) MgAstAnnots;

typedef struct MgAstClause {
    MgAstClauseKind kind;
    MgSpan span;
    MgAstName name;     // let, broadcast, training
    MgAstExpr *expr;    // require, let
    MgAstName text;     // the message or file, decoded, with the span of the string
    MgAstAnnots annots; // require
} MgAstClause;
typedef MG_VEC(MgAstClause) MgAstClauses;

typedef MG_VEC(MgAstStmt *) MgAstStmts;

typedef struct MgAstBlock {
    MgSpan span;    // with its braces
    uint16_t depth; // levels of nested blocks, including this one: 1 if it contains none
    MgAstStmts stmts;
} MgAstBlock;

typedef enum MgAstItemKind {
    MG_ITEM_GRAPH,
    MG_ITEM_LAYER,
    MG_ITEM_OP,
    MG_ITEM_BUILTIN,
    MG_ITEM_DERIVATIVE // of the op with this name: its operands and results, and d_ with the name
                       // of each result
} MgAstItemKind;

typedef struct MgAstItem {
    MgAstItemKind kind;
    MgSpan span;
    MgAstName name;
    MgAstTypeParams type_params;
    MgAstParams params;
    bool has_results; // `-> (…)` is written
    MgAstResults results;
    MgAstClauses clauses;
    MgAstBlock body; // empty for a builtin
} MgAstItem;
typedef MG_VEC(MgAstItem *) MgAstItems;

// ---------------------------------------------------------------- statements

// What a binding defines: `y`, `y: f32[B, 10]`.
typedef struct MgAstTarget {
    MgSpan span;
    MgAstName name;
    MgAstType *type; // NULL: inferred
} MgAstTarget;
typedef MG_VEC(MgAstTarget) MgAstTargets;

// `name = value` in `next`; `name: type = value` in `carry`.
typedef struct MgAstCarry {
    MgSpan span;
    MgAstName name;
    MgAstType *type; // NULL: inferred; always NULL in next
    MgAstExpr *value;
} MgAstCarry;
typedef MG_VEC(MgAstCarry) MgAstCarries;

typedef enum MgAstStmtKind {
    MG_STMT_BIND,     // a, b: T[N] = expr
    MG_STMT_CONST,    // const a: T[N] = expr                            as bind
    MG_STMT_EQUATION, // y[i, ..n]: T[N] else none = expr over base
    MG_STMT_IF_VALUE, // y = if cond { … yield a } else { … yield b }    run time
    MG_STMT_LOOP,     // h, ys = loop t in 0..S carry (ht = h0) while cond { … }
    MG_STMT_FUSED,    // y = fused { … yield a }
    MG_STMT_PARAM,    // param w: f32[K] = 0 as "key", param h[12]: block(heads = 4)
    MG_STMT_BUFFER,   // as param, but derivatives skip it
    MG_STMT_DIM,      // dim K <= bound = value
    MG_STMT_REQUIRE,  // require cond : "message"
    MG_STMT_FOR,      // for i in 0..12 { … }, for w in net { … }        compile time
    MG_STMT_IF,       // if cond { … } else { … }                        compile time
    MG_STMT_YIELD,    // yield a, b
    MG_STMT_EMIT,     // emit a, b
    MG_STMT_NEXT,     // next a = x, b = y: of carried values, or of parameters
} MgAstStmtKind;

struct MgAstStmt {
    MgAstStmtKind kind;
    MgSpan span; // without its annotations
    MgAstAnnots annots;
    union {
        struct {
            MgAstTargets targets;
            MgAstExpr *value;
        } bind; // bind, const
        struct {
            MgAstName name;
            MgAstSubs subs;
            MgAstType *type; // NULL: inferred
            bool drop;       // `else none`: writes outside are dropped
            MgAstExpr *value;
            MgAstName over; // sym 0: the reduction starts from the reducer's identity
        } equation;
        struct {
            MgAstTargets targets;
            MgAstExpr *cond;
            MgAstBlock then, otherwise;
        } if_value;
        struct {
            MgAstTargets targets;
            MgAstBinder index; // name.sym 0: `loop carry (…)`, no index
            MgAstCarries carries;
            MgAstExpr *while_cond; // NULL: none
            MgAstBlock body;
        } loop;
        struct {
            MgAstTargets targets;
            MgAstBlock body;
        } fused;
        struct {
            MgAstName name;     // may be a path: features.0.weight
            MgAstExpr *count;   // param h[count]; NULL: not an array
            MgAstType *type;    // of a tensor; NULL for a layer instance
            MgAstExpr *layer;   // nn.linear(features = 10): a CALL; NULL for a tensor
            MgAstExpr *initial; // its value if nothing is loaded; NULL: none is stated
            bool has_key;
            MgAstName key; // as "key", decoded
        } param;           // param, buffer
        struct {
            MgAstName name;
            MgAstExpr *bound; // NULL: none
            MgAstExpr *value;
        } dim;
        struct {
            MgAstExpr *cond;
            MgAstName text; // the message, decoded
        } require;
        struct {
            MgAstBinder index;
            MgAstBlock body;
        } for_;
        struct {
            MgAstExpr *cond;
            MgAstBlock then, otherwise; // `else if` is a block with that single statement
            bool has_else;
        } if_;
        MgAstExprs values; // yield, emit
        MgAstCarries next;
    };
};

// ---------------------------------------------------------------- files

typedef struct MgAstImport {
    MgSpan span;
    MgAstName name;  // import nn: the library's module
    bool from_file;  // import "blocks.mg" as blocks
    MgAstName file;  // decoded, relative to the importing file
    MgAstName alias; // the prefix of the file's names: `nn`, `blocks`
} MgAstImport;
typedef MG_VEC(MgAstImport) MgAstImports;

typedef struct MgAstFile {
    uint32_t source;
    uint32_t version; // of the language: 1
    MgSpan version_span;
    MgAstImports imports;
    MgAstItems items;
    MG_VEC(MgSpan) comments; // in order, with `//` and without the line end; for mg_fmt
    MG_VEC(MgSpan) skipped;  // text that syntax errors left out of the tree
    MG_VEC(MgSpan) unnamed;  // where a statement names no value: it may define any name
} MgAstFile;

// Parses a source. Errors are diagnostics (session->n_errors counts them); the tree holds what
// could be read around them. NULL if there is no version line that this compiler understands.
MgAstFile *mg_parse(MgSession *session, uint32_t source);
// Parses bytes [begin, end) of a source that is known to be text: whole items, or the beginning of
// the file.
MgAstFile *mg_parse_part(MgSession *session, uint32_t source, uint32_t begin, uint32_t end);

// Prints the tree for --emit-ast, indented, with one node and its line:column on each line. Without
// places, two trees print the same text if and only if they are the same program.
void mg_ast_dump(const MgSession *session, const MgAstFile *file, bool places, MgText *out);

// Prints the file in canonical form, comments included. The output parses to the same tree, and
// formatting it again changes nothing. The file must have no syntax errors.
void mg_fmt(const MgSession *session, const MgAstFile *file, MgText *out);

#endif
