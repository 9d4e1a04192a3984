/* Context: O.  A table for programs: comma-separated values, or JSON. */
#ifndef DATA_TABLE_H
#define DATA_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum data_table_format {
	DATA_TABLE_NONE,		/* for people, by others */
	DATA_TABLE_CSV,		/* RFC 4180, a header line, lines end in \n */
	DATA_TABLE_JSON,		/* an array of objects, one a line */
};

#define DATA_TABLE_COLUMNS 32

struct data_table {
	FILE *out;
	enum data_table_format form;
	const char *columns[DATA_TABLE_COLUMNS];
	size_t count;
	size_t at;		/* the column of the next field */
	bool begun;
};

/* Columns are named first, then each line has a field for each, in order. */
void data_table_init(struct data_table *s, FILE *out,
    enum data_table_format form);
void data_table_column(struct data_table *s, const char *name);

/* NULL = there is none. */
void data_table_text(struct data_table *s, const char *text);

/* What printf(3) makes of it is a number in JSON, too. */
void data_table_number(struct data_table *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Also where there was no line. */
void data_table_end(struct data_table *s);

#endif
