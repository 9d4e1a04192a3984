/*
 * Context: O.  Prints the classic listing, equal to the byte: SVR4 and its
 * successors like prof(1) of illumos, BSD like prof(1) of 4.3BSD.
 * cmd/classic/classic_list.c calls listing_print() after listing_finish().
 */
#include "listing_parts.h"

#include "foreign/provenance.h"

#include <inttypes.h>
#include <string.h>

static double
ticks_to_seconds(double ticks)
{
	return ticks / PROVENANCE_RATE;
}

static void
print_address(FILE *out, const struct listing *l,
    const struct listing_symbol *s)
{
	const uint64_t value = s->symbol->value;
	const int width = l->versioned ? 16 : 8;

	if (l->options->address == 'x')
		fprintf(out, "%*" PRIx64 " ", width, value);
	else if (l->options->address == 'o')
		fprintf(out, "%*" PRIo64 " ", width, value);
}

static void
print_header(FILE *out, const struct listing *l)
{
	if (l->options->no_header)
		return;
	if (l->options->address != 0)
		fprintf(out, "%s Address ", l->versioned ? "        " : "");
	fputs(" %Time Seconds Cumsecs  #Calls   msec/call  Name\n", out);
}

/*
 * Returns whether the function is mcount; its row shows the number of all
 * calls.
 */
static bool
is_mcount(const char *name)
{
	return strcmp(name, "mcount") == 0 || strcmp(name, "_mcount") == 0;
}

/* Returns about as many decimals as the number of calls justifies. */
static int
decimals_for_calls(uint64_t calls)
{
	int d = 0;

	for (uint64_t i = 10; calls >= i && d < 4; i *= 10)
		d++;
	return d;
}

static void
print_calls(FILE *out, uint64_t calls, double seconds)
{
	const int d = decimals_for_calls(calls);

	if (calls == 0)
		fprintf(out, "%22s", "");
	else
		fprintf(out, "%8" PRIu64 "%#*.*f%*s", calls, d + 8, d,
		    1000 * seconds / (double)calls, 6 - d, "");
}

/*
 * Prints the rows; functions at one address share a line.  Returns the number
 * of symbols printed.
 */
static size_t
print_cells(FILE *out, const struct listing *l)
{
	const double all = l->ticks != 0 ? 100 / ticks_to_seconds(l->ticks) : 0;
	double sum = 0;
	size_t shown = 0;

	for (size_t i = 0; i < l->row_count; i++) {
		const struct listing_symbol *s = l->rows[i], *a = s->first;
		const double seconds = ticks_to_seconds(a->all_ticks);

		if (a->head != s || (!l->options->zero &&
		    a->all_ticks == 0 && a->all_calls == 0))
			continue;
		shown += a->aliases;
		print_address(out, l, s);
		sum += seconds;
		fprintf(out, "%6.1f%8.2f%8.2f", seconds * all, seconds, sum);
		print_calls(out, is_mcount(s->name) ? l->calls : a->all_calls,
		    seconds);
		fputs(s->name, out);
		while ((s = s->next) != NULL)
			fprintf(out, ", %s", s->name);
		putc('\n', out);
	}
	return shown;
}

/*
 * Prints the statistics of files that are not versioned.  shown: symbols that
 * the listing has.
 */
static void
print_cell_notes(FILE *notes, const struct listing *l, size_t shown)
{
	fprintf(notes, "%5" PRIu64 "/%" PRIu64 " call counts used\n",
	    l->cells.used, l->cells.all);
	fprintf(notes, "%5zu/%zu symbols qualified", l->row_count,
	    l->modules->table.entries);
	if (shown < l->row_count)
		fprintf(notes, ", %zu had zero time and zero call-counts",
		    l->row_count - shown);
	putc('\n', notes);
	if (l->cells.scale != 0)
		fprintf(notes, "%#lx scale factor\n",
		    (unsigned long)l->cells.scale);
}

static void
print_sample_row(FILE *out, const struct listing *l,
    const struct listing_symbol *s, double sum)
{
	const double seconds = ticks_to_seconds(s->ticks);

	print_address(out, l, s);
	fprintf(out, "%6.1f%8.2f%8.2f", l->ticks != 0 ?
	    s->ticks / l->ticks * 100 : 0, seconds, sum);
	fprintf(out, "%8" PRIu64 "%12.4f  ", s->calls, s->calls != 0 ?
	    seconds * 1000 / (double)s->calls : 0);
	if (l->options->statistics && s->ambiguous)
		fprintf(out, "%u:", s->module->number);
	fprintf(out, "%s\n", s->name);
}

/* Prints the rows of versioned files, one for each function. */
static void
print_samples(FILE *out, const struct listing *l)
{
	const bool parted = l->options->statistics &&
	    l->options->sort == LISTING_ADDRESS;
	const struct listing_module *last = NULL;
	double sum = 0;

	for (size_t i = 0; i < l->row_count; i++) {
		const struct listing_symbol *s = l->rows[i];

		if (!listing_shows(l, s))
			continue;
		if (parted && s->module != last)
			putc('\n', out);
		last = s->module;
		sum += ticks_to_seconds(s->ticks);
		print_sample_row(out, l, s, sum);
	}
}

static void
print_note(FILE *out, const char *indent, const char *what, double number)
{
	fprintf(out, "%s   %-25s%7.0f\n", indent, what, number);
}

/* Prints the statistics of -s for versioned files, and the list of modules. */
static void
print_sample_notes(FILE *out, const struct listing *l)
{
	const char *indent = l->options->address != 0 ? "                " :
	    "";
	const double missed = l->ticks - l->accounted;
	size_t shown = 0, zero = 0, modules = 0;

	for (size_t i = 0; i < l->row_count; i++) {
		shown += listing_shows(l, l->rows[i]);
		zero += l->rows[i]->ticks == 0 && l->rows[i]->calls == 0;
	}
	for (const struct listing_module *m = l->modules; m != NULL;
	    m = m->next)
		modules++;
	fputs("\n\n", out);
	print_note(out, indent, "Total Object Modules", (double)modules);
	print_note(out, indent, "Qualified Symbols", (double)shown);
	print_note(out, indent, "Symbols with zero usage", (double)zero);
	print_note(out, indent, "Total pc-hits", l->ticks);
	print_note(out, indent, "Accounted pc-hits", l->accounted);
	print_note(out, indent, !l->options->local && missed != 0 ?
	    "Missed pc-hits (try -g)" : "Missed pc-hits", missed);
	fprintf(out, "\n%s   Module info\n", indent);
	for (const struct listing_module *m = l->modules; m != NULL;
	    m = m->next)
		fprintf(out, "%s      %u: `%s'\n", indent, m->number,
		    m->path);
}

/* Prints the listing as 4.3BSD does. */
static void
print_bsd(FILE *out, FILE *notes, const struct listing *l)
{
	double sum = 0;

	if (l->ticks == 0)
		fputs("No time accumulated\n", notes);
	fputs(" %time  cumsecs  #call  ms/call  name\n", out);
	for (size_t i = 0; i < l->row_count; i++) {
		const struct listing_symbol *s = l->rows[i];

		if (!listing_shows(l, s))
			continue;
		sum += ticks_to_seconds(s->ticks);
		fprintf(out, "%6.1f%9.2f", l->ticks != 0 ?
		    100 * (s->ticks / l->ticks) : 0, sum);
		if (s->calls != 0)
			fprintf(out, "%7" PRIu64 " %8.2f", s->calls, 1000 *
			    ticks_to_seconds(s->ticks) / (double)s->calls);
		else
			fprintf(out, "%7s %8s", "", "");
		fprintf(out, "  %s\n", s->name);
	}
}

void
listing_print(FILE *out, FILE *notes, const struct listing *l)
{
	size_t shown;

	if (l->options->style == LISTING_BSD) {
		print_bsd(out, notes, l);
		return;
	}
	if (!l->versioned && l->modules->table.count == 0) {
		fprintf(notes, "prof: %s: no symbols\n", l->modules->path);
		return;
	}
	if (!l->versioned && l->cells.used == 0)
		fputs("prof: no call counts captured\n", notes);
	if (!l->versioned && l->cells.used == 0 && l->ticks == 0)
		return;
	print_header(out, l);
	if (l->versioned) {
		print_samples(out, l);
		if (l->options->statistics)
			print_sample_notes(out, l);
		return;
	}
	shown = print_cells(out, l);
	if (l->options->statistics || l->cells.crowded)
		print_cell_notes(notes, l, shown);
}
