/* Context: S.  The few string and memory functions that a handler needs. */
#ifndef STR_H
#define STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A text being built in a fixed place; `full` says that something was cut. */
struct str {
	char *at;
	size_t room;		/* bytes left, the final NUL included */
	bool full;
};

void str_init(struct str *s, char *place, size_t room);
void str_add(struct str *s, const char *text);
void str_add_bytes(struct str *s, const char *text, size_t n);
void str_add_number(struct str *s, uint64_t n);

size_t str_length(const char *s);
bool str_equal(const char *a, const char *b);
bool str_begins(const char *s, const char *head);
void str_copy(char *to, const char *from, size_t room);
void mem_copy(void *to, const void *from, size_t n);
void mem_zero(void *to, size_t n);
bool mem_equal(const void *a, const void *b, size_t n);

#define CACHE_LINE	64u

/* It will be needed soon: its cache lines are asked for. */
static inline void
mem_prefetch(const void *p, size_t n)
{
	size_t i;

	for (i = 0; i < n; i += CACHE_LINE)
		__builtin_prefetch((const char *)p + i);
}

/* Reads digits at *s and moves it behind them; UINT64_MAX for what is more. */
uint64_t str_decimal(const char **s);
uint64_t str_hex(const char **s);

#endif
