/*
 * Context: O.  Prints keys and values of prof --info, whatever kind of file it
 * describes: lines "key=value", or lines of a data table.  For info.c,
 * tprof_info.c and heap_info.c.
 */
#ifndef INFO_PRINT_H
#define INFO_PRINT_H

#include "base/data_table.h"

#include <stddef.h>
#include <stdint.h>

/* Where keys and values are printed. */
struct info_print {
	FILE *out;
	const char *path;	/* of the file that is described */
	/* data table; NULL = print lines for people */
	struct data_table *sheet;
	char prefix[32];	/* put before each key, as "module.3." */
};

/*
 * info_print() prints a key with a text, which is not NULL; info_print_format()
 * with the text that printf(3) makes of the arguments, of which it keeps 127
 * bytes; info_print_number() and info_print_signed() with a number.
 */
void info_print(const struct info_print *x, const char *key, const char *value);
void info_print_format(const struct info_print *x, const char *key,
    const char *format, ...) __attribute__((format(printf, 3, 4)));
void info_print_number(const struct info_print *x, const char *key,
    uint64_t value);
void info_print_signed(const struct info_print *x, const char *key,
    int64_t value);

/* Prints bytes in hex, at most 32 of them. */
void info_print_bytes(const struct info_print *x, const char *key,
    const uint8_t *bytes, size_t count);

/* Prints a time (ns since 1970) in UTC; 0 prints an empty value. */
void info_print_time(const struct info_print *x, const char *key, uint64_t ns);

/*
 * Prints the word for a value, by its number in the `count` words, or the value
 * itself if it has no word, as a newer libmon may know more values.
 */
void info_print_word(const struct info_print *x, const char *key,
    const char *const *words, size_t count, uint32_t value);

/*
 * Prints the words for the bits of a set, separated by commas; a bit beyond the
 * `count` words is printed as its number.  The words must be short: the text
 * for any set has room for 191 bytes.
 */
void info_print_flags(const struct info_print *x, const char *key,
    const char *const *words, size_t count, uint32_t seen);

#endif
