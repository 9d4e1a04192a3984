/*
 * Context: O.  The time that passed through each instruction and source line of
 * the functions in a page, with what was called there.  html_code.c collects
 * all totals at first, then finds and writes those of one function after the
 * other.
 */
#ifndef HTML_CODE_TOTALS_H
#define HTML_CODE_TOTALS_H

#include "base/key_table.h"
#include "base/string_pool.h"
#include "html/html_code_source.h"
#include "html/html_tree.h"

#include <stdio.h>

/* Most totals of a page, of all functions together. */
#define HTML_CODE_TOTALS	(1u << 19)

/* The total of an instruction or line in one thread or sample. */
struct html_code_total {
	uint32_t function;	/* its place in the order of functions */
	/* of a line: number of its file, from 1 on; of an instruction: 0 */
	uint32_t file;
	uint32_t at;		/* number of the instruction, or the line */
	uint32_t of;		/* number of the thread or sample */
	uint64_t ns;
};

/*
 * The totals.  All fields 0: there are none.  Names of files are borrowed from
 * the model and from codes[], which must live until all totals are written.
 */
struct html_code_totals {
	/* ascending by function, file, at and of */
	struct html_code_total *all;
	size_t count;
	struct string_pool files;	/* by number of the file - 1 */
	bool by_sample;		/* `of` is a sample, whose time the page has */
	bool full;		/* there were too many, so that none is kept */
	size_t first, end;	/* totals of the function in work */
};

/*
 * Sums up the totals of `count` functions, order[] with their code in codes[];
 * a sample counts once at an instruction or line, however often it is on the
 * stack.  Returns 0 or -ENOMEM; html_code_totals_free() must be called in
 * either case.
 */
int html_code_totals_collect(struct html_code_totals *t, const struct model *m,
    const struct html_tree_samples *samples, const uint32_t *order,
    const struct code *const *codes, uint32_t count);

/*
 * Makes order[i] the function in work; i only grows from call to call.  Adds
 * the lines of its totals to its source, and gives them the file numbers of the
 * source.  Returns 0 or -ENOMEM.
 */
int html_code_totals_find(struct html_code_totals *t,
    struct html_code_source *source, uint32_t i);

/*
 * Writes the totals of the function in work, as two further members of a JSON
 * object; nothing if the totals of the page are too many.
 */
void html_code_totals_put(const struct html_code_totals *t, FILE *out);

/* Frees the totals. */
void html_code_totals_free(struct html_code_totals *t);

#endif
