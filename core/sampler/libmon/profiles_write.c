/*
 * Context: O.  Writes the profiles that were read as samples, for
 * backend_preload_end(), after the last profiles_add(); see profiles.h.
 */
#include "libmon/profiles.h"

#include "base/compare.h"
#include "base/vector.h"

#include <stdio.h>
#include <string.h>

/*
 * Most samples that are written one by one, beyond the logged ticks: 48 bytes
 * each, so 0.8 GB.  A place with more becomes one sample with all its
 * weight, and the number is written as a loss: a count in a hostile file must
 * not fill the disk.
 */
#define SINGLE_MOST	(1u << 24)

#define NS_IN_MS	1000000u

/*
 * Deepest stack that readers accept; depth= can ask for as many frames and
 * their leaf.
 */
#define DEEPEST		65535u

static int
compare_moments(const void *left, const void *right)
{
	const struct profiles_moment *a = left, *b = right;
	const int d = compare_u64(a->time, b->time);

	return d != 0 ? d : compare_u64(a->place, b->place);
}

/*
 * Writes the module of a frame if it is new, and sets the frame's module to its
 * number in the output.
 */
static void
put_module_of(struct profiles *p, struct tprof_writer *put,
    struct tprof_writer_frame *f)
{
	struct profiles_module *m;

	if (f->module == 0)
		return;
	m = &p->modules[f->module - 1];
	if (m->number == 0)
		m->number = tprof_writer_module(put, &m->id, m->flags, 0);
	f->module = m->number;
}

/* Stores a call path in p->stack.  Returns its depth; 0 without memory. */
static size_t
unfold_frames(struct profiles *p, struct tprof_writer *put, uint32_t frame)
{
	size_t depth = 0;

	for (; frame != 0; frame = p->frames[frame - 1].caller) {
		if (vector_grow(&p->stack, depth, &p->stack_room,
		    sizeof(*p->stack)) != 0)
			return 0;
		if (depth == DEEPEST) {
			p->stack[depth++] = (struct tprof_writer_frame) {
				.flags = TPROF_F_CUT,
				.address = FORMAT_CUT_DEPTH,
			};
			break;
		}
		p->stack[depth] = p->frames[frame - 1].frame;
		put_module_of(p, put, &p->stack[depth++]);
	}
	return depth;
}

/*
 * Writes the process of a sample.  An exec gives a process another program, and
 * its threads other names.
 */
static void
put_process_image(struct profiles *p, struct tprof_writer *put,
    uint32_t process)
{
	const struct profiles_process *own = &p->processes[process];
	struct profiles_pid *s = &p->pids[own->entry];

	if (s->process == process + 1)
		return;
	tprof_writer_process(put, own->pid, own->uid, own->birth, own->program);
	s->process = process + 1;
	s->times++;
}

/*
 * Writes the process of a sample, and its thread unless that was done since the
 * pid got this process image.
 */
static void
put_place_thread(struct profiles *p, struct tprof_writer *put, uint32_t thread)
{
	struct profiles_thread *t = &p->threads[thread];
	const struct profiles_process *own = &p->processes[t->process];

	put_process_image(p, put, t->process);
	if (t->reported != p->pids[own->entry].times)
		tprof_writer_thread(put, own->pid, t->tid, t->name);
	t->reported = p->pids[own->entry].times;
}

/*
 * Writes `count` samples of a place, not 0, with `ns` as the sum of their
 * weights.  time: CLOCK_MONOTONIC, ns; 0: not known.  Returns 0 or -ENOMEM.
 */
static int
put_samples(struct profiles *p, struct tprof_writer *put, uint32_t place,
    uint64_t time, uint64_t count, uint64_t ns)
{
	struct profiles_place *own = &p->places[place];
	const struct profiles_thread *t = &p->threads[own->thread];
	struct tprof_writer_sample s = {
		.event = own->event, .cpu = TPROF_CPU_UNKNOWN, .tid = t->tid,
		.pid = p->processes[t->process].pid, .kernel = own->kernel,
		.pc = own->pc, .time = time, .node = own->node,
	};
	uint64_t carried = 0;

	if (s.node == 0 && (s.depth = unfold_frames(p, put, own->frame)) == 0)
		return -ENOMEM;
	put_place_thread(p, put, own->thread);
	s.frames = p->stack;
	for (uint64_t i = 0; i < count; i++) {
		s.weight = ns / count;
		carried += ns % count;
		if (carried >= count) {
			carried -= count;
			s.weight++;
		}
		s.node = tprof_writer_sample(put, &s);
	}
	own->node = s.node;
	put->stats[TPROF_S_SAMPLE] += count;
	return 0;
}

/*
 * Returns how many samples without a time a place still needs.  One logged tick
 * may stand for several samples (a timer that was late), so their number is in
 * proportion to the time that is left.
 */
static uint64_t
unwritten_time(const struct profiles_place *own)
{
	const uint64_t ns = own->ns - own->timed_ns;
	const uint64_t most = own->count > own->timed ?
	    own->count - own->timed : 0;
	uint64_t n;

	if (own->timed == 0)
		return own->count != 0 ? own->count : 1;
	if (ns == 0)
		return 0;
	n = (uint64_t)((double)own->count * ((double)ns / (double)own->ns) +
	    0.5);
	return n > most ? most > 0 ? most : 1 : n > 0 ? n : 1;
}

/*
 * Writes the samples of all places that no logged tick stands for.  Returns 0
 * or -ENOMEM.
 */
static int
put_unwritten(struct profiles *p, struct tprof_writer *put)
{
	uint64_t room = SINGLE_MOST;
	int ret = 0;

	for (size_t i = 0; i < p->place_count && ret == 0; i++) {
		const struct profiles_place *own = &p->places[i];
		uint64_t n = unwritten_time(own);

		if (n > room) {
			p->heavy += n - 1;
			n = 1;
		} else {
			room -= n;
		}
		if (n != 0)
			ret = put_samples(p, put, (uint32_t)i, 0, n,
			    own->ns - own->timed_ns);
	}
	return ret;
}

/*
 * Writes all processes, also those without a sample; the newest image of each
 * pid comes last.
 */
static void
put_newest(struct profiles *p, struct tprof_writer *put)
{
	for (size_t i = 0; i < p->pid_count; i++)
		p->pids[i].newest = 0;
	for (uint32_t i = 0; i < p->process_count; i++) {
		struct profiles_pid *s = &p->pids[p->processes[i].entry];

		if (s->newest == 0 || p->processes[i].began >=
		    p->processes[s->newest - 1].began)
			s->newest = i + 1;
	}
	for (size_t i = 0; i < p->pid_count; i++)
		if (p->pids[i].newest != 0)
			put_process_image(p, put, p->pids[i].newest - 1);
}

/* Writes a time as a loss in milliseconds, unless it is less than one. */
static void
put_time(struct tprof_writer *put, uint64_t ns, const char *what)
{
	char text[128];

	if (ns / NS_IN_MS == 0)
		return;
	snprintf(text, sizeof(text), "milliseconds: %s", what);
	tprof_writer_loss(put, ns / NS_IN_MS, text);
}

/*
 * Writes the losses.  Only ticks are samples; the others tell what may have
 * cost samples.
 */
static void
put_losses(struct profiles *p, struct tprof_writer *put)
{
	char text[256];

	for (unsigned i = 0; i < LOSS_MAX; i++) {
		const char *unit = loss_unit(i), *what = loss_text(i);

		if (p->loss[i] == 0)
			continue;
		if (what == NULL)
			snprintf(text, sizeof(text), "loss %u", i);
		else
			snprintf(text, sizeof(text), "%s: %s", unit, what);
		tprof_writer_loss(put, p->loss[i], text);
		if (unit != NULL && strcmp(unit, "ticks") == 0)
			put->stats[TPROF_S_OVERFLOW] += p->loss[i];
	}
	put_time(put, p->unsampled_ns, "CPU time without a sample, as of page "
	    "faults and before the first tick");
	put_time(put, p->paused_ns, "the program had its profile paused");
	put_time(put, p->elsewhere_ns, "in modules that are not watched");
	if (p->heavy != 0)
		tprof_writer_loss(put, p->heavy,
		    "ticks: not one by one, but as the " "weight of others");
}

/*
 * Writes the event of time asleep.  It has a name of its own because it is no
 * CPU time.
 */
static void
put_sleep(const struct profiles *p, struct tprof_writer *put)
{
	for (size_t i = 0; i < p->place_count; i++)
		if (p->places[i].event == PROFILES_SLEEP) {
			tprof_writer_event(put, PROFILES_SLEEP, "sleep-clock",
			    true, 0);
			return;
		}
}

int
profiles_write(struct profiles *p, struct tprof_writer *put)
{
	int ret = 0;

	put_sleep(p, put);
	if (p->moment_count > 1)
		qsort(p->moments, p->moment_count, sizeof(*p->moments),
		    compare_moments);
	for (size_t i = 0; i < p->moment_count && ret == 0; i++) {
		const struct profiles_moment *m = &p->moments[i];

		ret = put_samples(p, put, m->place, m->time, 1, m->ns);
	}
	if (ret == 0)
		ret = put_unwritten(p, put);
	put_newest(p, put);
	put_losses(p, put);
	put->stats[TPROF_S_EMPTYBUF] += p->empty;
	return ret;
}
