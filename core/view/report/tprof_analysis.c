/*
 * Context: O.  Lists the samples of a tprof.out in the format of tprof(8), for
 * cmd/common/analyze_command.c; see tprof_analysis.h.
 *
 * The columns are the same as NetBSD's to the byte, so that programs that read
 * them there can read them here.  A number that is merged is 0.
 */
#define _GNU_SOURCE		/* qsort_r */
#include "report/tprof_analysis.h"

#include "base/term.h"
#include "base/compare.h"
#include "foreign/read_tprof.h"
#include "foreign/tprof_file.h"
#include "names/symbolize.h"
#include "base/vector.h"

#include <inttypes.h>
#include <string.h>

/*
 * Samples that do not differ in anything that is shown; later the samples of
 * one event in a line.
 */
struct analysis_entry {
	uint64_t pc;
	uint32_t row;		/* number of a row, later its index */
	/* with one line per symbol: its function; else MODEL_NONE */
	uint32_t function;
	uint32_t pid, lwp, cpu;
	uint32_t event;
	bool kernel;
	uint64_t count;
};

/*
 * Adjacent entries that make one line: `entries` elements of tprof_analysis.all
 * from `first` on.
 */
struct analysis_line {
	size_t first, entries;
	uint64_t count;
};

struct tprof_analysis {
	const struct tprof_analysis_options *o;
	struct model model;
	struct analysis_entry *all;
	size_t count, room;
	struct hash_index by_key;
	struct analysis_line *lines;
	size_t line_count, line_room;
	uint64_t samples;
	uint32_t first_event, last_event;
	struct term term;
};

/* Compares all that a line shows but the event: equal entries make one line. */
static int
compare_analysis_entries(const void *left, const void *right)
{
	const struct analysis_entry *a = left, *b = right;
	int d = compare_u64(a->pc, b->pc);

	if (d == 0)
		d = compare_u64(a->kernel, b->kernel);
	if (d == 0)
		d = compare_u64(a->pid, b->pid);
	if (d == 0)
		d = compare_u64(a->lwp, b->lwp);
	if (d == 0)
		d = compare_u64(a->cpu, b->cpu);
	if (d == 0)
		d = compare_u64(a->function, b->function);
	/* Any row of a function stands for it. */
	return d != 0 || a->function != MODEL_NONE ? d : compare_u64(a->row,
	    b->row);
}

static uint32_t
hash_analysis_entry(const struct analysis_entry *e)
{
	const uint64_t who = hash_index_hash((uint64_t)e->pid << 32 | e->lwp);

	return hash_index_hash(e->pc ^ (who << 32 |
	    hash_index_hash((uint64_t)e->row << 32 | (e->cpu ^ e->event <<
	    20))));
}

static bool
entry_is_selected(const struct tprof_analysis_options *o,
    const struct read_tprof_sample *s)
{
	return (!o->kernel || s->kernel) && (!o->one || s->pid == o->pid);
}

/* Adds a sample to its entry, which is made if it is missing. */
static int
count_entry(struct tprof_analysis *x, const struct analysis_entry *e)
{
	const uint32_t hash = hash_analysis_entry(e);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&x->by_key, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (compare_analysis_entries(&x->all[n], e) == 0 &&
		    x->all[n].event == e->event) {
			x->all[n].count++;
			return 0;
		}
	if (x->count >= HASH_INDEX_NONE - 1 || vector_grow(&x->all, x->count,
	    &x->room, sizeof(*e)) != 0 || hash_index_add(&x->by_key, hash,
	    (uint32_t)x->count) != 0)
		return -ENOMEM;
	x->all[x->count++] = *e;
	return 0;
}

/*
 * Adds a sample if it is selected; read_tprof_add() calls it for each, with the
 * number of its row.
 */
static int
add_analysis_sample(void *arg, const struct read_tprof_sample *s)
{
	struct tprof_analysis *x = arg;
	const struct analysis_entry own = {
		.pc = s->pc, .row = s->row, .function = MODEL_NONE,
		.pid = x->o->merge_processes ? 0 : s->pid,
		.lwp = x->o->merge_lwps ? 0 : s->lwp,
		.cpu = x->o->merge_cpus ? 0 : s->cpu,
		.event = s->event, .kernel = s->kernel, .count = 1,
	};

	if (!entry_is_selected(x->o, s))
		return 0;
	if (x->samples++ == 0)
		x->first_event = x->last_event = s->event;
	if (s->event > x->last_event)
		x->last_event = s->event;
	return count_entry(x, &own);
}

/*
 * Returns whether the row has a function with known bounds.  A function without
 * a name has known bounds, too, if a file contains it.
 */
static bool
has_function(const struct model *m, uint32_t row)
{
	const struct model_row *r = &m->rows[row];

	return m->functions[r->function].named ||
	    (!model_is_absolute(r->module) &&
	    !model_is_unresolvable(r->module) &&
	    r->module != MODEL_MODULE_KERNEL);
}

/*
 * Replaces row numbers by indexes and, with one line per symbol, addresses by
 * the start of the function, where a file or the kernel has the symbol.
 */
static int
resolve_entries(struct tprof_analysis *x)
{
	const struct model *m = &x->model;
	uint32_t *now = calloc(m->row_count + 1, sizeof(*now));

	if (now == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < m->row_count; i++)
		now[m->rows[i].number] = (uint32_t)i;
	for (size_t i = 0; i < x->count; i++) {
		struct analysis_entry *e = &x->all[i];
		const struct model_function *f;

		e->row = now[e->row];
		f = &m->functions[m->rows[e->row].function];
		if (!x->o->symbols || !has_function(m, e->row))
			continue;
		e->function = m->rows[e->row].function;
		e->pc = f->start;
	}
	free(now);
	return 0;
}

static int
compare_analysis_lines(const void *left, const void *right, void *arg)
{
	const struct tprof_analysis *x = arg;
	const struct analysis_line *a = left, *b = right;
	int d = compare_u64(b->count, a->count);

	return d != 0 ? d : compare_analysis_entries(&x->all[a->first],
	    &x->all[b->first]);
}

/* Sorts the entries, and makes the lines, the most samples first. */
static int
make_analysis_lines(struct tprof_analysis *x)
{
	if (x->count > 1)
		qsort(x->all, x->count, sizeof(*x->all),
		    compare_analysis_entries);
	for (size_t i = 0; i < x->count; i++) {
		const bool same = i > 0 &&
		    compare_analysis_entries(&x->all[i - 1], &x->all[i]) == 0;

		if (!same) {
			if (vector_grow(&x->lines, x->line_count, &x->line_room,
			    sizeof(*x->lines)) != 0)
				return -ENOMEM;
			x->lines[x->line_count++] = (struct analysis_line) {
				.first = i };
		}
		x->lines[x->line_count - 1].entries++;
		x->lines[x->line_count - 1].count += x->all[i].count;
	}
	if (x->line_count > 1)
		qsort_r(x->lines, x->line_count, sizeof(*x->lines),
		    compare_analysis_lines, x);
	return 0;
}

static void
print_analysis_head(const struct tprof_analysis *x, const char *name)
{
	FILE *out = x->term.out;

	fputs("File: ", out);
	term_text(&x->term, name, 0);
	fprintf(out, "\nNumber of samples: %" PRIu64 "\n\n", x->samples);
	fputs("percentage   nsamples ", out);
	for (uint32_t i = x->first_event; i <= x->last_event; i++)
		fprintf(out, "event#%02" PRIu32 " ", i);
	fputs("pid    lwp    cpu  k address          symbol\n"
	    "------------ -------- ", out);
	for (uint32_t i = x->first_event; i <= x->last_event; i++)
		fputs("-------- ", out);
	fputs("------ ------ ---- - ---------------- ------\n", out);
}

/* Prints the function, or the address, and the module of an entry. */
static void
print_entry_symbol(struct tprof_analysis *x, const struct analysis_entry *e)
{
	struct model *m = &x->model;
	const struct model_row *r = &m->rows[e->row];
	const uint64_t at = model_lookup_address(r);
	const struct model_function *f = &m->functions[r->function];
	FILE *out = x->term.out;

	if (f->named || e->function != MODEL_NONE)
		term_text(&x->term, model_function_name(m, r->function), 0);
	else
		fprintf(out, "<%016" PRIx64 ">", e->pc);
	if (f->named && e->function == MODEL_NONE && at != f->start)
		fprintf(out, "+0x%" PRIx64, at - f->start);
	/* A line without a symbol shows the module's name already. */
	if (!e->kernel && (f->named || (e->function == MODEL_NONE &&
	    !model_is_absolute(r->module)))) {
		fputs(" (", out);
		term_text(&x->term, model_module_name(m, r->module), 0);
		putc(')', out);
	}
	putc('\n', out);
}

/*
 * Prints a line.  A tprof.out has 256 events at most, so that each has an
 * element of its own.
 */
static void
print_analysis_line(struct tprof_analysis *x, const struct analysis_line *l)
{
	const struct analysis_entry *e = &x->all[l->first];
	FILE *out = x->term.out;
	uint64_t each[256] = { 0 };

	for (size_t i = 0; i < l->entries; i++)
		each[e[i].event & 255] += e[i].count;
	fprintf(out, "%11f%% %8" PRIu64, (double)l->count * 100 /
	    (double)x->samples, l->count);
	for (uint32_t i = x->first_event; i <= x->last_event; i++)
		fprintf(out, " %8" PRIu64, each[i]);
	fprintf(out, " %6" PRIu32 " %6" PRIu32, e->pid, e->lwp);
	if (e->cpu == UINT32_MAX)
		fputs("    -", out);
	else
		fprintf(out, " %4" PRIu32, e->cpu);
	fprintf(out, " %u %016" PRIx64 " ", e->kernel, e->pc);
	print_entry_symbol(x, e);
}

/*
 * Reads the file into x->model, names its places and makes the lines.  A
 * damaged file is read up to the damage, and *f says so.  Returns 0 or -errno
 * with *f set.
 */
static int
make_analysis(struct tprof_analysis *x, const struct tprof_analysis_file *file,
    bool *cut, struct fault *f)
{
	struct read_tprof_request own = {
		.bytes = file->bytes, .size = file->size, .asked = true,
		.event = x->o->event, .all = x->o->event == NULL,
		.each = add_analysis_sample, .arg = x,
	};
	struct fault again;
	int ret = read_tprof_add(&x->model, &own, f);

	if (ret == -EINVAL && tprof_file_trim(&own, f)) {
		f->remedy = "shown up to that place";
		ret = read_tprof_add(&x->model, &own, &again);
	}
	if (ret != 0)
		return ret;
	*cut = x->model.samplings[0].cut;
	/*
	 * Without a selected event, every event from number 0 to the last one
	 * seen has a column.
	 */
	if (x->o->event == NULL)
		x->first_event = 0;
	if (model_finish(&x->model) != 0 || symbolize_all(&x->model, NULL,
	    NULL) != 0 || resolve_entries(x) != 0 ||
	    make_analysis_lines(x) != 0)
		return fault_set_no_memory(f);
	return 0;
}

int
tprof_analysis_print(FILE *out, const struct tprof_analysis_file *file,
    const struct tprof_analysis_options *o, bool *cut, struct fault *f)
{
	static const struct filter nothing;
	struct tprof_analysis x = { .o = o, .term = { .out = out } };
	int ret = model_init(&x.model, &nothing, 0, DEMANGLE_SHORT) != 0 ?
	    fault_set_no_memory(f) : make_analysis(&x, file, cut, f);

	if (ret == 0) {
		print_analysis_head(&x, file->name);
		for (size_t i = 0; i < x.line_count; i++)
			print_analysis_line(&x, &x.lines[i]);
	}
	hash_index_free(&x.by_key);
	free(x.all);
	free(x.lines);
	model_free(&x.model);
	return ret;
}
