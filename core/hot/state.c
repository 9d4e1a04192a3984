/* Context: S.  The places where state lives. */
#include "state.h"

/* gcc puts the last first: what a start touches lies in one page. */
struct config config;
struct view view;
struct lineage lineage;
struct mon *mon;
__thread struct slot *slot_self;
