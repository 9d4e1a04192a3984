/* Context: O.  The code of functions: its instructions and their lines. */
#ifndef CODE_H
#define CODE_H

#include "base/model.h"
#include "lines.h"

struct code_instruction {
	uint64_t address;
	const char *text;	/* "" where no disassembler knows it */
	const char *file;	/* NULL = not known */
	uint32_t line;		/* 0 = not known */
	uint32_t bytes;
};

struct code {
	struct code_instruction *all;
	size_t count, room;
	enum object_state state;
	bool disassembled;	/* else each is one byte */
};

struct code_set {
	struct code *all;	/* by function, in the order that was asked */
	size_t count;
	struct arena arena;	/* of their texts */
};

/*
 * Of functions of one module: its debug information is read once for all.  No
 * instructions are there of one without a symbol, or whose file is not there.
 * 0, -ENOMEM.
 */
int code_read(struct code_set *c, const struct model *m, uint32_t module,
    const uint32_t *functions, size_t count);
void code_free(struct code_set *c);

/* The instruction that holds an address; count where none does. */
size_t code_at(const struct code *c, uint64_t address);

#endif
