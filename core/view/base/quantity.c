/*
 * Context: O.  Prints weights in seconds, bytes, blocks or mappings, for the
 * views; see quantity.h.
 */
#include "base/quantity.h"

#include <inttypes.h>
#include <string.h>

/*
 * From these numbers on, numbers are shortened.  Seven columns are enough for
 * bytes and blocks, so that they fit under their titles.
 */
#define BYTES_LEAST	10000u
#define BLOCKS_LEAST	10000000u

static const struct {
	const char *head, *share;
} quantity_heads[METRICS] = {
	[METRIC_TIME] = { "Seconds", "%Time" },
	[METRIC_PEAK] = { "Peak", "%Peak" },
	[METRIC_LIVE] = { "Live", "%Live" },
	[METRIC_LIVE_BLOCKS] = { "LiveBlk", "%Live" },
	[METRIC_TOTAL] = { "Total", "%Total" },
	[METRIC_BLOCKS] = { "Blocks", "%Blks" },
	[METRIC_FREED] = { "Freed", "%Freed" },
	[METRIC_TEMPORARY] = { "Temp", "%Temp" },
	[METRIC_HIGH] = { "High", "%High" },
	[METRIC_MAPPED_PEAK] = { "MapPeak", "%Peak" },
	[METRIC_MAPPED] = { "Mapped", "%Map" },
	[METRIC_MAPPED_TOTAL] = { "MapTot", "%Total" },
	[METRIC_MAPPINGS] = { "Maps", "%Maps" },
};

struct quantity
quantity_of(const struct model *m, uint64_t most)
{
	return (struct quantity) {
		.measure = m->measure,
		.decimals = most < 10000000000u ? 3 : 2,
	};
}

const char *
quantity_head(const struct quantity *u)
{
	return quantity_heads[u->measure].head;
}

const char *
quantity_share_head(const struct quantity *u)
{
	return quantity_heads[u->measure].share;
}

/* Writes a number with three digits and the letter of its power of `step`. */
static const char *
format_scaled(uint64_t whole, unsigned step, char room[QUANTITY_TEXT_ROOM])
{
	static const char units[] = "KMGTPE";
	double n = (double)whole / step;
	size_t i = 0;

	for (; n >= 999.5 && units[i + 1] != '\0'; i++)
		n /= step;
	snprintf(room, QUANTITY_TEXT_ROOM, "%.*f%c", n < 9.995 ? 2 : n < 99.95 ?
	    1 : 0, n, units[i]);
	return room;
}

static const char *
format_count(uint64_t n, uint64_t least, unsigned step,
    char room[QUANTITY_TEXT_ROOM])
{
	if (n >= least)
		return format_scaled(n, step, room);
	snprintf(room, QUANTITY_TEXT_ROOM, "%" PRIu64, n);
	return room;
}

const char *
quantity_format_bytes(uint64_t n, char room[QUANTITY_TEXT_ROOM])
{
	return format_count(n, BYTES_LEAST, 1024, room);
}

const char *
quantity_format_blocks(uint64_t n, char room[QUANTITY_TEXT_ROOM])
{
	return format_count(n, BLOCKS_LEAST, 1000, room);
}

static const char *
format_quantity(const struct quantity *u, uint64_t n,
    char room[QUANTITY_TEXT_ROOM])
{
	return metric_is_bytes(u->measure) ? quantity_format_bytes(n, room) :
	    quantity_format_blocks(n, room);
}

int
quantity_put(FILE *out, const struct quantity *u, int columns, uint64_t n)
{
	char room[QUANTITY_TEXT_ROOM];

	return u->measure == METRIC_TIME ?
	    fprintf(out, "%*.*f", columns, u->decimals, (double)n / 1e9) :
	    fprintf(out, "%*s", columns, format_quantity(u, n, room));
}

int
quantity_put_change(FILE *out, const struct quantity *u, int columns,
    uint64_t before, uint64_t now)
{
	char room[QUANTITY_TEXT_ROOM], sign[QUANTITY_TEXT_ROOM + 1];

	if (u->measure == METRIC_TIME)
		return fprintf(out, "%+*.*f", columns, u->decimals,
		    ((double)now - (double)before) / 1e9);
	snprintf(sign, sizeof(sign), "%s%s", now < before ? "-" : "+",
	    format_quantity(u, now < before ? before - now : now - before,
	    room));
	return fprintf(out, "%*s", columns, sign);
}

void
quantity_put_words(FILE *out, const struct quantity *u, uint64_t n)
{
	quantity_put(out, u, 0, n);
	fprintf(out, " %s", u->measure == METRIC_TIME ? "s" :
	    metric_description(u->measure));
}

const char *
quantity_column(const struct quantity *u, const char *before,
    char room[QUANTITY_NAME_ROOM])
{
	snprintf(room, QUANTITY_NAME_ROOM, "%s%s", before,
	    metric_column(u->measure));
	return room;
}

void
quantity_field(struct data_table *s, const struct quantity *u, uint64_t n)
{
	if (u->measure == METRIC_TIME)
		data_table_number(s, "%.9f", (double)n / 1e9);
	else
		data_table_number(s, "%" PRIu64, n);
}

void
quantity_field_change(struct data_table *s, const struct quantity *u,
    uint64_t before, uint64_t now)
{
	if (u->measure == METRIC_TIME)
		data_table_number(s, "%.9f",
		    ((double)now - (double)before) / 1e9);
	else
		data_table_number(s, "%s%" PRIu64, now < before ? "-" : "",
		    now < before ? before - now : now - before);
}
