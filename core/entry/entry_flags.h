/*
 * Context: P.  Tells whether the status flags matter where a function begins.
 * By the ABI they do not; functions of hand-written code may pass them.
 */
#ifndef ENTRY_FLAGS_H
#define ENTRY_FLAGS_H

#include "code_image.h"

/*
 * Returns whether the code at the address may read flags that it has not set:
 * whether it reads some before it has overwritten all, or goes on for many
 * instructions without doing either.  A call, a return and an indirect jump
 * take no flags along; direct jumps are followed.
 */
bool entry_flags_are_live(const struct code_image *image, uint64_t address);

#endif
