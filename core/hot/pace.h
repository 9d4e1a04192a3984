/* Context: S.  How often a thread is switched: is a perf event worth it? */
#ifndef PACE_H
#define PACE_H

#include "state.h"

/* At a coarse tick that stands for ns: is it switched so seldom that it is? */
bool pace_is_calm(struct slot *s, uint64_t ns);

/* Switches so far are of a time that nobody looked at. */
void pace_begin(struct slot *s);

/* Does it share its processor?  The coarse clock does not see it fairly. */
bool pace_is_shared(const struct slot *s);

/* Is it calm for long enough to have one again? */
bool pace_is_calm_again(const struct slot *s);

#endif
