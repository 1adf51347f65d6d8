// Tests replays of launches over a driver that only keeps a log: what is launched when, what is
// recorded, and what is replayed.
#include "runtime/device_replay.h"
#include "tests/unit/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char log_[4096];     // "3 4 R[3 4] P", say: launches, a recording of launches, and a replay
static bool refuses, fails; // recordings, launches

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...) {
    size_t n = strlen(log_);
    va_list args;
    va_start(args, format);
    vsnprintf(log_ + n, sizeof log_ - n, format, args);
    va_end(args);
}

static uint32_t n_recorded; // launches of the latest recording
static MgHostStatus begin(MgHostDevice *device, MgHostQueue *queue) {
    (void)device, (void)queue;
    n_recorded = 0;
    say("R[ ");
    return 0;
}

static MgHostStatus recorded(MgHostDevice *device, MgHostQueue *queue,
                             MgHostRecording **recording) {
    (void)device, (void)queue;
    say("] ");
    *recording = refuses ? NULL : (MgHostRecording *)log_;
    return refuses;
}

static MgHostStatus replay(MgHostDevice *device, MgHostQueue *queue, MgHostRecording *recording) {
    (void)device, (void)queue;
    ck_assert_ptr_eq(recording, log_);
    say("P ");
    return 0;
}

static void drop(MgHostDevice *device, MgHostRecording *recording) {
    (void)device, (void)recording;
    say("D ");
}

// Says what the next launch waits for if that is not the one before it alone.
static MgHostStatus after(MgHostDevice *device, MgHostQueue *queue, const uint32_t *launches,
                          uint32_t n) {
    (void)device, (void)queue;
    bool chain = n_recorded ? n == 1 && launches[0] == n_recorded - 1 : !n;
    for (uint32_t i = 0; i < n && !chain; i++)
        say("%s%u", i ? "," : "<", launches[i]);
    if (!chain)
        say("%s", n ? ">" : "<>");
    n_recorded++;
    return 0;
}

static const MgDeviceHost host = {.record = begin,
                                  .record_after = after,
                                  .recorded = recorded,
                                  .replay = replay,
                                  .free_recording = drop};
static MgDevice device = {.host = &host};

static bool launched(void *run, uint32_t launch, const int64_t *args, int64_t groups) {
    ck_assert_ptr_eq(run, &device);
    ck_assert_int_eq(groups, 7);
    say("%u:%d ", launch, (int)args[0]);
    return !fails;
}

// Each launch writes where its second argument says: launches with the same one wait.
static bool apart;
static uint32_t used(void *run, uint32_t launch, const int64_t *args, MgLaunchUse *uses) {
    (void)run, (void)launch;
    uint64_t at = apart ? (uint64_t)args[1] / 2 : 0;
    if (uses)
        *uses = (MgLaunchUse){at, at + 1, 0, true};
    return 1;
}

// Launches first to last, each with argument `arg`.
static void launch(MgReplay *r, uint32_t first, uint32_t last, int64_t arg) {
    for (uint32_t i = first; i <= last; i++) {
        int64_t args[] = {arg, i};
        mg_replay_launch(r, i, args, 2, 7);
    }
}

static void logged(const char *wanted) {
    ck_assert_str_eq(log_, wanted);
    log_[0] = 0;
}

static MgReplay *fresh(void) {
    log_[0] = 0;
    refuses = fails = apart = false;
    MgReplay *r = mg_replay_new(&device, NULL, launched, used, &device);
    ck_assert_ptr_nonnull(r);
    return r;
}

START_TEST(repeats) {
    MgReplay *r = fresh();
    ck_assert(!mg_replay_restart(r));
    launch(r, 0, 3, 1);
    logged("0:1 1:1 2:1 3:1 "); // the first time, at once
    ck_assert(!mg_replay_restart(r));
    launch(r, 0, 3, 1);
    logged("");
    ck_assert(!mg_replay_restart(r));
    logged("R[ 0:1 1:1 2:1 3:1 ] P ");
    for (int i = 0; i < 3; i++) {
        launch(r, 0, 3, 1);
        ck_assert(!mg_replay_restart(r));
        logged("P ");
    }
    mg_replay_free(r);
    logged("D ");
}
END_TEST

START_TEST(differs) {
    MgReplay *r = fresh();
    launch(r, 0, 5, 1);
    mg_replay_restart(r);
    launch(r, 0, 5, 1);
    mg_replay_restart(r);
    log_[0] = 0;
    launch(r, 0, 2, 1);
    launch(r, 3, 5, 2); // other arguments from the fourth on
    logged("0:1 1:1 2:1 3:2 4:2 5:2 ");
    mg_replay_restart(r);
    launch(r, 0, 2, 1);
    launch(r, 3, 5, 2);
    mg_replay_restart(r);
    logged("R[ 0:1 1:1 2:1 3:2 4:2 5:2 ] P ");
    launch(r, 0, 2, 1); // shorter
    mg_replay_restart(r);
    logged("0:1 1:1 2:1 D ");
    launch(r, 0, 2, 1);
    launch(r, 6, 6, 1); // longer
    mg_replay_restart(r);
    logged("0:1 1:1 2:1 D 6:1 ");
    launch(r, 0, 2, 1);
    launch(r, 6, 6, 1);
    mg_replay_restart(r);
    logged("R[ 0:1 1:1 2:1 6:1 ] P ");
    mg_replay_free(r);
}
END_TEST

// Two places are swapped after each run; a third run that differs takes the place of the older one.
START_TEST(alternates) {
    MgReplay *r = fresh();
    static const char *const wanted[] = {"0:5 1:1 2:1 3:5 ",
                                         "0:5 1:2 2:2 3:5 ",
                                         "R[ 0:5 1:1 2:1 3:5 ] P ",
                                         "R[ 0:5 1:2 2:2 3:5 ] P ",
                                         "P ",
                                         "P ",
                                         "P "};
    for (int run = 0; run < 7; run++) {
        launch(r, 0, 0, 5);
        launch(r, 1, 2, 1 + run % 2);
        launch(r, 3, 3, 5);
        ck_assert(!mg_replay_restart(r));
        logged(wanted[run]);
    }
    launch(r, 0, 0, 5);
    launch(r, 1, 2, 3);
    launch(r, 3, 3, 5);
    mg_replay_restart(r);
    logged("0:5 D 1:3 2:3 3:5 ");
    launch(r, 0, 0, 5);
    launch(r, 1, 2, 1); // the latest of the two is still there
    launch(r, 3, 3, 5);
    mg_replay_restart(r);
    logged("P ");
    mg_replay_free(r);
    logged("D ");
}
END_TEST

// An address may belong to other memory once any memory has been freed.
START_TEST(freed) {
    MgReplay *r = fresh();
    launch(r, 0, 3, 1);
    mg_replay_restart(r);
    launch(r, 0, 3, 1);
    mg_replay_restart(r);
    log_[0] = 0;
    device.freed++;
    launch(r, 0, 3, 1);
    logged("D 0:1 1:1 2:1 3:1 ");
    mg_replay_restart(r);
    launch(r, 0, 3, 1);
    mg_replay_restart(r);
    logged("R[ 0:1 1:1 2:1 3:1 ] P ");
    mg_replay_free(r);
}
END_TEST

// The notes of the other run may be from before memory was freed, too.
START_TEST(freed_before) {
    MgReplay *r = fresh();
    for (int run = 0; run < 2; run++) {
        launch(r, 0, 4, 1);
        mg_replay_restart(r);
    }
    mg_replay_restart(r); // a run without a launch
    device.freed++;
    launch(r, 0, 7, 1);
    mg_replay_restart(r);
    log_[0] = 0;
    launch(r, 0, 4, 1);
    mg_replay_restart(r);
    ck_assert_ptr_null(strstr(log_, "P"));
    mg_replay_free(r);
}
END_TEST

START_TEST(segments) {
    MgReplay *r = fresh();
    for (int run = 0; run < 3; run++) {
        log_[0] = 0;
        launch(r, 0, 3, 1);
        ck_assert(!mg_replay_end(r)); // a transfer
        launch(r, 4, 8, 1);
        ck_assert(!mg_replay_end(r)); // another one, with nothing between it and the end
        ck_assert(!mg_replay_restart(r));
    }
    logged("P P ");
    for (int k = 0; k < 100; k++) { // more segments than are noted
        launch(r, 0, 3, k);
        mg_replay_end(r);
    }
    mg_replay_restart(r);
    log_[0] = 0;
    for (int k = 0; k < 100; k++) {
        launch(r, 0, 3, k);
        mg_replay_end(r);
    }
    ck_assert_ptr_nonnull(strstr(log_, "R[ 0:63 1:63 2:63 3:63 ] P 0:64 1:64 "));
    mg_replay_free(r);
}
END_TEST

START_TEST(few) {
    MgReplay *r = fresh();
    for (int run = 0; run < 3; run++) {
        launch(r, 0, 1, 1);
        mg_replay_restart(r);
        logged("0:1 1:1 "); // recorded, they would take longer
    }
    mg_replay_free(r);
}
END_TEST

START_TEST(refused) {
    MgReplay *r = fresh();
    refuses = true;
    launch(r, 0, 3, 1);
    mg_replay_restart(r);
    logged("0:1 1:1 2:1 3:1 ");
    launch(r, 0, 3, 1);
    mg_replay_restart(r);
    logged("R[ 0:1 1:1 2:1 3:1 ] 0:1 1:1 2:1 3:1 "); // launched after all
    launch(r, 0, 3, 1);
    mg_replay_restart(r);
    logged("0:1 1:1 2:1 3:1 "); // and not tried again
    mg_replay_free(r);
}
END_TEST

// A launch fails while it is recorded: the recording lacks it, so later runs launch one by one.
START_TEST(failed) {
    MgReplay *r = fresh();
    launch(r, 0, 3, 1);
    mg_replay_restart(r);
    launch(r, 0, 3, 1);
    fails = true;
    log_[0] = 0;
    mg_replay_restart(r);
    logged("R[ 0:1 1:1 2:1 3:1 ] D 0:1 1:1 2:1 3:1 ");
    fails = false;
    launch(r, 0, 3, 1);
    mg_replay_restart(r);
    logged("0:1 1:1 2:1 3:1 ");
    mg_replay_free(r);
    logged("");
}
END_TEST

// What a run transfers before its pass doesn't belong to the pass.
START_TEST(transfers_before) {
    MgReplay *r = fresh();
    for (int run = 0; run < 4; run++) {
        log_[0] = 0;
        ck_assert(!mg_replay_end(r) && !mg_replay_end(r)); // two inputs
        ck_assert(!mg_replay_restart(r));
        launch(r, 0, 3, 1);
        ck_assert(!mg_replay_end(r)); // an output
        ck_assert(!mg_replay_finish(r));
        logged(run == 0 ? "0:1 1:1 2:1 3:1 " : run == 1 ? "R[ 0:1 1:1 2:1 3:1 ] P " : "P ");
    }
    mg_replay_free(r);
}
END_TEST

// Launches of a recording wait only for those that use the same memory.
START_TEST(side_by_side) {
    MgReplay *r = fresh();
    apart = true;
    for (int run = 0; run < 2; run++) {
        log_[0] = 0;
        launch(r, 0, 5, 1); // 0 and 1, 2 and 3, 4 and 5 write the same place
        mg_replay_restart(r);
    }
    logged("R[ 0:1 1:1 <>2:1 3:1 <>4:1 5:1 ] P ");
    mg_replay_free(r);
}
END_TEST

MG_TEST_MAIN("replay", repeats, differs, alternates, freed, freed_before, segments, few, refused,
             failed, transfers_before, side_by_side)
