/* Context: O.  A table for programs: comma-separated values, or JSON. */
#ifndef SHEET_H
#define SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum sheet_form {
	SHEET_NONE,		/* for people, by others */
	SHEET_CSV,		/* RFC 4180, a header line, lines end in \n */
	SHEET_JSON,		/* an array of objects, one a line */
};

#define SHEET_COLUMNS 32

struct sheet {
	FILE *out;
	enum sheet_form form;
	const char *columns[SHEET_COLUMNS];
	size_t count;
	size_t at;		/* the column of the next field */
	bool begun;
};

/* Columns are named first, then each line has a field for each, in order. */
void sheet_init(struct sheet *s, FILE *out, enum sheet_form form);
void sheet_column(struct sheet *s, const char *name);

/* NULL = there is none. */
void sheet_text(struct sheet *s, const char *text);

/* What printf(3) makes of it is a number in JSON, too. */
void sheet_number(struct sheet *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Also where there was no line. */
void sheet_end(struct sheet *s);

#endif
