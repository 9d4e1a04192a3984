/*
 * Context: O.  How much: the weight of what a view shows, in seconds, bytes or
 * blocks, as its model has it.  Views print weights by this alone.
 */
#ifndef UNIT_H
#define UNIT_H

#include "model.h"
#include "sheet.h"

struct unit {
	enum measure measure;
	int decimals;		/* of seconds */
};

/* Of numbers up to that one: small times have more digits. */
struct unit unit_of(const struct model *m, uint64_t most);

#define UNIT_COLUMNS	7	/* of the terminal, where it is not much more */

/* Of a column of weights, and of one of their shares, at the right of it. */
const char *unit_head(const struct unit *u);
const char *unit_share(const struct unit *u);

/* At the right of so many columns; returns those that it took. */
int unit_put(FILE *out, const struct unit *u, int columns, uint64_t n);

/* The same of a difference, with its sign. */
int unit_put_change(FILE *out, const struct unit *u, int columns,
    uint64_t before, uint64_t now);

/* In a sentence: "1.234 s", "3.20M bytes live". */
void unit_say(FILE *out, const struct unit *u, uint64_t n);

/* What a column for programs is called: "total_" and "seconds"; in `room`. */
#define UNIT_ROOM	40
const char *unit_column(const struct unit *u, const char *before,
    char room[UNIT_ROOM]);

/* A field there. */
void unit_field(struct sheet *s, const struct unit *u, uint64_t n);
void unit_field_change(struct sheet *s, const struct unit *u, uint64_t before,
    uint64_t now);

/*
 * Bytes in powers of 1024 from 10,000 on, as "9.77K" and "123M"; blocks in
 * powers of 1000 from ten millions on.
 */
#define UNIT_SCALED	24
const char *unit_bytes(uint64_t n, char room[UNIT_SCALED]);
const char *unit_blocks(uint64_t n, char room[UNIT_SCALED]);

#endif
