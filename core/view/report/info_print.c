/*
 * Context: O.  Prints keys and values of prof --info, for info.c, tprof_info.c
 * and heap_info.c: lines "key=value", or lines of a data table.
 */
#include "report/info_print.h"

#include "base/term.h"
#include "hex.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

void
info_print(const struct info_print *x, const char *key, const char *value)
{
	const struct term term = { .out = x->out };
	char full[96];

	snprintf(full, sizeof(full), "%s%s", x->prefix, key);
	if (x->sheet == NULL) {
		fprintf(x->out, "%s=", full);
		term_text(&term, value, 0);
		putc('\n', x->out);
		return;
	}
	data_table_text(x->sheet, x->path);
	data_table_text(x->sheet, full);
	data_table_text(x->sheet, value);
}

void
info_print_format(const struct info_print *x, const char *key,
    const char *format, ...)
{
	char value[128];
	va_list args;

	va_start(args, format);
	vsnprintf(value, sizeof(value), format, args);
	va_end(args);
	info_print(x, key, value);
}

void
info_print_number(const struct info_print *x, const char *key, uint64_t value)
{
	info_print_format(x, key, "%" PRIu64, value);
}

void
info_print_signed(const struct info_print *x, const char *key, int64_t value)
{
	info_print_format(x, key, "%" PRId64, value);
}

void
info_print_bytes(const struct info_print *x, const char *key,
    const uint8_t *bytes, size_t count)
{
	char value[2 * 32 + 1];

	hex_put(value, bytes, count < 32 ? count : 32);
	info_print(x, key, value);
}

void
info_print_time(const struct info_print *x, const char *key, uint64_t ns)
{
	time_t seconds = (time_t)(ns / 1000000000u);
	struct tm tm;
	char value[40] = "";

	if (ns != 0 && gmtime_r(&seconds, &tm) != NULL) {
		strftime(value, sizeof(value), "%Y-%m-%dT%H:%M:%S", &tm);
		sprintf(value + strlen(value), ".%09uZ",
		    (unsigned)(ns % 1000000000u));
	}
	info_print(x, key, value);
}

void
info_print_word(const struct info_print *x, const char *key,
    const char *const *words, size_t count, uint32_t value)
{
	if (value < count)
		info_print(x, key, words[value]);
	else
		info_print_number(x, key, value);
}

void
info_print_flags(const struct info_print *x, const char *key,
    const char *const *words, size_t count, uint32_t seen)
{
	char value[192] = "";
	int at = 0;

	for (size_t i = 0; i < 32; i++) {
		if ((seen & 1u << i) == 0)
			continue;
		if (at != 0)
			value[at++] = ',';
		at += i < count ? sprintf(value + at, "%s", words[i]) :
		    sprintf(value + at, "%zu", i);
	}
	info_print(x, key, value);
}
