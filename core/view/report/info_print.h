/* Context: O.  One "key=value" a line, or rows of a sheet. */
#ifndef INFO_PRINT_H
#define INFO_PRINT_H

#include "base/data_table.h"

#include <stddef.h>
#include <stdint.h>

struct info_print {
	FILE *out;
	const char *path;
	struct data_table *sheet;	/* NULL = for people */
	char prefix[32];	/* "module.3." */
};

void info_print(const struct info_print *x, const char *key, const char *value);
void info_print_format(const struct info_print *x, const char *key,
    const char *format, ...) __attribute__((format(printf, 3, 4)));
void info_print_number(const struct info_print *x, const char *key,
    uint64_t value);
void info_print_signed(const struct info_print *x, const char *key,
    int64_t value);

/* In hex, at most 32 of them. */
void info_print_bytes(const struct info_print *x, const char *key,
    const uint8_t *bytes, size_t count);

/* ns since 1970, in UTC; 0: an empty value. */
void info_print_time(const struct info_print *x, const char *key, uint64_t ns);

/* A newer libmon may have more of them. */
void info_print_word(const struct info_print *x, const char *key,
    const char *const *words, size_t count, uint32_t value);

/* The same for the bits of a set. */
void info_print_flags(const struct info_print *x, const char *key,
    const char *const *words, size_t count, uint32_t seen);

#endif
