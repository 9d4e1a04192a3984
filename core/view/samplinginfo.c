/* Context: O.  prof --info of a tprof.out. */
#include "samplinginfo.h"

#include "load.h"
#include "readall.h"
#include "tprof.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct info {
	struct infoput to;
	struct tprof_reader in, end;	/* at its begin, at its end */
	struct tprof_item *item;
	struct fault *fault;
	uint64_t real;		/* ns since 1970 at CLOCK_MONOTONIC 0 */
	uint64_t first, last;	/* of samples, CLOCK_MONOTONIC */
	uint64_t samples[TPROF_EVENTS];
	unsigned processes, threads, modules, losses;
};

typedef void on_item(struct info *x, struct tprof_item *i);

static uint64_t
all_samples(const struct info *x)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < TPROF_EVENTS; i++)
		sum += x->samples[i];
	return sum;
}

/* What is known when all was read. */
static void
on_sum(struct info *x, struct tprof_item *i)
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

/* Others of its lines may be anything. */
static void
put_line(const struct infoput *to, char *line)
{
	static const char *const known[] = {
		"backend", "scope", "hz", "stacks", "command", "host",
		"boot_id", "pid_namespace",
	};
	char *value = strchr(line, '=');

	if (value == NULL)
		return;
	*value++ = '\0';
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strcmp(line, known[i]) == 0)
			infoput(to, line, value);
}

static void
put_head(struct info *x, struct tprof_item *i)
{
	char *at = i->room, *line;

	infoput(&x->to, "format", "tprof.out");
	infoput_number(&x->to, "version", i->n.b);
	while ((line = strsep(&at, "\n")) != NULL)
		put_line(&x->to, line);
}

static void
put_times(const struct info *x)
{
	const bool any = x->first != 0;

	infoput_time(&x->to, "first_sample", any ? x->real + x->first : 0);
	infoput_time(&x->to, "last_sample", any ? x->real + x->last : 0);
	infoput_number(&x->to, "ended", x->end.ended);
	infoput_number(&x->to, "cut", x->end.cut);
}

static void
put_event(struct info *x, const struct tprof_item *i)
{
	snprintf(x->to.prefix, sizeof(x->to.prefix), "event.%u.",
	    (unsigned)i->n.a);
	infoput(&x->to, "name", i->text);
	infoput(&x->to, "unit", (i->n.b & 1) != 0 ? "ns" : "");
	infoput_number(&x->to, "period", i->n.d);
	infoput_number(&x->to, "samples", x->samples[i->n.a]);
}

static void
put_count(struct info *x, const struct tprof_note *n)
{
	char key[32];

	snprintf(x->to.prefix, sizeof(x->to.prefix), "event.%u.",
	    (unsigned)n->a);
	snprintf(key, sizeof(key), "cpu.%" PRIu32, n->b);
	infoput_number(&x->to, key, n->d);
}

static void
put_statistic(struct info *x, const struct tprof_note *n)
{
	char number[16];

	snprintf(number, sizeof(number), "%" PRIu32, n->a);
	snprintf(x->to.prefix, sizeof(x->to.prefix), "statistic.");
	infoput_number(&x->to, tprof_stat_name(n->a) != NULL ?
	    tprof_stat_name(n->a) : number, n->d);
}

static void
put_loss(struct info *x, const struct tprof_item *i)
{
	snprintf(x->to.prefix, sizeof(x->to.prefix), "loss.%u.", x->losses++);
	infoput(&x->to, "how", i->text);
	infoput_number(&x->to, "samples", i->n.d);
}

static void
put_end(struct info *x, const struct tprof_note *n)
{
	infoput_time(&x->to, "end_time", x->real + n->d);
	infoput_signed(&x->to, "exit_status", (int32_t)n->a);
}

/* Of the file as a whole. */
static void
on_whole(struct info *x, struct tprof_item *i)
{
	x->to.prefix[0] = '\0';
	switch (i->note ? tprof_kind(i->n.flags) : 0) {
	case TPROF_N_HEAD:
		put_head(x, i);
		put_times(x);
		break;
	case TPROF_N_EVENT:
		put_event(x, i);
		break;
	case TPROF_N_COUNT:
		put_count(x, &i->n);
		break;
	case TPROF_N_STAT:
		put_statistic(x, &i->n);
		break;
	case TPROF_N_LOSS:
		put_loss(x, i);
		break;
	case TPROF_N_END:
		put_end(x, &i->n);
		break;
	}
}

static void
on_process(struct info *x, struct tprof_item *i)
{
	if (!i->note || tprof_kind(i->n.flags) != TPROF_N_PROCESS)
		return;
	snprintf(x->to.prefix, sizeof(x->to.prefix), "process.%u.",
	    x->processes++);
	infoput_number(&x->to, "pid", i->n.a);
	infoput_number(&x->to, "uid", i->n.b);
	infoput(&x->to, "program", i->text);
	infoput_time(&x->to, "birth", i->n.d);
}

static void
on_module(struct info *x, struct tprof_item *i)
{
	static const char *const words[] = { "vdso", "biased", "no-file" };
	struct tprof_module m;

	if (!i->note || tprof_kind(i->n.flags) != TPROF_N_MODULE ||
	    !tprof_module_get(&m, i->text, i->text_bytes))
		return;
	snprintf(x->to.prefix, sizeof(x->to.prefix), "module.%u.",
	    x->modules++);
	/* What is behind it is the NUL of the text. */
	infoput(&x->to, "path", m.path);
	infoput_bytes(&x->to, "build_id", m.build_id, m.build_id_bytes);
	infoput_f(&x->to, "device", "%u:%u", (unsigned)(m.device >> 32),
	    (unsigned)m.device);
	infoput_number(&x->to, "inode", m.inode);
	infoput_time(&x->to, "seen", m.seen);
	infoput_f(&x->to, "bias", "%#" PRIx64, i->n.d);
	infoput_seen(&x->to, "flags", words, 3, i->n.b);
}

/* All of it, from the begin on. */
static int
each(struct info *x, on_item *on)
{
	struct tprof_reader in = x->in;
	int ret;

	while ((ret = tprof_next(&in, x->item, x->fault)) == 1)
		on(x, x->item);
	x->end = in;
	x->to.prefix[0] = '\0';
	return ret;
}

static int
info(struct info *x)
{
	int ret = each(x, on_sum);

	if (ret != 0)
		return ret;
	infoput(&x->to, "file", x->to.path);
	each(x, on_whole);
	infoput_number(&x->to, "samples", all_samples(x));
	infoput_number(&x->to, "nodes", x->end.nodes);
	infoput_number(&x->to, "threads", x->threads);
	each(x, on_process);
	infoput_number(&x->to, "processes", x->processes);
	each(x, on_module);
	infoput_number(&x->to, "modules", x->modules);
	return 0;
}

int
samplinginfo(const struct infoput *to, struct fault *f)
{
	struct info x = { .to = *to, .fault = f };
	unsigned char *bytes, first[TPROF_RECORD];
	size_t size;
	int ret;

	if (!tprof_is(first, readall_first(to->path, first, sizeof(first))))
		return LOAD_OTHER;
	ret = readall(to->path, &bytes, &size, f);
	x.item = malloc(sizeof(*x.item));
	if (ret == 0)
		ret = x.item == NULL ? fault_set(f, "out of memory",
		    FAULT_NO_OFFSET, ENOMEM) : tprof_open(&x.in, bytes, size, f);
	if (ret == 0)
		ret = info(&x);
	f->file = to->path;
	free(x.item);
	free(bytes);
	return ret == READALL_NONE ? LOAD_OTHER : ret;
}
