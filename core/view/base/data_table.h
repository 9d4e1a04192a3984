/*
 * Context: O.  Prints a table for programs, as comma-separated values or as
 * JSON, for views and for commands of prof.  Name the columns first, then put
 * the fields of each line in the order of the columns; a line ends with its
 * last field.  Errors of the stream are left to the caller's output_close().
 */
#ifndef DATA_TABLE_H
#define DATA_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Format of a table. */
enum data_table_format {
	/* a table for people, which other files print */
	DATA_TABLE_NONE,
	DATA_TABLE_CSV,		/* RFC 4180, a header line, lines end in \n */
	DATA_TABLE_JSON,		/* an array of objects, one a line */
};

/* Most columns of a table. */
#define DATA_TABLE_COLUMNS 32

/* A table that is being printed. */
struct data_table {
	FILE *out;
	enum data_table_format form;
	const char *columns[DATA_TABLE_COLUMNS];
	size_t count;
	size_t at;		/* the column of the next field */
	bool begun;
};

/*
 * data_table_init() begins a table in that format, CSV or JSON, which is
 * printed on `out`.  data_table_column() adds a column, of which there are at
 * most DATA_TABLE_COLUMNS; its name is not copied and must live until
 * data_table_end().  All columns must be added before the first field.
 */
void data_table_init(struct data_table *s, FILE *out,
    enum data_table_format form);
void data_table_column(struct data_table *s, const char *name);

/*
 * Puts a field of text, which is printed at once; NULL is an empty field, null
 * in JSON.
 */
void data_table_text(struct data_table *s, const char *text);

/*
 * Puts a field that is a number, without quotes also in JSON: the text that
 * printf(3) makes of the arguments.
 */
void data_table_number(struct data_table *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends the table, which may have no lines. */
void data_table_end(struct data_table *s);

#endif
