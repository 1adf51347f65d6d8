// The state that the lexer, the grammar and the tree builder share while they parse one file.
// Private to them.
#ifndef MG_FRONTEND_PARSE_H
#define MG_FRONTEND_PARSE_H

#include <locale.h>

#include "frontend/ast.h"

// A token as the parser last saw it; kind is one of parser.h's token kinds.
typedef struct MgTokenSeen {
    int kind;
    MgSpan span;
    bool first; // its line has nothing but blanks before it
} MgTokenSeen;

typedef struct MgParser {
    MgSession *session;
    MgArena *arena, *scratch; // of the tree; of the scanner, freed at the end
    MgAstFile *file;
    const MgSource *text;
    locale_t c_locale;       // numbers have a decimal point, whatever the host program's locale is
    uint32_t offset;         // the lexer's place
    MgTokenSeen last, token; // the token before the current one, and the current one
    MG_VEC(MgSpan) braces;   // the open `{` of the tokens so far
    uint32_t brackets;       // open `(` and `[` of the current statement
    uint32_t column;         // the column of the first token of the current statement
    MgSpan error;            // of the last syntax error
    MgTokenSeen statement;   // the first token after a statement; source 0: there was none
    bool recovering;         // after a syntax error, until parsing can resume
    bool unexpected;         // the token itself is wrong; nothing before it was incomplete
    bool close_blocks;       // an item has started inside an unclosed block
    bool too_deep;           // this was reported already
} MgParser;

// ---- Tree building: one call for each grammar action. All take the span of the whole construct.
MgAstExpr *mg_ast_int(MgParser *p, MgSpan span, uint64_t value);
MgAstExpr *mg_ast_float(MgParser *p, MgSpan span, double value, MgSym spelling);
MgAstExpr *mg_ast_string(MgParser *p, MgSpan span, MgSym text);
MgAstExpr *mg_ast_name(MgParser *p, MgAstName name);
MgAstExpr *mg_ast_list(MgParser *p, MgSpan span, MgAstRanges items);
MgAstExpr *mg_ast_unary(MgParser *p, MgSpan span, MgAstOp op, MgAstExpr *operand);
MgAstExpr *mg_ast_binary(MgParser *p, MgSpan op_span, MgAstOp op, MgAstExpr *l, MgAstExpr *r);
MgAstExpr *mg_ast_reduce(MgParser *p, MgSpan span, MgAstName reducer, MgAstBinders binders,
                         MgAstExpr *body);
MgAstExpr *mg_ast_read(MgParser *p, MgSpan span, MgAstName name, MgAstSubs subs);
MgAstExpr *mg_ast_read_else(MgParser *p, MgSpan span, MgAstExpr *read, MgAstExpr *otherwise);
MgAstExpr *mg_ast_call(MgParser *p, MgSpan span, MgAstName name, MgAstArgs args);
MgAstExpr *mg_ast_call_at(MgParser *p, MgSpan span, MgAstExpr *read, MgAstArgs args);
MgAstExpr *mg_ast_parens(MgAstExpr *inner);

MgAstBinder *mg_ast_binder(MgParser *p, MgSpan span, MgAstName name, bool pack, MgAstRange range);
MgAstSub *mg_ast_sub(MgParser *p, MgSpan span, MgAstSubKind kind, MgAstExpr *expr);
MgAstSub *mg_ast_sub_index(MgParser *p, MgAstBinder *index);
MgAstSub *mg_ast_sub_tuple(MgParser *p, MgSpan span, MgAstSubs entries);
MgAstSub *mg_ast_sub_pack(MgParser *p, MgSpan span, MgAstBinder *pack); // (..b)
MgAstSub *mg_ast_sub_place(MgParser *p, MgSpan span, MgAstSub *sub, MgAstRange place);
MgAstType *mg_ast_type(MgParser *p, MgSpan span, MgAstName element, bool has_shape, MgAstSubs s);

void mg_ast_import(MgParser *p, MgAstImport import);
MgAstItem *mg_ast_signature(MgParser *p, MgAstName name, MgAstTypeParams type_params,
                            MgAstParams params, bool has_results, MgAstResults results,
                            MgAstClauses clauses);
void mg_ast_item(MgParser *p, MgSpan span, MgAstItemKind kind, MgAstItem *sig, MgAstBlock body);
MgAstParam *mg_ast_param(MgParser *p, MgSpan span, MgAstType *type, bool optional, bool variadic);
MgAstParam *mg_ast_param_enum(MgParser *p, MgSpan span, MgAstNames choices);
MgAstParam *mg_ast_param_named(MgParser *p, MgSpan span, MgAstName name, MgAstParam *param,
                               MgAstExpr *initial);
MgAstResult *mg_ast_result(MgParser *p, MgSpan span, MgAstName name, MgAstType *type, bool variadic,
                           MgAstName over);
MgAstClause *mg_ast_clause(MgParser *p, MgSpan span, MgAstClauseKind kind, MgAstName name,
                           MgAstExpr *expr, MgAstName text);

MgAstBlock mg_ast_block(MgParser *p, MgSpan span, MgAstStmts stmts);
MgAstStmt *mg_ast_annotated(MgAstStmt *stmt, MgAstAnnots annots);
MgAstStmt *mg_ast_bind(MgParser *p, MgSpan span, MgAstStmtKind kind, MgAstTargets targets,
                       MgAstExpr *value);
MgAstStmt *mg_ast_equation(MgParser *p, MgSpan span, MgAstName name, MgAstSubs subs,
                           MgAstType *type, bool drop, MgAstExpr *value, MgAstName over);
bool mg_ast_is_none(MgParser *p, MgAstName name); // is it the word after `else` on the left side?
MgAstStmt *mg_ast_if_value(MgParser *p, MgSpan span, MgAstTargets targets, MgAstExpr *cond,
                           MgAstBlock then, MgAstBlock otherwise);
MgAstStmt *mg_ast_loop(MgParser *p, MgSpan span, MgAstTargets targets, MgAstBinder *index,
                       MgAstCarries carries, MgAstExpr *while_cond, MgAstBlock body);
MgAstStmt *mg_ast_fused(MgParser *p, MgSpan span, MgAstTargets targets, MgAstBlock body);
// mg_ast_held gives what a param holds: a type or a layer.
MgAstStmt *mg_ast_param_stmt(MgParser *p, MgSpan span, MgAstStmtKind kind, MgAstName name,
                             MgAstExpr *count, MgAstStmt *what, MgAstExpr *initial, MgAstName key);
MgAstStmt *mg_ast_held(MgParser *p, MgAstType *type, MgAstExpr *layer);
MgAstStmt *mg_ast_dim(MgParser *p, MgSpan span, MgAstName name, MgAstExpr *bound, MgAstExpr *value);
MgAstStmt *mg_ast_require(MgParser *p, MgSpan span, MgAstExpr *cond, MgAstName text);
MgAstStmt *mg_ast_for(MgParser *p, MgSpan span, MgAstBinder *index, MgAstBlock body);
MgAstStmt *mg_ast_if(MgParser *p, MgSpan span, MgAstExpr *cond, MgAstBlock then, bool has_else,
                     MgAstBlock otherwise);
MgAstStmt *mg_ast_else_if(MgParser *p, MgSpan span, MgAstExpr *cond, MgAstBlock then,
                          MgAstStmt *otherwise);
MgAstStmt *mg_ast_values(MgParser *p, MgSpan span, MgAstStmtKind kind, MgAstExprs values);
MgAstStmt *mg_ast_next(MgParser *p, MgSpan span, MgAstCarries next);

// Reports that p->token stands where one of `expected` (the grammar's names) should stand.
void mg_syntax_error(MgParser *p, const char *const *expected, size_t n);

#endif
