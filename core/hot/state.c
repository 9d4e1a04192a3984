/* Context: S.  The places where state lives. */
#include "state.h"

struct lineage lineage STATE_BEHIND("cold");
struct config config;
struct view view;
struct mon *mon;
__thread struct slot *slot_self;
