/* Context: O.  The code of one function: its instructions and their lines. */
#ifndef CODE_H
#define CODE_H

#include "lines.h"
#include "model.h"

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
	struct arena arena;
	enum object_state state;
	bool disassembled;	/* else each is one byte */
};

/* Of a function with a symbol; none where its file is not there.  0, -ENOMEM. */
int code_read(struct code *c, const struct model *m, uint32_t function);

/* The instruction that holds an address; count where none does. */
size_t code_at(const struct code *c, uint64_t address);

void code_free(struct code *c);

#endif
