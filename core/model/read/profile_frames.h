/* Context: O.  Adds the frames of callers in a profile to the model. */
#ifndef PROFILE_FRAMES_H
#define PROFILE_FRAMES_H

#include "read/profile_reader.h"

/* Returns whether a node is a caller or a cut. */
bool profile_frames_is_caller(const struct format_node *n);

/*
 * Adds the frame of a node that is a caller of others; the frame of its own
 * caller must have been added before.  Frames of libmon.so are left out.
 * Returns 0, or -errno with *x->fault set.
 */
int profile_frames_add(struct profile_reader *x, uint32_t index,
    const struct format_node *n);

/*
 * Returns the process of a row in that module: MODEL_NONE where processes share
 * rows.
 */
uint32_t profile_frames_process(const struct profile_reader *x,
    uint32_t module);

#endif
