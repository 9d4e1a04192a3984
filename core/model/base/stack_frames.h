/* Context: O.  The callers of what was counted, of all files: one tree. */
#ifndef STACK_FRAMES_H
#define STACK_FRAMES_H

#include "hash_index.h"

/* Its key is all before the function. */
struct stack_frame {
	uint32_t caller;	/* a frame; 0 = it is the outermost */
	uint32_t module;
	uint64_t address;
	uint32_t kind;		/* as of its row */
	uint32_t process;	/* likewise */
	uint32_t function;	/* after symbolize_all() */
	uint32_t guessed;	/* it was not told by a table */
	uint32_t scope, scopes;	/* as of its row */
	uint32_t row;		/* after model_finish() */
};

/* Frame 0 is none: below it is what has no caller.  A caller comes first. */
struct stack_frames {
	struct stack_frame *frames;
	size_t count, room;
	struct hash_index by_key;
};

/* The frame of that key, made when it is not there; 0: no memory. */
uint32_t stack_frames_find(struct stack_frames *s,
    const struct stack_frame *key);
void stack_frames_free(struct stack_frames *s);

#endif
