/*
 * Context: O.  How much: the weight of what a view shows, in seconds, bytes or
 * blocks, as its model has it.  Views print weights by this alone.
 */
#ifndef QUANTITY_H
#define QUANTITY_H

#include "base/data_table.h"
#include "base/model.h"

struct quantity {
	enum metric measure;
	int decimals;		/* of seconds */
};

/* Of numbers up to that one: small times have more digits. */
struct quantity quantity_of(const struct model *m, uint64_t most);

/* Of the terminal, where it is not much more */
#define QUANTITY_COLUMNS	7

/* Of a column of weights, and of one of their shares, at the right of it. */
const char *quantity_head(const struct quantity *u);
const char *quantity_share_head(const struct quantity *u);

/* At the right of so many columns; returns those that it took. */
int quantity_put(FILE *out, const struct quantity *u, int columns, uint64_t n);

/* The same of a difference, with its sign. */
int quantity_put_change(FILE *out, const struct quantity *u, int columns,
    uint64_t before, uint64_t now);

/* In a sentence: "1.234 s", "3.20M bytes live". */
void quantity_put_words(FILE *out, const struct quantity *u, uint64_t n);

/* What a column for programs is called: "total_" and "seconds"; in `room`. */
#define QUANTITY_NAME_ROOM	40
const char *quantity_column(const struct quantity *u, const char *before,
    char room[QUANTITY_NAME_ROOM]);

/* A field there. */
void quantity_field(struct data_table *s, const struct quantity *u, uint64_t n);
void quantity_field_change(struct data_table *s, const struct quantity *u,
    uint64_t before, uint64_t now);

/*
 * Bytes in powers of 1024 from 10,000 on, as "9.77K" and "123M"; blocks in
 * powers of 1000 from ten millions on.
 */
#define QUANTITY_TEXT_ROOM	24
const char *quantity_format_bytes(uint64_t n, char room[QUANTITY_TEXT_ROOM]);
const char *quantity_format_blocks(uint64_t n, char room[QUANTITY_TEXT_ROOM]);

#endif
