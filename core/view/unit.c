/* Context: O.  How much: seconds, bytes or blocks. */
#include "unit.h"

#include <inttypes.h>
#include <string.h>

/* Seven columns, so that blocks stand under it to the last one. */
#define BYTES_LEAST	10000u
#define BLOCKS_LEAST	10000000u

static const struct {
	const char *head, *share;
} unit_heads[MEASURES] = {
	[MEASURE_TIME] = { "Seconds", "%Time" },
	[MEASURE_PEAK] = { "Peak", "%Peak" },
	[MEASURE_LIVE] = { "Live", "%Live" },
	[MEASURE_LIVE_BLOCKS] = { "LiveBlk", "%Live" },
	[MEASURE_TOTAL] = { "Total", "%Total" },
	[MEASURE_BLOCKS] = { "Blocks", "%Blks" },
	[MEASURE_FREED] = { "Freed", "%Freed" },
	[MEASURE_TEMPORARY] = { "Temp", "%Temp" },
	[MEASURE_HIGH] = { "High", "%High" },
	[MEASURE_MAPPED_PEAK] = { "MapPeak", "%Peak" },
	[MEASURE_MAPPED] = { "Mapped", "%Map" },
	[MEASURE_MAPPED_TOTAL] = { "MapTot", "%Total" },
	[MEASURE_MAPPINGS] = { "Maps", "%Maps" },
};

struct unit
unit_of(const struct model *m, uint64_t most)
{
	return (struct unit) {
		.measure = m->measure,
		.decimals = most < 10000000000u ? 3 : 2,
	};
}

const char *
unit_head(const struct unit *u)
{
	return unit_heads[u->measure].head;
}

const char *
unit_share(const struct unit *u)
{
	return unit_heads[u->measure].share;
}

static const char *
scaled(uint64_t whole, unsigned step, char room[UNIT_SCALED])
{
	static const char units[] = "KMGTPE";
	double n = (double)whole / step;
	size_t i = 0;

	for (; n >= 999.5 && units[i + 1] != '\0'; i++)
		n /= step;
	snprintf(room, UNIT_SCALED, "%.*f%c", n < 9.995 ? 2 : n < 99.95 ? 1 :
	    0, n, units[i]);
	return room;
}

static const char *
exact_below(uint64_t n, uint64_t least, unsigned step, char room[UNIT_SCALED])
{
	if (n >= least)
		return scaled(n, step, room);
	snprintf(room, UNIT_SCALED, "%" PRIu64, n);
	return room;
}

const char *
unit_bytes(uint64_t n, char room[UNIT_SCALED])
{
	return exact_below(n, BYTES_LEAST, 1024, room);
}

const char *
unit_blocks(uint64_t n, char room[UNIT_SCALED])
{
	return exact_below(n, BLOCKS_LEAST, 1000, room);
}

static const char *
counted(const struct unit *u, uint64_t n, char room[UNIT_SCALED])
{
	return measure_is_bytes(u->measure) ? unit_bytes(n, room) :
	    unit_blocks(n, room);
}

int
unit_put(FILE *out, const struct unit *u, int columns, uint64_t n)
{
	char room[UNIT_SCALED];

	return u->measure == MEASURE_TIME ?
	    fprintf(out, "%*.*f", columns, u->decimals, (double)n / 1e9) :
	    fprintf(out, "%*s", columns, counted(u, n, room));
}

int
unit_put_change(FILE *out, const struct unit *u, int columns, uint64_t before,
    uint64_t now)
{
	char room[UNIT_SCALED], sign[UNIT_SCALED + 1];

	if (u->measure == MEASURE_TIME)
		return fprintf(out, "%+*.*f", columns, u->decimals,
		    ((double)now - (double)before) / 1e9);
	snprintf(sign, sizeof(sign), "%s%s", now < before ? "-" : "+",
	    counted(u, now < before ? before - now : now - before, room));
	return fprintf(out, "%*s", columns, sign);
}

void
unit_say(FILE *out, const struct unit *u, uint64_t n)
{
	unit_put(out, u, 0, n);
	fprintf(out, " %s", u->measure == MEASURE_TIME ? "s" :
	    measure_words(u->measure));
}

const char *
unit_column(const struct unit *u, const char *before, char room[UNIT_ROOM])
{
	snprintf(room, UNIT_ROOM, "%s%s", before, measure_column(u->measure));
	return room;
}

void
unit_field(struct sheet *s, const struct unit *u, uint64_t n)
{
	if (u->measure == MEASURE_TIME)
		sheet_number(s, "%.9f", (double)n / 1e9);
	else
		sheet_number(s, "%" PRIu64, n);
}

void
unit_field_change(struct sheet *s, const struct unit *u, uint64_t before,
    uint64_t now)
{
	if (u->measure == MEASURE_TIME)
		sheet_number(s, "%.9f", ((double)now - (double)before) / 1e9);
	else
		sheet_number(s, "%s%" PRIu64, now < before ? "-" : "",
		    now < before ? before - now : now - before);
}
