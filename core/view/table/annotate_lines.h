/*
 * Context: O.  Prints the lines and instructions of one function, by source
 * line, hottest part first, or in the order of the code.  For annotate.c, which
 * fills struct annotation and frees what is in it.
 */
#ifndef ANNOTATE_LINES_H
#define ANNOTATE_LINES_H

#include "base/quantity.h"
#include "base/term.h"
#include "derive/code_times.h"
#include "derive/source_text.h"
#include "table/code.h"

/* The function in work, and what all functions share. */
struct annotation {
	const struct term *term;
	struct model *model;
	const struct code_times *times;
	struct source_text source;
	struct quantity unit;
	bool totals;	/* the model has stacks, so totals are known */
	bool all;	/* show lines and instructions without time, too */

	uint32_t function;
	uint64_t function_ns;	/* ns with what it called */
	const struct code *code;	/* its instructions, maybe none */
	/*
	 * times by instruction of *code, allocated, and one more behind them
	 * for addresses in no instruction; total_ns is 0: it has no time
	 */
	struct code_time *costs;
};

/* Prints the titles of the columns. */
void annotate_lines_head(const struct annotation *v);

/*
 * Prints the source lines that have time, and the instructions of each, the
 * hottest part of the source first.  Returns 0 or -ENOMEM.
 */
int annotate_lines_by_source(struct annotation *v);

/* Prints the instructions in the order of their addresses. */
void annotate_lines_by_address(struct annotation *v);

/* Returns whether any line of the function is known. */
bool annotate_lines_known(const struct annotation *v);

#endif
