/*
 * Context: S.  Defines the variables that state.h and the headers of its parts
 * declare, each in its section of the library's data.  Has no code.
 */
#include "base/state.h"

struct lineage lineage;
char lineage_directory[PATH_MAX] STATE_SECTION("2.cold");
struct config config STATE_SECTION("1.config");
struct virtual_signals virtual_signals;
const int virtual_fault_signals[VIRTUAL_FAULTS] = {
	[VIRTUAL_FAULT_BUS] = SIGBUS,
	[VIRTUAL_FAULT_SEGV] = SIGSEGV,
};
struct mon *mon;
__thread struct thread_slot *thread_slot_self;
__thread struct arc_shard *arc_shard_self;
