/* Context: O.  One "key=value" a line, or rows of a sheet. */
#ifndef INFOPUT_H
#define INFOPUT_H

#include "sheet.h"

#include <stddef.h>
#include <stdint.h>

struct infoput {
	FILE *out;
	const char *path;
	struct sheet *sheet;	/* NULL = for people */
	char prefix[32];	/* "module.3." */
};

void infoput(const struct infoput *x, const char *key, const char *value);
void infoput_f(const struct infoput *x, const char *key, const char *format,
    ...) __attribute__((format(printf, 3, 4)));
void infoput_number(const struct infoput *x, const char *key, uint64_t value);
void infoput_signed(const struct infoput *x, const char *key, int64_t value);

/* In hex, at most 32 of them. */
void infoput_bytes(const struct infoput *x, const char *key,
    const uint8_t *bytes, size_t count);

/* ns since 1970, in UTC; 0: an empty value. */
void infoput_time(const struct infoput *x, const char *key, uint64_t ns);

/* A newer libmon may have more of them. */
void infoput_word(const struct infoput *x, const char *key,
    const char *const *words, size_t count, uint32_t value);

/* The same for the bits of a set. */
void infoput_seen(const struct infoput *x, const char *key,
    const char *const *words, size_t count, uint32_t seen);

#endif
