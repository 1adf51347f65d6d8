/* The grammar of MG. It is LALR(1) without conflicts, has no line ends as tokens, and feeds nothing
   back to the lexer. Operators of the library are plain names, so a new operator needs no edit here.

   This is a push parser: mg_parse (parse.c) hands it the tokens. So running out of memory unwinds
   cleanly, and mg_parse can decide on recovery. After an error it sends SYNC, a token that no valid
   file has, before a line where a statement or item may start.
   lang/reference.sh makes the grammar of the reference from the rules of this file. */
%define api.prefix {mg_yy}
%define api.token.prefix {MG_TOK_}
%define api.pure full
%define api.push-pull push
%define api.location.type {MgSpan}
%define parse.error custom
%define parse.lac full
%expect 0
%locations
%parse-param {struct MgParser *p}

%code requires {
#include "frontend/parse.h"
}
%code {
// The stack holds a few symbols around the brackets, too.
#define MOST_BRACKETS 9900
#define YYMAXDEPTH (MOST_BRACKETS + 100)
#define YYLLOC_DEFAULT(whole, rhs, n) ((whole) = join((rhs), (int)(n)))
#define START(list, ...) ((list).at = NULL, (list).len = (list).cap = 0, mg_push(p->arena, &(list), __VA_ARGS__))
#define APPEND(list, before, ...) ((list) = (before), mg_push(p->arena, &(list), __VA_ARGS__))
// Parsing resumes after the text that an error cost.
#define SKIPPED(text) (p->recovering = false, p->statement.span.source = 0, mg_push(p->arena, &p->file->skipped, (text)))

// The span of symbols 1 to n without empty symbols at its ends. If all are empty, the end of
// symbol 0.
static MgSpan join(const MgSpan *rhs, int n) {
    int first = 1, last = n;
    while (first <= n && rhs[first].begin == rhs[first].end)
        first++;
    while (last > first && rhs[last].begin == rhs[last].end)
        last--;
    if (first > n)
        return (MgSpan){rhs[0].source, rhs[0].end, rhs[0].end};
    return (MgSpan){rhs[first].source, rhs[first].begin, rhs[last].end};
}
static const MgAstName no_name;
static const MgAstRange no_range;
static void mg_yyerror(const MgSpan *at, MgParser *p, const char *message);
}

%union {
    uint64_t integer;
    struct { double value; MgSym spelling; } number;
    MgAstName name;
    MgAstNames names;
    MgAstOp op;
    MgAstExpr *expr;
    MgAstExprs exprs;
    MgAstRange range;
    MgAstRanges ranges;
    MgAstArg arg;
    MgAstArgs args;
    MgAstSub *sub;
    MgAstSubs subs;
    MgAstBinder *binder;
    MgAstBinders binders;
    MgAstType *type;
    MgAstTypeParam type_param;
    MgAstTypeParams type_params;
    MgAstParam *param;
    MgAstParams params;
    MgAstResult *result;
    MgAstResults results;
    MgAstClause *clause;
    MgAstClauses clauses;
    MgAstItem *item;
    MgAstBlock block;
    MgAstStmt *stmt;
    MgAstStmts stmts;
    MgAstAnnot annot;
    MgAstAnnots annots;
    MgAstTarget target;
    MgAstTargets targets;
    MgAstCarry carry;
    MgAstCarries carries;
}

%token <name> IDENT "a name" PATH "a dotted name" REDUCER "a reducer" STRING "a string"
%token DERIVATIVE "derivative of"
%token <integer> INT "a whole number"
%token <number> FLOAT "a number"
%token SYNC "end of line" INVALID "invalid token"
%token DOTS ".." UPTO "..=" ELLIPSIS "..." ARROW "->" EQ "==" NE "!=" LE "<=" GE ">="
%token <name> MG "mg" IMPORT "import" AS "as" GRAPH "graph" LAYER "layer" OP "op" BUILTIN "builtin"
%token <name> REQUIRE "require" WEIGHTS "weights" LET "let" BROADCAST "broadcast" TRAINING "training"
%token <name> PARAM "param" BUFFER "buffer" CONST "const" DIM "dim" FOR "for" IN "in" IF "if" ELSE "else"
%token <name> LOOP "loop" CARRY "carry" WHILE "while" NEXT "next" EMIT "emit" YIELD "yield" FUSED "fused"
%token <name> SOME "some" OVER "over" AND "and" OR "or" NOT "not"

%type <name> name path word item_name key_opt over_opt message_opt
%type <names> choices
%type <type_params> type_params_opt type_params
%type <type_param> type_param
%type <params> params params_list
%type <param> param param_type
%type <expr> default_opt while_opt expr postfix else_value read atom
%type <exprs> exprs
%type <results> results results_list
%type <result> result
%type <clauses> clauses
%type <clause> clause
%type <type> type type_opt
%type <item> signature
%type <block> block
%type <stmts> stmts
%type <stmt> stmt statement static_if held
%type <annots> annotations
%type <annot> annotation
%type <targets> targets
%type <target> target
%type <carries> carries nexts
%type <carry> carry next
%type <subs> subs subs_list tuple
%type <sub> sub entry
%type <binder> loop_index binder index
%type <binders> binders
%type <range> bounds bounds_opt place list_item
%type <ranges> list list_items
%type <args> args args_list
%type <arg> arg

/* The body of a reduction extends over products, not sums: sum[k] a*b + c is (sum[k] a*b) + c. */
%left "or"
%left "and"
%precedence "not"
%nonassoc "==" "!=" '<' "<=" '>' ">="
%left '+' '-'
%precedence REDUCTION
%left '*' '/' '%'
%precedence NEGATION

%%

file: "mg" INT items                  { p->file->version = (uint32_t)$2; p->file->version_span = join(yylsp - 3, 2); } ;

items: %empty
  | items import
  | items item
  | items broken_item ;
import: "import" path                 { mg_ast_import(p, (MgAstImport){.span = @$, .name = $2, .alias = $2}); }
  | "import" STRING "as" name         { mg_ast_import(p, (MgAstImport){.span = @$, .from_file = true, .file = $2, .alias = $4}); } ;
item: "graph" signature block         { mg_ast_item(p, @$, MG_ITEM_GRAPH, $2, $3); }
  | "layer" signature block           { mg_ast_item(p, @$, MG_ITEM_LAYER, $2, $3); }
  | "op" signature block              { mg_ast_item(p, @$, MG_ITEM_OP, $2, $3); }
  | "derivative of" signature block   { mg_ast_item(p, @$, MG_ITEM_DERIVATIVE, $2, $3); }
  | "builtin" "op" signature          { mg_ast_item(p, @$, MG_ITEM_BUILTIN, $3, (MgAstBlock){.span = @3}); } ;
broken_item: error SYNC               { SKIPPED(@1); yyerrok; }
  | error block                       { SKIPPED(@$); yyerrok; (void)$2; } ;

signature: item_name type_params_opt '(' params ')' clauses
                                      { $$ = mg_ast_signature(p, $1, $2, $4, false, (MgAstResults){0}, $6); }
  | item_name type_params_opt '(' params ')' "->" '(' results ')' clauses
                                      { $$ = mg_ast_signature(p, $1, $2, $4, true, $8, $10); } ;
item_name: path
  | REDUCER ;
type_params_opt: %empty               { $$ = (MgAstTypeParams){0}; }
  | '<' type_params '>'               { $$ = $2; } ;
type_params: type_param               { START($$, $1); }
  | type_params ',' type_param        { APPEND($$, $1, $3); } ;
type_param: name ':' word             { $$ = (MgAstTypeParam){@$, $1, $3}; } ;

params: %empty                        { $$ = (MgAstParams){0}; }
  | params_list
  | params_list ',' ;
params_list: param                    { START($$, *$1); }
  | params_list ',' param             { APPEND($$, $1, *$3); } ;
param: word ':' param_type default_opt { $$ = mg_ast_param_named(p, @$, $1, $3, $4); }
  | PATH ':' param_type default_opt   { $$ = mg_ast_param_named(p, @$, $1, $3, $4); } ;
param_type: type                      { $$ = mg_ast_param(p, @$, $1, false, false); }
  | type '?'                          { $$ = mg_ast_param(p, @$, $1, true, false); }
  | type "..."                        { $$ = mg_ast_param(p, @$, $1, false, true); }
  | choices                           { $$ = mg_ast_param_enum(p, @$, $1); } ;
choices: STRING                       { START($$, $1); }
  | choices '|' STRING                { APPEND($$, $1, $3); } ;
default_opt: %empty                   { $$ = NULL; }
  | '=' expr                          { $$ = $2; } ;

results: %empty                       { $$ = (MgAstResults){0}; }
  | results_list
  | results_list ',' ;
results_list: result                  { START($$, *$1); }
  | results_list ',' result           { APPEND($$, $1, *$3); } ;
result: path                          { $$ = mg_ast_result(p, @$, $1, NULL, false, no_name); }
  | path ':' type over_opt            { $$ = mg_ast_result(p, @$, $1, $3, false, $4); }
  | path ':' type "..."               { $$ = mg_ast_result(p, @$, $1, $3, true, no_name); } ;

clauses: %empty                       { $$ = (MgAstClauses){0}; }
  | clauses clause                    { APPEND($$, $1, *$2); } ;
clause: "require" expr message_opt annotations
                                      { $$ = mg_ast_clause(p, @$, MG_CLAUSE_REQUIRE, no_name, $2, $3); $$->annots = $4; }
  | "weights" STRING                  { $$ = mg_ast_clause(p, @$, MG_CLAUSE_WEIGHTS, no_name, NULL, $2); }
  | "let" name '=' expr               { $$ = mg_ast_clause(p, @$, MG_CLAUSE_LET, $2, $4, no_name); }
  | "let" ".." name '=' expr          { $$ = mg_ast_clause(p, @$, MG_CLAUSE_LET_PACK, $3, $5, no_name); }
  | "broadcast" name                  { $$ = mg_ast_clause(p, @$, MG_CLAUSE_BROADCAST, $2, NULL, no_name); }
  | "training" name                   { $$ = mg_ast_clause(p, @$, MG_CLAUSE_TRAINING, $2, NULL, no_name); } ;
message_opt: %empty                   { $$ = no_name; }
  | ':' STRING                        { $$ = $2; } ;

type: path                            { $$ = mg_ast_type(p, @$, $1, false, (MgAstSubs){0}); }
  | path '[' subs ']'                 { $$ = mg_ast_type(p, @$, $1, true, $3); } ;
type_opt: %empty                      { $$ = NULL; }
  | ':' type                          { $$ = $2; } ;

block: '{' stmts '}'                  { $$ = mg_ast_block(p, @$, $2); }
  | '{' stmts error '}'               { SKIPPED(@3); yyerrok; $$ = mg_ast_block(p, @$, $2); } ;
stmts: %empty                         { $$ = (MgAstStmts){0}; }
  | stmts stmt                        { APPEND($$, $1, $2); }
  | stmts broken_stmt ;
broken_stmt: error SYNC               { SKIPPED(@1); yyerrok; }
  | broken_head
  | broken_head "else" block          { SKIPPED(@3); (void)$3; } ;
broken_head: error block              { SKIPPED(@$); yyerrok; (void)$2; } ;

stmt: statement annotations           { $$ = mg_ast_annotated($1, $2); p->statement = p->token; } ;
annotations: %empty                   { $$ = (MgAstAnnots){0}; }
  | annotations annotation            { APPEND($$, $1, $2); } ;
annotation: '#' word                  { $$ = (MgAstAnnot){.span = @$, .name = $2}; }
  | '#' word '(' args ')'             { $$ = (MgAstAnnot){.span = @$, .name = $2, .args = $4}; } ;

statement: targets '=' expr           { $$ = mg_ast_bind(p, @$, MG_STMT_BIND, $1, $3); }
  | "const" targets '=' expr          { $$ = mg_ast_bind(p, @$, MG_STMT_CONST, $2, $4); }
  | path '[' subs ']' type_opt '=' expr over_opt
                                      { $$ = mg_ast_equation(p, @$, $1, $3, $5, false, $7, $8); }
  | path '[' subs ']' type_opt "else" name '=' expr over_opt
                                      { $$ = mg_ast_equation(p, @$, $1, $3, $5, mg_ast_is_none(p, $7), $9, $10); }
  | targets '=' "if" expr block "else" block
                                      { $$ = mg_ast_if_value(p, @$, $1, $4, $5, $7); }
  | targets '=' "loop" loop_index "carry" '(' carries ')' while_opt block
                                      { $$ = mg_ast_loop(p, @$, $1, $4, $7, $9, $10); }
  | targets '=' "fused" block         { $$ = mg_ast_fused(p, @$, $1, $4); }
  | "param" path ':' held default_opt key_opt
                                      { $$ = mg_ast_param_stmt(p, @$, MG_STMT_PARAM, $2, NULL, $4, $5, $6); }
  | "param" path '[' expr ']' ':' held default_opt key_opt
                                      { $$ = mg_ast_param_stmt(p, @$, MG_STMT_PARAM, $2, $4, $7, $8, $9); }
  | "buffer" path ':' held default_opt key_opt
                                      { $$ = mg_ast_param_stmt(p, @$, MG_STMT_BUFFER, $2, NULL, $4, $5, $6); }
  | "buffer" path '[' expr ']' ':' held default_opt key_opt
                                      { $$ = mg_ast_param_stmt(p, @$, MG_STMT_BUFFER, $2, $4, $7, $8, $9); }
  | "dim" name '=' expr               { $$ = mg_ast_dim(p, @$, $2, NULL, $4); }
  | "dim" name "<=" expr '=' expr     { $$ = mg_ast_dim(p, @$, $2, $4, $6); }
  | "require" expr message_opt        { $$ = mg_ast_require(p, @$, $2, $3); }
  | "for" index block                 { $$ = mg_ast_for(p, @$, $2, $3); }
  | "for" name "in" path block        { $$ = mg_ast_for(p, @$, mg_ast_binder(p, join(yylsp - 4, 3), $2, false, (MgAstRange){.span = @4, .first = mg_ast_name(p, $4)}), $5); }
  | static_if
  | "yield" exprs                     { $$ = mg_ast_values(p, @$, MG_STMT_YIELD, $2); }
  | "emit" exprs                      { $$ = mg_ast_values(p, @$, MG_STMT_EMIT, $2); }
  | "next" nexts                      { $$ = mg_ast_next(p, @$, $2); } ;

static_if: "if" expr block            { $$ = mg_ast_if(p, @$, $2, $3, false, (MgAstBlock){0}); }
  | "if" expr block "else" block      { $$ = mg_ast_if(p, @$, $2, $3, true, $5); }
  | "if" expr block "else" static_if  { $$ = mg_ast_else_if(p, @$, $2, $3, $5); } ;
targets: target                       { START($$, $1); }
  | targets ',' target                { APPEND($$, $1, $3); } ;
target: path                          { $$ = (MgAstTarget){@$, $1, NULL}; }
  | path ':' type                     { $$ = (MgAstTarget){@$, $1, $3}; } ;
held: type                            { $$ = mg_ast_held(p, $1, NULL); }
  | item_name '(' args ')'            { $$ = mg_ast_held(p, NULL, mg_ast_call(p, @$, $1, $3)); } ;
over_opt: %empty                      { $$ = no_name; }
  | "over" path                       { $$ = $2; } ;
key_opt: %empty                       { $$ = no_name; }
  | "as" STRING                       { $$ = $2; } ;
loop_index: %empty                    { $$ = NULL; }
  | IDENT "in" bounds                 { $$ = mg_ast_binder(p, @$, $1, false, $3); } ;
index: name "in" bounds               { $$ = mg_ast_binder(p, @$, $1, false, $3); } ;
while_opt: %empty                     { $$ = NULL; }
  | "while" expr                      { $$ = $2; } ;
carries: carry                        { START($$, $1); }
  | carries ',' carry                 { APPEND($$, $1, $3); } ;
carry: path type_opt '=' expr         { $$ = (MgAstCarry){@$, $1, $2, $4}; } ;
nexts: next                           { START($$, $1); }
  | nexts ',' next                    { APPEND($$, $1, $3); } ;
next: path '=' expr                   { $$ = (MgAstCarry){@$, $1, NULL, $3}; } ;
exprs: expr                           { START($$, $1); }
  | exprs ',' expr                    { APPEND($$, $1, $3); } ;

subs: %empty                          { $$ = (MgAstSubs){0}; }
  | subs_list ;
subs_list: sub                        { START($$, *$1); }
  | subs_list ',' sub                 { APPEND($$, $1, *$3); } ;
sub: entry
  | entry '@' place                   { $$ = mg_ast_sub_place(p, @$, $1, $3); } ;
entry: expr                           { $$ = mg_ast_sub(p, @$, MG_SUB_EXPR, $1); }
  | index                             { $$ = mg_ast_sub_index(p, $1); }
  | ".." name bounds_opt              { $$ = mg_ast_sub_index(p, mg_ast_binder(p, @$, $2, true, $3)); }
  | ".." '(' expr ')'                 { $$ = mg_ast_sub(p, @$, MG_SUB_ZIP, $3); }
  | '(' tuple ')'                     { $$ = mg_ast_sub_tuple(p, @$, $2); }
  | '(' ".." name ')'                 { $$ = mg_ast_sub_pack(p, @$, mg_ast_binder(p, join(yylsp - 3, 2), $3, true, no_range)); }
  | "some" expr                       { $$ = mg_ast_sub(p, @$, MG_SUB_SOME, $2); } ;
tuple: entry ',' entry                { START($$, *$1); mg_push(p->arena, &$$, *$3); }
  | tuple ',' entry                   { APPEND($$, $1, *$3); } ;
place: expr                           { $$ = (MgAstRange){.span = @$, .first = $1}; }
  | bounds ;
bounds: expr ".." expr                { $$ = (MgAstRange){@$, $1, $3, false}; }
  | expr "..=" expr                   { $$ = (MgAstRange){@$, $1, $3, true}; } ;
bounds_opt: %empty                    { $$ = no_range; }
  | "in" bounds                       { $$ = $2; } ;
binders: binder                       { START($$, *$1); }
  | binders ',' binder                { APPEND($$, $1, *$3); } ;
binder: name bounds_opt               { $$ = mg_ast_binder(p, @$, $1, false, $2); }
  | ".." name bounds_opt              { $$ = mg_ast_binder(p, @$, $2, true, $3); } ;

expr: expr "or" expr                  { $$ = mg_ast_binary(p, @2, MG_AST_OR, $1, $3); }
  | expr "and" expr                   { $$ = mg_ast_binary(p, @2, MG_AST_AND, $1, $3); }
  | "not" expr                        { $$ = mg_ast_unary(p, @$, MG_AST_NOT, $2); }
  | expr "==" expr                    { $$ = mg_ast_binary(p, @2, MG_AST_EQ, $1, $3); }
  | expr "!=" expr                    { $$ = mg_ast_binary(p, @2, MG_AST_NE, $1, $3); }
  | expr '<' expr                     { $$ = mg_ast_binary(p, @2, MG_AST_LT, $1, $3); }
  | expr "<=" expr                    { $$ = mg_ast_binary(p, @2, MG_AST_LE, $1, $3); }
  | expr '>' expr                     { $$ = mg_ast_binary(p, @2, MG_AST_GT, $1, $3); }
  | expr ">=" expr                    { $$ = mg_ast_binary(p, @2, MG_AST_GE, $1, $3); }
  | expr '+' expr                     { $$ = mg_ast_binary(p, @2, MG_AST_ADD, $1, $3); }
  | expr '-' expr                     { $$ = mg_ast_binary(p, @2, MG_AST_SUB, $1, $3); }
  | expr '*' expr                     { $$ = mg_ast_binary(p, @2, MG_AST_MUL, $1, $3); }
  | expr '/' expr                     { $$ = mg_ast_binary(p, @2, MG_AST_DIV, $1, $3); }
  | expr '%' expr                     { $$ = mg_ast_binary(p, @2, MG_AST_MOD, $1, $3); }
  | '-' expr %prec NEGATION           { $$ = mg_ast_unary(p, @$, MG_AST_NEG, $2); }
  | REDUCER '[' binders ']' expr %prec REDUCTION
                                      { $$ = mg_ast_reduce(p, @$, $1, $3, $5); }
  | postfix ;
postfix: atom
  | read
  | read "else" else_value            { $$ = mg_ast_read_else(p, @$, $1, $3); } ;
else_value: postfix
  | '-' else_value                    { $$ = mg_ast_unary(p, @$, MG_AST_NEG, $2); } ;
read: path '[' subs ']'               { $$ = mg_ast_read(p, @$, $1, $3); } ;
atom: INT                             { $$ = mg_ast_int(p, @$, $1); }
  | FLOAT                             { $$ = mg_ast_float(p, @$, $1.value, $1.spelling); }
  | STRING                            { $$ = mg_ast_string(p, @$, $1.sym); }
  | path                              { $$ = mg_ast_name(p, $1); }
  | REDUCER                           { $$ = mg_ast_name(p, $1); }
  | path '(' args ')'                 { $$ = mg_ast_call(p, @$, $1, $3); }
  | REDUCER '(' args ')'              { $$ = mg_ast_call(p, @$, $1, $3); }
  | read '(' args ')'                 { $$ = mg_ast_call_at(p, @$, $1, $3); }
  | '(' expr ')'                      { $$ = mg_ast_parens($2); }
  | '[' list ']'                      { $$ = mg_ast_list(p, @$, $2); } ;
list: %empty                          { $$ = (MgAstRanges){0}; }
  | list_items
  | list_items ',' ;
list_items: list_item                 { START($$, $1); }
  | list_items ',' list_item          { APPEND($$, $1, $3); } ;
list_item: place ;
args: %empty                          { $$ = (MgAstArgs){0}; }
  | args_list
  | args_list ',' ;
args_list: arg                        { START($$, $1); }
  | args_list ',' arg                 { APPEND($$, $1, $3); } ;
arg: expr                             { $$ = (MgAstArg){@$, no_name, $1}; }
  | word '=' expr                     { $$ = (MgAstArg){@$, $1, $3}; } ;

/* Names. A word that has a meaning only where a statement or clause starts is not reserved. */
path: name
  | PATH ;
name: IDENT
  | "mg" | "import" | "graph" | "layer" | "op" | "builtin" | "weights" | "let" | "broadcast" | "training"
  | "buffer" | "dim" | "carry" | "next" | "fused" ;
/* An attribute may have any word as its name. */
word: name
  | REDUCER | "as" | "require" | "param" | "const" | "for" | "in" | "if" | "else" | "loop" | "while"
  | "emit" | "yield" | "some" | "over" | "and" | "or" | "not" ;

%%

// The parser ran out of stack. This is the only error that it reports itself.
static void mg_yyerror(const MgSpan *at, MgParser *p, const char *message) {
    (void)message;
    mg_diag(p->session, *at, MG_D_syntax_brackets, MG_AST_MAX_DEPTH / MG_AST_LEVEL,
            MG_AST_MAX_BLOCKS, MOST_BRACKETS);
}

static int yyreport_syntax_error(const yypcontext_t *context, MgParser *p) {
    yysymbol_kind_t kinds[YYNTOKENS];
    const char *expected[YYNTOKENS];
    int n = yypcontext_expected_tokens(context, kinds, YYNTOKENS);
    for (int i = 0; i < n; i++)
        expected[i] = yysymbol_name(kinds[i]);
    mg_syntax_error(p, expected, n > 0 ? (size_t)n : 0);
    return 0;
}
