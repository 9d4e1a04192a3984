/*
 * Context: O.  The records of a profile that name its places: texts, then a
 * block of places and scopes for each module.  For embed.c alone.
 */
#ifndef EMBED_NAMES_H
#define EMBED_NAMES_H

#include "base/model.h"
#include "base/string_pool.h"

#include <stdbool.h>
#include <stdio.h>

/* A place of the profile that gets names. */
struct embed_place {
	/* Record of its module; 0: the address is absolute */
	uint32_t record;
	uint64_t address;
	const struct model_row *row;
};

/* The places with names.  All fields 0: there are none. */
struct embed_names {
	const struct model *model;
	struct embed_place *places;	/* ascending, each once */
	size_t count;
	size_t all_count;	/* number of places, with and without names */
	struct string_pool texts;
	bool failed;		/* memory for a text is out */
	uint32_t *index;	/* index in the file, by the number of a text */
	uint64_t base;		/* bytes of the file before the names */
	FILE *out;		/* stream of the records, from `base` on */
	uint32_t newest;	/* index of the newest block */
};

/*
 * Collects the places of a model, which outlives *n and has names and scopes by
 * symbolize_all(), into *n, whose fields are all 0.  Returns 0 or -ENOMEM;
 * embed_names_free() must be called in either case.
 */
int embed_names_collect(struct embed_names *n, const struct model *m);

/*
 * Writes the records to `out`, which is at its start.  They will stand at
 * offset `base` of the profile, a multiple of FORMAT_UNIT.  n->newest receives
 * the index of the head of their list, 0: there is no block.  Returns 0 or
 * -ENOMEM; errors of `out` are found by closing it.
 */
int embed_names_write(struct embed_names *n, uint64_t base, FILE *out);

/* Frees the places. */
void embed_names_free(struct embed_names *n);

#endif
