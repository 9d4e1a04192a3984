/*
 * Context: O.  Controls the processes of a device by control sessions, for
 * verb.c and device_files.c; see device_control.h.
 */
#include "device_control.h"

#include "base/term.h"
#include "control_session.h"
#include "decode/header.h"
#include "target_profile.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static void
note_control_fault(void *device, const struct fault *f)
{
	if (device != NULL)
		device_note_fault(device, f);
}

/*
 * Finds the profile of a living process and stores its path in *who.  The pid
 * alone is not enough: another process may have it by now.  Returns 0; -ESRCH
 * if the process has ended, and *f says how; -EIO if it lives, and *f says why
 * it cannot be controlled.
 */
static int
find_live_profile(struct device *d, int32_t pid, struct input *in,
    const char **who, struct fault *f)
{
	int ret = device_profiles(d, pid, in, f) != 0 ? -EIO : -ESRCH;

	for (size_t i = 0; i < in->count; i++) {
		struct fault one = { 0 };
		struct control_client a;
		int opened = control_client_open(&a, in->files[i].path, &one);

		if (opened == 0) {
			const bool copy = in->count > 1 &&
			    target_profile_is_copy(pid, a.fd);

			control_client_close(&a);
			if (copy)
				continue;
			*who = in->files[i].path;
			return 0;
		}
		if (f->what == NULL || opened != -ESRCH) {
			*f = one;
			f->file = in->files[i].path;
		}
		if (opened != -ESRCH)
			ret = -EIO;
	}
	return ret;
}

/* Notes that a process has ended, also if nothing is left of it. */
static void
note_ended_process(struct device *d, int32_t pid, const struct fault *f)
{
	if (f->what != NULL)
		device_note_fault(d, f);
	else
		device_note(d, "process %" PRId32 ": has ended", pid);
}

/* Uses a session that has run, before it is closed. */
typedef void use_session(void *arg, const struct control_session *c);

/*
 * Runs a command and passes the session to `use`.  fault: the device that notes
 * faults; NULL if the state is only read.  Returns as device_control_send().
 */
static int
run_device_session(struct device *d, int32_t pid,
    const struct control_command *o, void *fault, use_session *use, void *arg)
{
	/*
	 * A symbolic link may lead into the mount itself, which waits for this
	 * process.
	 */
	struct control_session c = {
		.fault = note_control_fault, .arg = fault, .follows_not = true,
	};
	const char *who = d->directory;
	struct input in = { 0 };
	struct fault f = { 0 };
	int ret = pid == 0 ? 0 : find_live_profile(d, pid, &in, &who, &f);

	if (ret != 0 && fault != NULL)
		note_ended_process(d, pid, &f);
	if (ret == 0)
		ret = control_session_run(&c, who, o);
	if (ret == 0) {
		use(arg, &c);
		ret = c.result == 0 ? 0 : -EIO;
		control_session_close(&c);
	}
	input_free(&in);
	return ret;
}

struct send_result {
	struct device *device;
	bool bad;
};

/*
 * Notes in the device which processes have not obeyed.  In a directory a
 * process may end meanwhile.
 */
static void
note_answers(void *send_result, const struct control_session *c)
{
	struct send_result *t = send_result;

	for (size_t i = 0; i < c->count; i++) {
		const struct control_target *one = &c->targets[i];
		struct fault f = { .file = one->path };

		if (!one->asked || control_target_accepted(one) ||
		    (one->answer == CONTROL_CLIENT_GONE &&
		    c->directory != NULL))
			continue;
		control_target_fault(one, &f);
		f.file = one->path;
		device_note_fault(t->device, &f);
		t->bad = true;
	}
}

int
device_control_send(struct device *d, int32_t pid,
    const struct control_command *o)
{
	struct send_result t = { .device = d };
	int ret = run_device_session(d, pid, o, d, note_answers, &t);

	return ret == 0 && t.bad ? -EIO : ret;
}

static const struct control_command status_command = { .status_only = true };

struct state_sum {
	/* processes by what the last order to each says */
	size_t running, stopped;
	size_t counting;	/* processes that count now */
	size_t waiting;		/* processes that have an order still to obey */
	uint64_t interval_ns;
	bool mixed;		/* the processes have different intervals */
	uint32_t modes;		/* modes of all running processes, combined */
	uint32_t all_modes;	/* modes of stopped processes as well */
	struct format_defaults standing;
};

/* Sums up the states of all processes of the session. */
static void
sum_target_states(void *state_sum, const struct control_session *c)
{
	struct state_sum *s = state_sum;

	s->standing = c->standing;
	for (size_t i = 0; i < c->count; i++) {
		struct control_target_state now;

		control_target_get_state(&c->targets[i], &now);
		s->all_modes |= now.header.modes;
		s->counting += !header_is_stopped(&now.header);
		s->waiting += now.waits;
		if (now.ordered_stop) {
			s->stopped++;
		} else {
			s->running++;
			s->modes |= now.ordered_modes;
		}
		if (i != 0 && now.ordered_interval_ns != s->interval_ns)
			s->mixed = true;
		s->interval_ns = now.ordered_interval_ns;
	}
}

bool
device_control_is_memory(struct device *d, int32_t pid)
{
	const enum device_kind kind = device_start_kind(d, pid);
	struct state_sum s = { 0 };

	if (kind != DEVICE_UNSET)
		return kind == DEVICE_MEMORY;
	return run_device_session(d, pid, &status_command, NULL,
	    sum_target_states, &s) == 0 && s.all_modes == FORMAT_MODE_MEMORY;
}

/* Writes the verbs of the modes that are counted. */
static void
put_starts(FILE *out, const struct state_sum *s)
{
	const uint32_t modes = s->running != 0 ? s->modes :
	    s->standing.modes | s->standing.more;

	if ((modes & FORMAT_MODE_MEMORY) != 0)
		fputs("startmp\n", out);
	if ((modes & FORMAT_MODE_TIME) != 0 || modes == 0)
		fputs("start\n", out);
}

/*
 * Writes the verbs of the state of all processes, as was ordered, and how far
 * they are with that.  If no process lives and no order stands, there is no
 * common state.
 */
static void
put_state(FILE *out, const struct state_sum *s)
{
	const bool nobody = s->running + s->stopped == 0;
	const bool standing = (s->standing.what & FORMAT_D_STATE) != 0;

	if (s->running == 0 && (s->stopped != 0 ||
	    (standing && s->standing.stop != 0)))
		fputs("stop\n", out);
	else if (!nobody || standing)
		put_starts(out, s);
	fprintf(out, "# processes: %zu counting, %zu stopped", s->counting,
	    s->running + s->stopped - s->counting);
	if (s->waiting != 0)
		fprintf(out, "; not obeyed yet: %zu", s->waiting);
	fprintf(out, "%s\n", nobody && !standing ?
	    "; processes that start later begin as PROFOPTS says" : "");
}

int
device_control_put_ctl(FILE *out, struct device *d, int32_t pid)
{
	struct state_sum s = { 0 };

	if (run_device_session(d, pid, &status_command, NULL, sum_target_states,
	    &s) != 0 && pid != 0) {
		fprintf(out, "# process %" PRId32 " gets no orders any more\n",
		    pid);
		return 0;
	}
	for (size_t i = 0; i < d->name_count; i++)
		fprintf(out, "module %s\n", d->names[i]);
	if (s.running + s.stopped == 0)
		s.interval_ns = s.standing.interval_ns;
	if (s.mixed)
		fputs("# not all have one interval\n", out);
	else if (s.interval_ns != 0)
		fprintf(out, "interval %g\n", (double)s.interval_ns / 1e6);
	else
		fputs("interval auto\n", out);
	put_state(out, &s);
	return 0;
}

/*
 * Writes a text and a newline.  The text comes from outside: its control
 * characters must not make lines of their own.
 */
static void
put_escaped_line(FILE *out, const char *text)
{
	term_text(&(struct term) { .out = out }, text, 0);
	putc('\n', out);
}

static void
put_processes(void *out, const struct control_session *c)
{
	for (size_t i = 0; i < c->count; i++) {
		struct control_target_state s;

		control_target_get_state(&c->targets[i], &s);
		fprintf(out, "process %" PRId32 " %s ticks %" PRIu64
		    " cpu_ns %" PRIu64 " stopped_ns %" PRIu64 " ",
		    s.header.pid, control_target_state_name(&s, "counting"),
		    s.header.ticks, s.cpu_ns, s.stopped_ns);
		put_escaped_line(out, c->targets[i].path);
	}
}

int
device_control_put_status(FILE *out, struct device *d, int32_t pid)
{
	const size_t first = d->noted > DEVICE_NOTES ?
	    d->noted - DEVICE_NOTES : 0;

	run_device_session(d, pid, &status_command, NULL, put_processes, out);
	for (size_t i = first; i < d->noted; i++) {
		const char *note = d->notes[i % DEVICE_NOTES];

		fprintf(out, "error %zu ", i + 1);
		put_escaped_line(out, note != NULL ? note : "out of memory");
	}
	return 0;
}
