/* Context: S.  The places where state lives. */
#include "state.h"

struct mon *mon;
struct config config;
struct lineage lineage;
struct view view;
__thread struct slot *slot_self;
