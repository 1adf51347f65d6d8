// Tests the pass manager when a pass leaves IR that does not verify.
#include <stdio.h>

#include "frontend/sema.h"
#include "passes/pass.h"
#include "tests/unit/check.h"

static const char source[] = "mg 1\n"
                             "graph g(x: f32[4]) -> (y: f32[4])\n"
                             "{\n"
                             "    y[i] = x[i] + x[i]\n"
                             "}\n";

typedef struct Seen {
    char pass[16], text[4096];
    int before, broken;
    MgGraph *damage; // if not NULL, it is broken just before the pass runs, as if by the pass
} Seen;

static void note_before(void *ctx, const char *pass, const char *text, size_t length) {
    Seen *s = ctx;
    (void)pass, (void)text, (void)length;
    s->before++;
    if (s->damage) // the result is declared of another type than its equation computes
        mg_value(s->damage, s->damage->outputs.at[0].value)->dtype = MG_I32;
}

static void note_broken(void *ctx, const char *pass, const char *text, size_t length) {
    Seen *s = ctx;
    s->broken++;
    snprintf(s->pass, sizeof s->pass, "%s", pass);
    snprintf(s->text, sizeof s->text, "%.*s", (int)length, text);
}

static bool run(MgSession *session, bool damage, Seen *seen) {
    MgModule *module = mg_load_module_text(session, "g.mg", source, sizeof source - 1);
    ck_assert_ptr_nonnull(module);
    MgGraph *g = module->graphs.at[0];
    seen->damage = damage ? g : NULL;
    MgPassOptions options = {.passes = "dce",
                             .verify_each = true,
                             .before = note_before,
                             .broken = note_broken,
                             .ctx = seen};
    return mg_passes_run(g, &options);
}

START_TEST(sound_ir_passes) {
    MgSession *session = mg_session_new(0);
    Seen seen = {.before = 0};
    ck_assert(run(session, false, &seen));
    ck_assert_int_eq(seen.before, 1);
    ck_assert_int_eq(seen.broken, 0);
    mg_session_free(session);
}
END_TEST

START_TEST(broken_ir_is_handed_out_to_reproduce) {
    MgSession *session = mg_session_new(0);
    Seen seen = {.before = 0};
    ck_assert(!run(session, true, &seen));
    ck_assert_int_eq(seen.broken, 1);
    ck_assert_str_eq(seen.pass, "dce");
    ck_assert_ptr_nonnull(strstr(seen.text, "graph g(x: f32[4])"));
    ck_assert_ptr_nonnull(strstr(seen.text, "dce"));
    ck_assert_uint_gt(session->n_errors, 0);
    mg_session_free(session);
}
END_TEST

START_TEST(unknown_pass_is_named) {
    MgSession *session = mg_session_new(0);
    MgModule *module = mg_load_module_text(session, "g.mg", source, sizeof source - 1);
    MgPassOptions options = {.passes = "canonicalise,dec"};
    ck_assert(!mg_passes_run(module->graphs.at[0], &options));
    MgText text = mg_text(session->arena);
    mg_diags_render(session, &text, false);
    ck_assert_ptr_nonnull(strstr(mg_text_str(&text), "dec"));
    mg_session_free(session);
}
END_TEST

MG_TEST_MAIN("passes", sound_ir_passes, broken_ir_is_handed_out_to_reproduce, unknown_pass_is_named)
