/*
 * Context: O.  Prints the weights that a view shows: seconds, bytes, blocks or
 * mappings, whichever metric the model holds.  Trees, graphs, differences,
 * annotated code and the columns and sums of the heap use it, and prof record
 * for bytes.  The flat table of time and the footers print seconds of their
 * own.
 */
#ifndef QUANTITY_H
#define QUANTITY_H

#include "base/data_table.h"
#include "base/model.h"

/* Unit of the weights of a view. */
struct quantity {
	enum metric measure;
	int decimals;		/* of seconds */
};

/*
 * Returns the unit of the metric that the model holds now (m->measure), for
 * weights up to `most` (ns if the metric is time): times below 10 s get three
 * decimals, others two.
 */
struct quantity quantity_of(const struct model *m, uint64_t most);

/* Columns that a weight takes on a terminal unless it is very large. */
#define QUANTITY_COLUMNS	7

/*
 * quantity_head() returns the title of a column of weights,
 * quantity_share_head() that of the column of their shares at its left.
 */
const char *quantity_head(const struct quantity *u);
const char *quantity_share_head(const struct quantity *u);

/*
 * Prints weight n (ns if the metric is time, else bytes, blocks or mappings)
 * right-aligned in `columns` columns.  Returns the number of
 * columns printed, which is larger if n needs more.
 */
int quantity_put(FILE *out, const struct quantity *u, int columns, uint64_t n);

/*
 * Prints the difference now - before with its sign, right-aligned in `columns`
 * columns.  Returns the number of columns printed, which is larger if the
 * difference needs more.
 */
int quantity_put_change(FILE *out, const struct quantity *u, int columns,
    uint64_t before, uint64_t now);

/*
 * Prints weight n as part of a sentence, for the heads of annotated functions:
 * "1.234 s", "3.20M bytes live".
 */
void quantity_put_words(FILE *out, const struct quantity *u, uint64_t n);

/* Bytes that quantity_column() needs for a name. */
#define QUANTITY_NAME_ROOM	40

/*
 * Writes the name of a data column of weights into `room` and returns it:
 * `before`, as "total_", and the name of the metric, as "seconds".
 */
const char *quantity_column(const struct quantity *u, const char *before,
    char room[QUANTITY_NAME_ROOM]);

/*
 * quantity_field() puts a weight as a field of a data table,
 * quantity_field_change() the difference now - before.
 */
void quantity_field(struct data_table *s, const struct quantity *u, uint64_t n);
void quantity_field_change(struct data_table *s, const struct quantity *u,
    uint64_t before, uint64_t now);

/* Bytes that a shortened number needs. */
#define QUANTITY_TEXT_ROOM	24

/*
 * Both write a number into `room` and return it: quantity_format_bytes() bytes,
 * in powers of 1024 from 10,000 on, as "9.77K" and "123M";
 * quantity_format_blocks() blocks or mappings, in powers of 1000 from ten
 * million on.
 */
const char *quantity_format_bytes(uint64_t n, char room[QUANTITY_TEXT_ROOM]);
const char *quantity_format_blocks(uint64_t n, char room[QUANTITY_TEXT_ROOM]);

#endif
