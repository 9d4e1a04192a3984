/*
 * Context: O.  Reader of the text of perf script: a sample is a line that names
 * its thread and event, one line for each frame from the innermost out, and an
 * empty line.  A sample without callers is one line.  import_open() and
 * import_read() call it.
 *
 *  comm  pid/tid [cpu]  time:  period event:  address name+0xoff (module)
 *
 * The name of a thread can contain blanks or be empty.  The processor, period,
 * event, time, module, name and address can be missing; a single number is that
 * of the thread.  All samples and frames have the same fields: one that has
 * fewer was cut off.  A sample with frames on the lines below has none in its
 * own line: an address there is one of data.
 *
 * A line that is none of these is left out.  A frame that is wrong is replaced
 * by an unknown frame, so that its caller does not take its place.
 */
#include "perf_script_frame.h"
#include "perf_script_head.h"

#include "base/vector.h"

/* The state of reading a file. */
struct perf {
	struct import *x;
	const struct import_sink *sink;
	struct fault *fault;
	struct import_frame *frames;
	size_t room;
	struct import_sample sample;
	uint64_t line;		/* of the sample */
	bool open;		/* its frames follow */
	bool dropped;		/* its frames follow, but it was left out */
	bool wanted;		/* it is of the event that was chosen */
	/* All samples of that event have a period, or none */
	bool has_period;
	bool eventless;		/* no sample names its event */
	bool chained;		/* frames follow on lines below samples */
	bool moduled;		/* some frame has a module */
	unsigned fields;	/* fields of the first frame; 0: none yet */
};

#define PERF_WRONG	\
	"there is neither a sample of perf script nor a frame of one"

/* The event of a sample that names none. */
#define PERF_UNNAMED	"unnamed events"

/* Adds a frame to the sample.  Returns 0, or -ENOMEM with *p->fault set. */
static int
perf_add(struct perf *p, const struct import_frame *frame)
{
	struct import_sample *s = &p->sample;

	if (vector_grow(&p->frames, s->depth, &p->room,
	    sizeof(*p->frames)) != 0)
		return fault_set_no_memory(p->fault);
	p->frames[s->depth++] = *frame;
	return 0;
}

/*
 * Returns whether a frame has the address and the module if the first frame has
 * them, and something beside the address if that has it; one with less was cut
 * off.
 */
static bool
is_whole_sample(struct perf *p, unsigned fields)
{
	if (p->fields == 0)
		p->fields = fields;
	return fields != 0 && (fields & p->fields & PERF_SCRIPT_ADDRESS) ==
	    (p->fields & PERF_SCRIPT_ADDRESS) && (fields & p->fields &
	    PERF_SCRIPT_MODULE) == (p->fields & PERF_SCRIPT_MODULE) &&
	    (fields >> 1 != 0 || p->fields >> 1 == 0);
}

/* Adds a frame, or an unknown one if the frame was cut off. */
static int
read_sample_frame(struct perf *p, unsigned fields,
    const struct import_frame *frame)
{
	const struct import_frame unknown = import_unknown_frame();

	p->moduled |= (fields & PERF_SCRIPT_MODULE) != 0;
	if (is_whole_sample(p, fields)) {
		p->x->taken++;
		return perf_add(p, frame);
	}
	import_skip(p->x, "a frame of perf script is cut off");
	return perf_add(p, &unknown);
}

/*
 * Ends the sample that is open and hands it to the sink.  Returns 0 or what the
 * sink returned.
 */
static int
perf_end(struct perf *p)
{
	struct import_sample *s = &p->sample;
	const uint64_t line = p->x->line;
	int ret;

	if (!p->open)
		return 0;
	p->open = false;
	if (!p->wanted) {
		p->x->others++;
		return 0;
	}
	/*
	 * An inlined frame without an enclosing frame at its address means that
	 * the rest of the line is missing: it is not taken as inlined.
	 */
	for (size_t i = 0; i < s->depth; i++)
		p->frames[i].inlined &= i + 1 < s->depth &&
		    p->frames[i + 1].address == p->frames[i].address;
	s->frames = p->frames;
	p->x->line = p->line;
	ret = p->sink->sample(p->sink->arg, s);
	p->x->line = line;
	return ret;
}

/*
 * Sets the unit in *x for the chosen event, from its first sample.  Clocks
 * count nanoseconds; for a sample without a period read_import.c assumes 1 ms.
 */
static void
perf_unit(struct perf *p, const struct perf_script_head *h)
{
	struct import *x = p->x;
	struct text event = h->event;

	p->has_period = h->has_period;
	x->unit = h->has_period ? h->event : text_of("samples");
	x->asleep = text_equal_str(event, "sleep");
	x->each_ns = x->asleep || text_skip_prefix(&event, "cpu-clock") ||
	    text_skip_prefix(&event, "task-clock") ? 1 : 0;
	if (!h->has_period)
		x->each_ns = 0;
}

/*
 * Returns whether the sample is of the chosen event.  If the user chose none,
 * the first sample's event is chosen, in x->choice.  A choice of "cycles"
 * includes "cycles:u".
 */
static bool
is_chosen_event(struct perf *p, const struct perf_script_head *h)
{
	struct text *choice = &p->x->choice;

	if (choice->at == NULL)
		*choice = h->event;
	return h->event.bytes >= choice->bytes &&
	    memcmp(h->event.at, choice->at, choice->bytes) == 0 &&
	    (h->event.bytes == choice->bytes ||
	    h->event.at[choice->bytes] == ':');
}

/* Returns why a sample cannot be taken, or NULL if it can. */
static const char *
why_sample_is_refused(struct perf *p, struct perf_script_head *h)
{
	if (h->event.at == NULL && !p->eventless)
		return "a sample of perf script is cut off before its event";
	if (h->event.at == NULL)
		h->event = text_of(PERF_UNNAMED);
	p->wanted = is_chosen_event(p, h);
	if (!p->wanted)
		return NULL;
	if (p->x->unit.at != NULL && p->has_period != h->has_period)
		return "some samples of one event have a period, and some have "
		    "none,";
	return h->has_period && h->period > INT64_MAX ?
	    "a period is too large" : NULL;
}

/*
 * Opens a sample, or drops it if it is wrong, and adds the frame that its own
 * line may have.  Returns 0, or -ENOMEM with *p->fault set.
 */
static int
perf_begin(struct perf *p, struct perf_script_head *h)
{
	const char *why = why_sample_is_refused(p, h);
	struct import_frame only;
	unsigned fields;

	p->open = why == NULL;
	p->dropped = why != NULL;
	if (why != NULL) {
		import_skip(p->x, why);
		return 0;
	}
	p->x->taken++;
	p->line = p->x->line;
	if (p->wanted && p->x->unit.at == NULL)
		perf_unit(p, h);
	p->sample = (struct import_sample) {
		.count = 1, .value = h->has_period ? (int64_t)h->period : 1,
		.thread = h->comm, .tid = h->tid,
		.pid = h->has_pid ? h->pid : IMPORT_NO_PID,
	};
	if (h->has_pid && h->pid == h->tid)
		p->sample.program = h->comm;
	if (p->chained || !p->wanted)
		return 0;
	/* Fields of a tracepoint can stand in place of the frame. */
	fields = perf_script_frame_parse_last(h->rest, h->blanks, &only);
	return fields == 0 ? 0 : read_sample_frame(p, fields, &only);
}

/* Reads a line that begins with a blank, and so is no sample. */
static int
perf_indented(struct perf *p, struct text line)
{
	struct import_frame frame;
	const unsigned fields = perf_script_frame_parse(line, &frame);

	if ((fields & PERF_SCRIPT_ADDRESS) != 0 &&
	    (fields & PERF_SCRIPT_MODULE) != 0)
		return read_sample_frame(p, fields, &frame);
	if (p->sample.depth != 0 && perf_script_frame_parse_source(line,
	    &p->frames[p->sample.depth - 1]))
		p->x->taken++;
	else
		import_skip(p->x, PERF_WRONG);
	return 0;
}

/*
 * Reads a line that is not empty and no comment.  below: the line after it.
 * Returns as import_read().
 */
static int
perf_text(struct perf *p, struct text line, struct text below)
{
	struct import_frame frame;
	struct perf_script_head h = { 0 };

	/* Names of threads are padded with blanks, frames begin with a tab. */
	if (*line.at == '\t' && p->open)
		return read_sample_frame(p, perf_script_frame_parse(line,
		    &frame), &frame);
	if (*line.at == '\t' && p->dropped)
		return 0;
	if (perf_script_head_parse(line, below, &h)) {
		const int ret = perf_end(p);

		p->x->taken += h.other;
		return ret != 0 || h.other ? ret : perf_begin(p, &h);
	}
	if (text_is_blank(*line.at) && p->open)
		return perf_indented(p, line);
	import_skip(p->x, PERF_WRONG);
	return 0;
}

/*
 * Notes in *p what all samples have in common (`eventless`, `chained`), from
 * the first sample and the first ones of the chosen event.  Chooses the event.
 */
static void
detect_sample_fields(struct perf *p)
{
	struct text_lines lines = import_lines(p->x);
	bool open = false, first = true;
	struct perf_script_head h;
	struct text line;

	while (!p->chained && text_next_line(&lines, &line)) {
		if (text_trim(line).bytes == 0) {
			open = false;
		} else if (open && *line.at == '\t') {
			p->chained = true;
		} else if (!perf_script_head_is_comment(line,
		    text_peek_line(&lines)) && perf_script_head_parse(line,
		    text_peek_line(&lines), &h) && !h.other) {
			if (first)
				p->eventless = h.event.at == NULL;
			first = false;
			if (h.event.at == NULL)
				h.event = text_of(PERF_UNNAMED);
			open = is_chosen_event(p, &h);
		}
	}
}

/* The number of other lines that may precede the first sample. */
#define PERF_BEFORE	100

/*
 * Returns whether the text is of perf script.  A line that could belong to
 * another kind of text counts only with a frame below it.
 */
bool
perf_script_is(const struct import *x)
{
	struct text_lines lines = import_lines(x);
	struct import_frame frame;
	struct perf_script_head h;
	struct text line;
	bool open = false;

	while (lines.number < PERF_BEFORE && text_next_line(&lines, &line)) {
		if (text_trim(line).bytes == 0 || perf_script_head_is_comment(
		    line, text_peek_line(&lines)))
			continue;
		if (open && *line.at == '\t' && perf_script_frame_parse(line,
		    &frame) != 0)
			return true;
		open = perf_script_head_parse(line, text_peek_line(&lines), &h);
		if (open && (h.event.at != NULL ||
		    (perf_script_frame_parse_last(h.rest, h.blanks,
		    &frame) & PERF_SCRIPT_MODULE) != 0))
			return true;
	}
	return false;
}

/* Refuses a file without a sample of the event.  Returns -EINVAL. */
static int
no_perf_samples(const struct import *x, struct fault *f)
{
	const int ret = fault_set(f, x->others != 0 ? "has no samples of that "
	    "event" : "has no samples", FAULT_NO_OFFSET, 0);

	if (x->others != 0)
		f->remedy = "the first line of a sample names its event";
	return ret;
}

int
perf_script_read(struct import *x, const struct import_sink *sink,
    struct fault *f)
{
	struct text_lines lines = import_lines(x);
	struct perf p = { .x = x, .sink = sink, .fault = f };
	struct text line;
	int ret = 0;

	x->unit.at = NULL;
	detect_sample_fields(&p);
	while (ret == 0 && text_next_line(&lines, &line)) {
		x->line = lines.number;
		if (text_trim(line).bytes == 0) {
			ret = perf_end(&p);
			p.dropped = false;
		} else if (!perf_script_head_is_comment(line,
		    text_peek_line(&lines))) {
			ret = perf_text(&p, line, text_peek_line(&lines));
		}
	}
	if (ret == 0)
		ret = perf_end(&p);
	x->moduleless = !p.moduled;
	if (ret == 0 && x->unit.at == NULL)
		ret = no_perf_samples(x, f);
	free(p.frames);
	return ret;
}
