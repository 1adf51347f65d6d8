// Replays: a run that launches what the last one launched, with the same arguments, is one command
// of the driver (MgDeviceHost.record).
//
// A run's launches are parted into segments by what must wait for them: transfers and ends of
// passes. The first run launches each at once and notes it. Later, launches that repeat the notes
// are held back until the segment ends. The first repetition is recorded, and each is replayed.
// Launches of a recording wait only for those whose memory they use (runtime/device_order.h). At
// a launch that differs, those held back are launched one by one, and notes start anew from there.
// The notes of one other run are kept beside the latest: a training swaps two places of each
// parameter, so every second run has the same arguments.
#ifndef MG_RUNTIME_DEVICE_REPLAY_H
#define MG_RUNTIME_DEVICE_REPLAY_H

#include "runtime/device_impl.h"
#include "runtime/device_order.h"

typedef struct MgReplay MgReplay;
// Launches now. False if the launch failed, or an earlier command of the run: the run reports it.
typedef bool MgReplayLaunch(void *run, uint32_t launch, const int64_t *args, int64_t groups);

// Fills in what memory the launch uses, if `uses` is not NULL. Returns how many uses there are.
typedef uint32_t MgReplayUses(void *run, uint32_t launch, const int64_t *args, MgLaunchUse *uses);

// NULL if the driver has no recordings, or if memory runs out: there are no replays then.
MgReplay *mg_replay_new(MgDevice *device, MgHostQueue *queue, MgReplayLaunch *launch,
                        MgReplayUses *uses, void *run);
void mg_replay_free(MgReplay *replay); // the queue must be idle; NULL is allowed
// Makes a launch, now or at the segment's end. n: the number of arguments.
void mg_replay_launch(MgReplay *replay, uint32_t launch, const int64_t *args, uint32_t n,
                      int64_t groups);
// Ends a segment. Everything is enqueued after it. A status other than 0 is the driver's.
MgHostStatus mg_replay_end(MgReplay *replay);
// Ends a segment, and the pass: the next segment is the pass's first.
MgHostStatus mg_replay_restart(MgReplay *replay);
// Ends a segment, and the pass. What comes before the next pass belongs to no segment.
MgHostStatus mg_replay_finish(MgReplay *replay);

#endif
