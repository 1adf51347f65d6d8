// The rules of rules.def: they are parsed into trees, matched at a node, and built in its place.
//
// Parsing takes microseconds, so each run of a pass parses them again, and no state outlives it.
#ifndef MG_PASSES_RULES_H
#define MG_PASSES_RULES_H

#include "passes/pass.h"

typedef enum MgRuleClass {
    MG_RULE_EXACT,
    MG_RULE_REASSOCIATES,
    MG_RULE_FAST
} MgRuleClass; // described in rules.def

typedef struct MgRuleRow {
    const char *name;
    MgRuleClass class;
    const char *type, *lhs, *rhs, *condition;
} MgRuleRow;
const MgRuleRow *mg_rule_rows(uint32_t *n); // the table
void mg_rules_list(MgText *out);

typedef struct MgRules MgRules;
// The rules that level and strict allow, in the arena. NULL if a row cannot be parsed, or if its
// right side is not cheaper than its left side.
MgRules *mg_rules_new(MgArena *arena, const MgRuleRow *rows, uint32_t n, uint32_t level,
                      bool strict);
// Rewrites x at its root by the first matching rule that `may` allows; `may` is called with the
// row's number. Returns x itself if there is none.
typedef bool MgRuleAsk(void *ctx, uint32_t row);
const MgSx *mg_rules_apply(const MgRules *rules, MgModule *m, const MgSx *x, MgRuleAsk *may,
                           void *ctx);
// For tests: the number of orders of a left side's operands, and the left side in one of these
// orders, built from the expressions that the letters stand for ('a' first). type is the type of x;
// rule is a number of `rules`.
uint32_t mg_rule_orders(const MgRules *rules, uint32_t rule);
const MgSx *mg_rule_left(const MgRules *rules, uint32_t rule, uint32_t order, MgModule *m,
                         const MgSx *const bound[26], MgDType type);

#endif
