/*
 * Context: O.  Implements prof --info for a tprof.out, for info_file().  Reads
 * the file into memory once and walks over it several times: first to count,
 * then to print the file, its processes and its modules.
 */
#include "report/tprof_info.h"

#include "load.h"
#include "read_file.h"
#include "classic/tprof.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct tprof_report {
	struct info_print to;
	/* reader at the beginning, and at the end */
	struct tprof_reader in, end;
	struct tprof_item *item;
	struct fault *fault;
	uint64_t real;		/* ns since 1970 at CLOCK_MONOTONIC 0 */
	uint64_t first, last;	/* times of samples, CLOCK_MONOTONIC, ns */
	uint64_t samples[TPROF_EVENTS];
	unsigned processes, threads, modules, losses;
};

typedef void on_item(struct tprof_report *x, struct tprof_item *i);

static uint64_t
sum_event_samples(const struct tprof_report *x)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < TPROF_EVENTS; i++)
		sum += x->samples[i];
	return sum;
}

/* Counts what is known only when all was read. */
static void
count_item(struct tprof_report *x, struct tprof_item *i)
{
	if (!i->note)
		x->samples[tprof_kind(i->sample.flags)]++;
	else if (tprof_kind(i->n.flags) == TPROF_N_HEAD)
		x->real = i->n.d;
	else if (tprof_kind(i->n.flags) == TPROF_N_THREAD)
		x->threads++;
	if (!i->note || tprof_kind(i->n.flags) != TPROF_N_PLACE ||
	    i->n.d == 0)
		return;
	if (x->first == 0 || i->n.d < x->first)
		x->first = i->n.d;
	if (i->n.d > x->last)
		x->last = i->n.d;
}

/*
 * Prints a line of the head if its key is known; other lines may have any
 * contents.
 */
static void
put_header_line(const struct info_print *to, char *line)
{
	static const char *const known[] = {
		"backend", "scope", "hz", "stacks", "command", "host",
		"boot_id", "pid_namespace",
	};
	char *value = strchr(line, '=');

	if (value == NULL)
		return;
	*value++ = '\0';
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(line, known[i]) == 0)
			info_print(to, line, value);
}

static void
put_tprof_header(struct tprof_report *x, struct tprof_item *i)
{
	char *at = i->room, *line;

	info_print(&x->to, "format", "tprof.out");
	info_print_number(&x->to, "version", i->n.b);
	while ((line = strsep(&at, "\n")) != NULL)
		put_header_line(&x->to, line);
}

static void
put_sample_times(const struct tprof_report *x)
{
	const bool any = x->first != 0;

	info_print_time(&x->to, "first_sample", any ? x->real + x->first : 0);
	info_print_time(&x->to, "last_sample", any ? x->real + x->last : 0);
	info_print_number(&x->to, "ended", x->end.ended);
	info_print_number(&x->to, "cut", x->end.cut);
}

static void
put_info_event(struct tprof_report *x, const struct tprof_item *i)
{
	snprintf(x->to.prefix, sizeof(x->to.prefix), "event.%u.",
	    (unsigned)i->n.a);
	info_print(&x->to, "name", i->text);
	info_print(&x->to, "unit", (i->n.b & 1) != 0 ? "ns" : "");
	info_print_number(&x->to, "period", i->n.d);
	info_print_number(&x->to, "samples", x->samples[i->n.a]);
}

static void
put_info_count(struct tprof_report *x, const struct tprof_note *n)
{
	char key[32];

	snprintf(x->to.prefix, sizeof(x->to.prefix), "event.%u.",
	    (unsigned)n->a);
	snprintf(key, sizeof(key), "cpu.%" PRIu32, n->b);
	info_print_number(&x->to, key, n->d);
}

static void
put_statistic(struct tprof_report *x, const struct tprof_note *n)
{
	char number[16];

	snprintf(number, sizeof(number), "%" PRIu32, n->a);
	snprintf(x->to.prefix, sizeof(x->to.prefix), "statistic.");
	info_print_number(&x->to, tprof_stat_name(n->a) != NULL ?
	    tprof_stat_name(n->a) : number, n->d);
}

static void
put_info_loss(struct tprof_report *x, const struct tprof_item *i)
{
	snprintf(x->to.prefix, sizeof(x->to.prefix), "loss.%u.", x->losses++);
	info_print(&x->to, "how", i->text);
	info_print_number(&x->to, "samples", i->n.d);
}

static void
put_info_end(struct tprof_report *x, const struct tprof_note *n)
{
	info_print_time(&x->to, "end_time", x->real + n->d);
	info_print_signed(&x->to, "exit_status", (int32_t)n->a);
}

/* Prints a note that is about the file as a whole. */
static void
put_file_item(struct tprof_report *x, struct tprof_item *i)
{
	x->to.prefix[0] = '\0';
	switch (i->note ? tprof_kind(i->n.flags) : 0) {
	case TPROF_N_HEAD:
		put_tprof_header(x, i);
		put_sample_times(x);
		break;
	case TPROF_N_EVENT:
		put_info_event(x, i);
		break;
	case TPROF_N_COUNT:
		put_info_count(x, &i->n);
		break;
	case TPROF_N_STAT:
		put_statistic(x, &i->n);
		break;
	case TPROF_N_LOSS:
		put_info_loss(x, i);
		break;
	case TPROF_N_END:
		put_info_end(x, &i->n);
		break;
	}
}

static void
put_process_item(struct tprof_report *x, struct tprof_item *i)
{
	if (!i->note || tprof_kind(i->n.flags) != TPROF_N_PROCESS)
		return;
	snprintf(x->to.prefix, sizeof(x->to.prefix), "process.%u.",
	    x->processes++);
	info_print_number(&x->to, "pid", i->n.a);
	info_print_number(&x->to, "uid", i->n.b);
	info_print(&x->to, "program", i->text);
	info_print_time(&x->to, "birth", i->n.d);
}

/* Prints a note of a module; one that is damaged is left out. */
static void
put_module_item(struct tprof_report *x, struct tprof_item *i)
{
	static const char *const words[] = { "vdso", "biased", "no-file" };
	struct tprof_module m;

	if (!i->note || tprof_kind(i->n.flags) != TPROF_N_MODULE ||
	    !tprof_module_get(&m, i->text, i->text_bytes))
		return;
	snprintf(x->to.prefix, sizeof(x->to.prefix), "module.%u.",
	    x->modules++);
	/* The text ends with the path, so its NUL ends the path. */
	info_print(&x->to, "path", m.path);
	info_print_bytes(&x->to, "build_id", m.build_id, m.build_id_bytes);
	info_print_format(&x->to, "device", "%u:%u", (unsigned)(m.device >> 32),
	    (unsigned)m.device);
	info_print_number(&x->to, "inode", m.inode);
	info_print_time(&x->to, "seen", m.seen);
	info_print_format(&x->to, "bias", "%#" PRIx64, i->n.d);
	info_print_flags(&x->to, "flags", words, 3, i->n.b);
}

/* Calls `on` for all samples and notes, from the beginning. */
static int
for_each_item(struct tprof_report *x, on_item *on)
{
	struct tprof_reader in = x->in;
	int ret;

	while ((ret = tprof_next(&in, x->item, x->fault)) == 1)
		on(x, x->item);
	x->end = in;
	x->to.prefix[0] = '\0';
	return ret;
}

/*
 * Prints all of the file, unless its first reading fails.  Returns 0 or -errno
 * with *x->fault set.
 */
static int
tprof_report(struct tprof_report *x)
{
	int ret = for_each_item(x, count_item);

	if (ret != 0)
		return ret;
	info_print(&x->to, "file", x->to.path);
	for_each_item(x, put_file_item);
	info_print_number(&x->to, "samples", sum_event_samples(x));
	info_print_number(&x->to, "nodes", x->end.nodes);
	info_print_number(&x->to, "threads", x->threads);
	for_each_item(x, put_process_item);
	info_print_number(&x->to, "processes", x->processes);
	for_each_item(x, put_module_item);
	info_print_number(&x->to, "modules", x->modules);
	return 0;
}

int
tprof_info_print(const struct info_print *to, struct fault *f)
{
	struct tprof_report x = { .to = *to, .fault = f };
	unsigned char *bytes, first[TPROF_RECORD];
	size_t size;
	int ret;

	if (!tprof_is(first, read_file_head(to->path, first, sizeof(first))))
		return LOAD_OTHER;
	ret = read_file_all(to->path, &bytes, &size, f);
	x.item = malloc(sizeof(*x.item));
	if (ret == 0)
		ret = x.item == NULL ? fault_set_no_memory(f) :
		    tprof_open(&x.in, bytes, size, f);
	if (ret == 0)
		ret = tprof_report(&x);
	f->file = to->path;
	free(x.item);
	free(bytes);
	return ret == READ_FILE_NONE ? LOAD_OTHER : ret;
}
