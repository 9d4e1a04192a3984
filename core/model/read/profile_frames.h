/*
 * Context: O.  Adds the frames of callers in a profile to the model, for
 * read_profile.c (time) and read_profile_heap.c (allocations).
 */
#ifndef PROFILE_FRAMES_H
#define PROFILE_FRAMES_H

#include "read/profile_reader.h"

/* Returns whether a node is a caller, an interrupted function or a cut. */
bool profile_frames_is_caller(const struct format_node *n);

/*
 * Adds the frame of a node for which profile_frames_is_caller() is true, and
 * sets x->frames[index]; index: that of the node.  x->frames must not be NULL,
 * and the frame of the node's own caller must have been added before.  Frames
 * of libmon.so are left out: their element is that of their caller.  Returns 0,
 * or -ENOMEM with *x->fault set.
 */
int profile_frames_add(struct profile_reader *x, uint32_t index,
    const struct format_node *n);

/*
 * Returns the process of a row in that module: x->process, or MODEL_NONE where
 * processes share rows.
 */
uint32_t profile_frames_process(const struct profile_reader *x,
    uint32_t module);

#endif
