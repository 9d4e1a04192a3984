/*
 * Context: O.  The text of perf script: a line that says whose a sample is, a
 * line a frame from the innermost out, an empty one; or all of it in one line,
 * where there are no callers.
 *
 *	comm  pid/tid [cpu]  time:  period event:  address name+0xoff (module)
 *
 * The name of a thread can have blanks, the period and the time can be missing,
 * and one number alone is that of the thread.
 */
#include "perf.h"

#include "grow.h"

struct perf {
	struct import *x;
	const struct import_sink *sink;
	struct fault *fault;
	struct import_frame *frames;
	size_t room;
	struct import_sample sample;
	bool open;		/* its frames follow */
	bool wanted;		/* it is of the event that was chosen */
	bool has_period;	/* all of that event have one, or none */
};

static int
perf_add(struct perf *p, const struct import_frame *frame)
{
	struct import_sample *s = &p->sample;

	if (grow(&p->frames, s->depth, &p->room, sizeof(*p->frames)) != 0)
		return fault_set(p->fault, "out of memory", FAULT_NO_OFFSET,
		    ENOMEM);
	p->frames[s->depth++] = *frame;
	return 0;
}

static int
perf_end(struct perf *p)
{
	struct import_sample *s = &p->sample;

	if (!p->open)
		return 0;
	p->open = false;
	if (!p->wanted) {
		p->x->others++;
		return 0;
	}
	/* Of what is inlined in nothing the rest is not there. */
	for (size_t i = 0; i < s->depth; i++)
		p->frames[i].inlined &= i + 1 < s->depth &&
		    p->frames[i + 1].address == p->frames[i].address;
	s->frames = p->frames;
	return p->sink->sample(p->sink->arg, s);
}

/* Clocks count nanoseconds; of a sample without a period 1 ms is assumed. */
static int
perf_unit(struct perf *p, const struct perf_head *h, uint64_t number)
{
	struct import *x = p->x;
	struct text event = h->event;

	if (x->unit.at != NULL)
		return p->has_period == h->has_period ? 0 : fault_set_line(
		    p->fault, "of samples of one event some have a period, "
		    "and some have none,", number);
	p->has_period = h->has_period;
	x->unit = h->has_period ? h->event : text_of("samples");
	x->asleep = text_is(event, "sleep");
	x->each_ns = x->asleep || text_take(&event, "cpu-clock") ||
	    text_take(&event, "task-clock") ? 1 : 0;
	if (!h->has_period)
		x->each_ns = 0;
	return 0;
}

/* The first one is chosen where nobody chooses, else "cycles" is "cycles:u". */
static bool
perf_wants(struct perf *p, const struct perf_head *h)
{
	struct text *choice = &p->x->choice;

	if (choice->at == NULL)
		*choice = h->event;
	return h->event.bytes >= choice->bytes &&
	    memcmp(h->event.at, choice->at, choice->bytes) == 0 &&
	    (h->event.bytes == choice->bytes ||
	    h->event.at[choice->bytes] == ':');
}

static int
perf_begin(struct perf *p, const struct perf_head *h, uint64_t number)
{
	struct import_frame only;
	int ret;

	p->open = true;
	p->wanted = perf_wants(p, h);
	ret = p->wanted ? perf_unit(p, h, number) : 0;
	if (ret != 0)
		return ret;
	p->sample = (struct import_sample) {
		.count = 1, .value = h->has_period ? h->period : 1,
		.thread = h->comm, .tid = h->tid,
		.pid = h->has_pid ? h->pid : IMPORT_NOBODY,
	};
	if (h->has_pid && h->pid == h->tid)
		p->sample.program = h->comm;
	/* Of a tracepoint there are its fields. */
	return perf_frame(h->rest, &only) ? perf_add(p, &only) : 0;
}

static int
perf_text(struct perf *p, struct text line, uint64_t number)
{
	struct import_frame frame;
	struct perf_head h = { .has_pid = false };

	/* Names of threads stand in a column, frames behind a tab. */
	if (*line.at == '\t' && p->open && perf_frame(line, &frame))
		return perf_add(p, &frame);
	if (perf_head(line, &h)) {
		const int ret = perf_end(p);

		return ret != 0 || h.event.at == NULL ? ret :
		    perf_begin(p, &h, number);
	}
	if (text_is_blank(*line.at) && p->open && perf_frame(line, &frame))
		return perf_add(p, &frame);
	if (!text_is_blank(*line.at) || !p->open || p->sample.depth == 0)
		return fault_set_line(p->fault, "there is neither a sample of "
		    "perf script nor a frame of one", number);
	perf_line(line, &p->frames[p->sample.depth - 1]);
	return 0;
}

bool
perf_is(const struct import *x)
{
	struct text_lines lines = import_lines(x);
	struct perf_head h;
	struct text line;

	while (text_line(&lines, &line))
		if (text_trim(line).bytes != 0 && *line.at != '#')
			return perf_head(line, &h);
	return false;
}

int
perf_read(struct import *x, const struct import_sink *sink, struct fault *f)
{
	struct text_lines lines = import_lines(x);
	struct perf p = { .x = x, .sink = sink, .fault = f };
	struct text line;
	int ret = 0;

	x->others = 0;
	x->unit.at = NULL;
	while (ret == 0 && text_line(&lines, &line)) {
		if (text_trim(line).bytes == 0)
			ret = perf_end(&p);
		else if (*line.at != '#')
			ret = perf_text(&p, line, lines.number);
	}
	if (ret == 0)
		ret = perf_end(&p);
	if (ret == 0 && x->unit.at == NULL) {
		ret = fault_set(f, x->others != 0 ? "has no samples of that "
		    "event" : "has no samples", FAULT_NO_OFFSET, 0);
		if (x->others != 0)
			f->remedy = "the first line of a sample names its "
			    "event";
	}
	free(p.frames);
	return ret;
}
