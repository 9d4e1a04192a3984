/*
 * Context: O.  Collects what a tprof.out says about itself: head, events and
 * losses, for read_tprof.c; see tprof_header.h.
 */
#include "foreign/tprof_header.h"

#include "base/text.h"
#include "base/vector.h"

#include <stdio.h>

/*
 * A count of samples, or of an event without a name, counts as 1 ms each; any
 * other unit counts as 1 ns, also if it is no time: the shares are right.
 */
uint64_t
tprof_header_unit_ns(const struct tprof_header_event *e)
{
	return !e->ns && (e->name == NULL ||
	    strcmp(e->name, "samples") == 0) ? 1000000 : 1;
}

/* Makes the event the one that is read, and sets its unit in h->sum. */
static void
choose_event(struct tprof_header *h, uint32_t event)
{
	const struct tprof_header_event *e = &h->events[event];

	h->event = event;
	h->sum.event = e->name;
	h->sum.timed = e->ns;
	h->sum.each_ns = tprof_header_unit_ns(e);
}

void
tprof_header_begin(struct tprof_header *h, struct model *m,
    const char *asked, bool all)
{
	*h = (struct tprof_header) {
		.model = m, .asked = asked, .all = all && asked == NULL,
		.event = TPROF_EVENTS, .sum = { .each_ns = 1 },
	};
}

/*
 * Returns whether the event fits what was asked for; the caller takes the first
 * one that does.  "cycles" also fits "cycles:u"; "event#01" fits by number.
 */
static bool
is_requested_event(const struct tprof_header *h, uint32_t event)
{
	const size_t bytes = h->asked == NULL ? 0 : strlen(h->asked);
	const char *name = h->events[event].name;
	char number[16];

	snprintf(number, sizeof(number), "event#%02u", (unsigned)event);
	return h->asked == NULL || strcmp(h->asked, number) == 0 ||
	    (name != NULL && strncmp(name, h->asked, bytes) == 0 &&
	    strchr(":,", name[bytes]) != NULL);
}

bool
tprof_header_selects(struct tprof_header *h, uint32_t event)
{
	/*
	 * The first sample of an event without a description settles it, with
	 * period 1; a later description is ignored.
	 */
	if (!h->events[event].settled)
		h->events[event] = (struct tprof_header_event) {
			.settled = true, .period = 1,
		};
	if (h->event == TPROF_EVENTS && is_requested_event(h, event))
		choose_event(h, event);
	return h->all || event == h->event;
}

void
tprof_header_note_time(struct tprof_header *h, uint64_t time)
{
	const uint64_t real = h->real + time;

	if (h->real == 0 || time == 0)
		return;
	if (h->sum.first_real == 0 || real < h->sum.first_real)
		h->sum.first_real = real;
	if (real > h->sum.last_real)
		h->sum.last_real = real;
}

uint64_t
tprof_header_period(const struct tprof_header *h, uint32_t event)
{
	return h->events[event].period;
}

/*
 * Takes the description of an event, unless a sample or another description
 * came first.  Returns 0 or -ENOMEM.
 */
static int
note_event(struct tprof_header *h, const struct tprof_note *n,
    const char *text)
{
	struct tprof_header_event *e = &h->events[n->a];

	if (e->settled)
		return 0;
	*e = (struct tprof_header_event) {
		.settled = true, .ns = (n->b & 1) != 0, .period = n->d,
		.name = model_intern(h->model, text, strlen(text)),
	};
	if (e->name == NULL)
		return -ENOMEM;
	tprof_header_selects(h, n->a);
	return 0;
}

/* Notes lost samples in h->lost.  Returns 0 or -ENOMEM. */
static int
note_loss(struct tprof_header *h, const char *how, uint64_t samples)
{
	struct model_loss own = { .samples = samples };

	if (samples == 0)
		return 0;
	own.how = model_intern(h->model, how, strlen(how));
	if (own.how == NULL || vector_grow(&h->lost, h->lost_count,
	    &h->lost_room, sizeof(own)) != 0)
		return -ENOMEM;
	h->lost[h->lost_count++] = own;
	return 0;
}

/* Takes the lines "key=value" of the head.  Returns 0 or -ENOMEM. */
static int
note_head(struct tprof_header *h, const struct tprof_note *n,
    const char *text)
{
	const struct {
		const char *key;
		const char **value;
	} keys[] = {
		{ "backend=", &h->sum.backend }, { "scope=", &h->sum.scope },
		{ "command=", &h->sum.command }, { "host=", &h->sum.host },
		{ "processes=", &h->sum.processes },
		{ "hz=", &h->sum.hz }, { "boot_id=", &h->boot },
		{ "pid_namespace=", &h->pid_namespace },
	};
	struct text_lines lines = { .rest = text_of(text) };
	struct text line;

	h->real = n->d;
	while (text_next_line(&lines, &line))
		for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
			if (!text_skip_prefix(&line, keys[i].key))
				continue;
			*keys[i].value = model_intern(h->model, line.at,
			    line.bytes);
			if (*keys[i].value == NULL)
				return -ENOMEM;
			break;
		}
	return 0;
}

/*
 * Notes the losses in a statistic.  The head, which names the backend, has come
 * before.  With backend=preload the statistic of overflows is skipped: each of
 * these losses is a TPROF_N_LOSS with a name of its own, and would count twice.
 * Returns 0 or -ENOMEM.
 */
static int
note_statistic(struct tprof_header *h, const struct tprof_note *n)
{
	const bool preload = h->sum.backend != NULL &&
	    strcmp(h->sum.backend, "preload") == 0;

	if (n->a == TPROF_S_OVERFLOW)
		return preload ? 0 : note_loss(h, "overflow: a buffer was "
		    "full", n->d);
	if (n->a == TPROF_S_DROPBUF_SAMPLES)
		return note_loss(h, preload ? "dropbuf_samples: in profiles "
		    "that could not be read" :
		    "dropbuf_samples: too many buffers were waiting", n->d);
	return 0;
}

int
tprof_header_note(struct tprof_header *h, const struct tprof_note *n,
    const char *text)
{
	switch (tprof_kind(n->flags)) {
	case TPROF_N_HEAD:
		return note_head(h, n, text);
	case TPROF_N_EVENT:
		return note_event(h, n, text);
	case TPROF_N_LOSS:
		return note_loss(h, text, n->d);
	case TPROF_N_STAT:
		return note_statistic(h, n);
	default:
		return 0;
	}
}

bool
tprof_header_event_found(const struct tprof_header *h)
{
	return h->asked == NULL || h->event != TPROF_EVENTS;
}

bool
tprof_header_boot(const struct tprof_header *h, struct format_header *boot)
{
	const char *at = h->boot != NULL ? h->boot : "";
	struct text space = text_of(h->pid_namespace != NULL ?
	    h->pid_namespace : "");
	unsigned byte;

	memset(boot, 0, sizeof(*boot));
	if (space.bytes != 0)
		text_parse_number(&space, 10, &boot->pid_namespace);
	for (unsigned i = 0; i < sizeof(boot->boot_id); i++) {
		at += *at == '-';
		if (strspn(at, "0123456789abcdefABCDEF") < 2 ||
		    sscanf(at, "%2x", &byte) != 1)
			return false;
		boot->boot_id[i] = (uint8_t)byte;
		at += 2;
	}
	return *at == '\0';
}

/*
 * Lists the names of the other events for the footer, as the user has to know a
 * name to ask for it; names beyond 255 bytes are left out.  Returns 0 or
 * -ENOMEM.
 */
static int
list_other_events(struct tprof_header *h)
{
	char names[256] = "";
	size_t used = 0;

	for (uint32_t i = 0; i < TPROF_EVENTS; i++) {
		const struct tprof_header_event *e = &h->events[i];

		if (i == h->event || e->name == NULL ||
		    used + strlen(e->name) + 3 > sizeof(names))
			continue;
		used += (size_t)snprintf(names + used, sizeof(names) - used,
		    "%s%s", used == 0 ? "" : ", ", e->name);
	}
	if (used != 0)
		h->sum.beside = model_intern(h->model, names, used);
	return used == 0 || h->sum.beside != NULL ? 0 : -ENOMEM;
}

/*
 * Adds lost samples to the model; files that lost samples in the same way share
 * one entry.  Returns 0 or -ENOMEM.
 */
static int
add_lost_samples(struct model *m, const struct model_loss *lost)
{
	for (size_t i = 0; i < m->lost_count; i++)
		/* These texts are single copies, so pointers are compared. */
		if (m->lost[i].how == lost->how) {
			m->lost[i].samples += lost->samples;
			return 0;
		}
	if (vector_grow(&m->lost, m->lost_count, &m->lost_room,
	    sizeof(*lost)) != 0)
		return -ENOMEM;
	m->lost[m->lost_count++] = *lost;
	return 0;
}

int
tprof_header_finish(struct tprof_header *h)
{
	struct model *m = h->model;
	int ret = list_other_events(h);

	for (size_t i = 0; i < h->lost_count && ret == 0; i++)
		ret = add_lost_samples(m, &h->lost[i]);
	if (ret != 0 || vector_grow(&m->samplings, m->sampling_count,
	    &m->sampling_room, sizeof(h->sum)) != 0)
		return -ENOMEM;
	m->samplings[m->sampling_count++] = h->sum;
	return 0;
}

void
tprof_header_free(struct tprof_header *h)
{
	free(h->lost);
}
