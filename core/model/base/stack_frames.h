/*
 * Context: O.  The callers of everything that was counted in all files, merged
 * into one tree of frames.  Readers add frames through model_add_frame(), which
 * also adds their rows.
 */
#ifndef STACK_FRAMES_H
#define STACK_FRAMES_H

#include "base/hash_index.h"

/* A caller.  The key is all fields before `function`. */
struct stack_frame {
	/* the frame that called it; 0 = it is outermost */
	uint32_t caller;
	uint32_t module;
	uint64_t address;
	uint32_t kind;		/* as in its row */
	uint32_t process;	/* as in its row */
	uint32_t function;	/* set by symbolize_all() */
	/* 1 = found by frame pointer, not by an unwind table */
	uint32_t guessed;
	uint32_t scope, scopes;	/* as in its row */
	/* number of its row; its index after model_finish() */
	uint32_t row;
};

/*
 * All frames.  Frame 0 stands for no frame: frames without a caller are below
 * it.  A caller has a lower number than the frames that it called.
 */
struct stack_frames {
	struct stack_frame *frames;
	size_t count, room;
	struct hash_index by_key;
};

/*
 * Returns the number of the frame with that key, which is made if it is
 * missing; only model_add_frame() calls it.  Other fields of a new frame are
 * copied from *key.  Returns 0 if memory is out.
 */
uint32_t stack_frames_find(struct stack_frames *s,
    const struct stack_frame *key);

/* Frees all frames. */
void stack_frames_free(struct stack_frames *s);

#endif
