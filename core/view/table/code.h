/*
 * Context: O.  Reads the code of functions: instructions with their source
 * lines.  For annotated code (annotate.c) and the HTML page
 * (export/html/html_code.c), after symbolize_all().
 */
#ifndef CODE_H
#define CODE_H

#include "base/model.h"
#include "dwarf/lines.h"

/* One instruction. */
struct code_instruction {
	uint64_t address;
	const char *text;	/* "" where the disassembler is missing */
	const char *file;	/* NULL = not known */
	uint32_t line;		/* 0 = not known */
	uint32_t bytes;
};

/* The code of one function, ascending by address. */
struct code {
	struct code_instruction *all;
	size_t count, room;
	enum object_state state;	/* how the module's object was found */
	bool disassembled;	/* false: each element is one byte */
};

/* The code of several functions. */
struct code_set {
	/* in the order in which functions were asked for */
	struct code *all;
	size_t count;
	struct arena arena;	/* of texts */
};

/*
 * Reads the code of `count` functions of one module, by their numbers in the
 * model; debug information is read only once for all.  A function without a
 * symbol, or whose file is missing or is not the one that ran, gets no
 * instructions.  Texts live as long as *c.  Returns 0 or -ENOMEM; call
 * code_free() in either case.
 */
int code_read(struct code_set *c, const struct model *m, uint32_t module,
    const uint32_t *functions, size_t count);

/* Frees the code. */
void code_free(struct code_set *c);

/*
 * Returns the index of the instruction that contains an address as in the
 * object's ELF headers; c->count if there is none.
 */
size_t code_at(const struct code *c, uint64_t address);

#endif
