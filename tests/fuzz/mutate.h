/* Context: O.  Changes of a profile that get past its first checks. */
#ifndef MUTATE_H
#define MUTATE_H

#include "fuzz.h"

size_t mutate_profile(uint8_t *data, size_t size, size_t room,
    unsigned int seed);

#endif
