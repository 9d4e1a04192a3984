/* Context: S.  The places where state lives. */
#include "state.h"

struct lineage lineage;
char lineage_directory[PATH_MAX] STATE_BEHIND("2.cold");
struct config config STATE_BEHIND("1.config");
struct view view;
struct mon *mon;
__thread struct slot *slot_self;
__thread struct arc_shard *arc_own;
