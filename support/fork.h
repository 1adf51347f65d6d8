// Work that no fork() of another thread may interrupt: in a child, locks that a thread of the
// parent held would stay locked, LLVM's and the loader's too. So fork() waits until such work has
// ended, and new work waits until the fork is done.
//
// Such work may be nested. It must not wait for another thread that has yet to begin its own.
#ifndef MG_SUPPORT_FORK_H
#define MG_SUPPORT_FORK_H

void mg_fork_hold(void);
void mg_fork_allow(void);

#endif
