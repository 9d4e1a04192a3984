/*
 * Context: O.  Prints what was left out of the files of other profilers, for
 * footer.c; see skipped_footer.h.
 */
#include "report/skipped_footer.h"

#include "base/compare.h"
#include "base/plural.h"

#include <inttypes.h>
#include <stdlib.h>

#define SKIPPED_FOOTER_NAMES	3u
#define SKIPPED_FOOTER_FILES	8u

static void
print_skipped(const struct term *t, const struct model_skipped *l)
{
	fprintf(t->out, "left out: %" PRIu64 " %s%s of ", l->count, l->unit,
	    plural_suffix(l->count));
	term_text(t, l->file, 0);
	fputs(l->count == 1 ? ", " : "; the first, ", t->out);
	if (l->is_line)
		fprintf(t->out, "line %" PRIu64 ": ", l->first);
	else if (l->first != FAULT_NO_OFFSET)
		fprintf(t->out, "at offset %" PRIu64 ": ", l->first);
	term_text(t, l->what, 0);
	putc('\n', t->out);
}

static void
print_skipped_files(const struct term *t, const struct model *m)
{
	uint64_t more = 0;

	for (size_t i = 0; i < m->left_count && i < SKIPPED_FOOTER_FILES; i++)
		print_skipped(t, &m->left[i]);
	for (size_t i = SKIPPED_FOOTER_FILES; i < m->left_count; i++)
		more += m->left[i].count;
	if (more != 0)
		fprintf(t->out, "left out: %" PRIu64 " lines or records of "
		    "%zu more files\n", more,
		    m->left_count - SKIPPED_FOOTER_FILES);
}

/* Time below zero of a function, without its sign. */
struct function_time {
	uint32_t function;
	uint64_t ns;
};

static int
compare_by_function(const void *left, const void *right)
{
	const struct function_time *a = left, *b = right;

	return compare_u64(a->function, b->function);
}

static int
compare_by_time(const void *left, const void *right)
{
	const struct function_time *a = left, *b = right;
	const int d = compare_u64(b->ns, a->ns);

	return d != 0 ? d : compare_u64(a->function, b->function);
}

/*
 * Sums times by function and sorts them, the most first.  Returns the number of
 * functions.
 */
static size_t
sum_by_function(struct function_time *all, size_t count)
{
	size_t kept = 0;

	qsort(all, count, sizeof(*all), compare_by_function);
	for (size_t i = 0; i < count; i++) {
		if (kept != 0 && all[kept - 1].function == all[i].function)
			all[kept - 1].ns += all[i].ns;
		else
			all[kept++] = all[i];
	}
	qsort(all, kept, sizeof(*all), compare_by_time);
	return kept;
}

static void
print_negative_names(const struct term *t, struct model *m,
    const struct function_time *all, size_t count)
{
	for (size_t i = 0; i < count && i < SKIPPED_FOOTER_NAMES; i++) {
		const char *name = all[i].function == MODEL_NONE ? NULL :
		    model_function_name(m, all[i].function);

		fputs(i == 0 ? ": " : ", ", t->out);
		term_text(t, name != NULL ? name : "?", 0);
		fprintf(t->out, " -%.*f s", all[i].ns < 1000000 ? 9 : 3,
		    (double)all[i].ns / 1e9);
	}
	if (count > SKIPPED_FOOTER_NAMES)
		fprintf(t->out, ", and %zu more", count - SKIPPED_FOOTER_NAMES);
}

/* Prints the time below zero that was left out, and whose most of it is. */
static void
print_negative_time(const struct term *t, struct model *m)
{
	struct function_time *all = calloc(m->below_count + 1, sizeof(*all));
	uint64_t ns = 0;

	for (size_t i = 0; i < m->below_count; i++) {
		const struct model_negative *b = &m->below[i];

		ns += b->ns;
		if (all != NULL)
			all[i] = (struct function_time) {
				b->row == MODEL_NONE ? b->function :
				    m->rows[b->row].function, b->ns,
			};
	}
	fprintf(t->out, "left out: %zu %s%s below zero, as in a difference, "
	    "-%.*f s in all", m->below_count, m->below_count != 0 &&
	    m->below->row == MODEL_NONE ? "path" : "place",
	    plural_suffix(m->below_count), ns < 1000000 ? 9 : 3,
	    (double)ns / 1e9);
	if (all != NULL)
		print_negative_names(t, m, all, sum_by_function(all,
		    m->below_count));
	fputs("; shares are of what is above\n", t->out);
	free(all);
}

void
skipped_footer_print(const struct term *t, struct model *m)
{
	print_skipped_files(t, m);
	if (m->below_count != 0)
		print_negative_time(t, m);
	else if (model_has_signs(m))
		fputs("some times are below zero, as in a difference: shares "
		    "are of the sum without signs\n", t->out);
}
