/*
 * Context: O.  Finds the process image that a profile belongs to, and merges
 * what its files say about it, for read_profile.c; see process_image.h.
 */
#include "read/process_image.h"

#include "decode/header.h"
#include "process_state.h"
#include "base/clock_ns.h"
#include "base/merge_key.h"
#include "base/vector.h"

#include <string.h>

/* unit of start_ticks, ns: the kernel shows times to users in 1/100 s */
#define TICK_NS	10000000u

const char *
process_image_basename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/* Returns whether the process of the file has ended, runs or was killed. */
static enum model_process_state
read_process_state(const struct format_header *h)
{
	int alive;

	if (h->state == FORMAT_SEALED || h->end == FORMAT_END_DUMP)
		return MODEL_ENDED;
	alive = process_state_check(h);
	return alive < 0 ? MODEL_UNKNOWN :
	    alive != 0 ? MODEL_RUNNING : MODEL_KILLED;
}

struct process_image_cpu {
	/* CPU time of the image while counting was not stopped */
	uint64_t counted;
	uint64_t stopped;	/* CPU time while counting was stopped */
};

/*
 * Returns the CPU time of the image, in ns.  The figure in the file may be a
 * second old; for a process that still runs, the kernel is asked.
 */
static struct process_image_cpu
read_image_cpu(const struct format_header *h, enum model_process_state life)
{
	uint64_t all = life == MODEL_RUNNING ? process_state_cpu_ns(h->pid) : 0;
	struct process_image_cpu cpu = { 0 };

	if (all < h->cpu_ns)
		all = h->cpu_ns;
	cpu.stopped = header_stopped_ns(h, all);
	all = all > h->cpu_birth_ns ? all - h->cpu_birth_ns : 0;
	if (cpu.stopped > all)
		cpu.stopped = all;
	cpu.counted = all - cpu.stopped;
	return cpu;
}

/*
 * Returns when the process started, by CLOCK_MONOTONIC, in ns.  The kernel's
 * start time also counts the time in which the machine was suspended before,
 * which is not known: then the process did not start later than the first
 * count.
 */
static uint64_t
read_start_mono(const struct format_header *h)
{
	const uint64_t start = h->start_ticks * TICK_NS;

	return start < h->birth_mono ? start : h->birth_mono;
}

/* Fills in a new image from its first file. */
static void
describe_process(struct model_process *p, const struct format_header *h,
    const char *exe)
{
	memset(p, 0, sizeof(*p));
	memcpy(p->boot_id, h->boot_id, sizeof(p->boot_id));
	p->start_ticks = h->start_ticks;
	p->pid = h->pid;
	p->image = h->image;
	p->program = process_image_basename(exe);
	p->life = read_process_state(h);
	p->command = p->host = "";
	p->birth_real = h->birth_real;
	p->birth_mono = h->birth_mono;
	p->start_mono = read_start_mono(h);
	p->begin_mono = h->begin_mono != 0 ? h->begin_mono : p->start_mono;
	p->end_real = h->end_real;
	p->euid = h->euid;
	p->same_boot = process_state_same_boot(h->boot_id);
	p->here = process_state_is_local(h);
	p->asked_hz = h->asked_hz;
	p->tick_ns = h->tick_ns;
	p->period_ns = h->period_ns;
	p->budget_ns = h->budget_ns;
	p->later_ns = h->later_ns;
	p->wall = h->clock == FORMAT_CLOCK_WALL;
	p->pid_namespace = h->pid_namespace;
	p->ppid = h->ppid;
	p->session = h->session;
	p->children_birth_ns = h->children_birth_ns;
	p->birth_cpu = h->cpu_birth_ns;
}

/*
 * Takes over where the time of the threads went.  After a reset the figures of
 * living threads also include the time before it.
 */
static void
update_process_sums(struct model_process *p, const struct format_header *h)
{
	if (h->base != 0)
		return;
	p->lives = h->lives;
	p->unseen = h->unseen;
	p->lived_ns = h->lived_ns;
	if (p->life == MODEL_RUNNING && h->cpu_mono != 0)
		p->lived_ns += h->living * (clock_ns_now(CLOCK_MONOTONIC) -
		    h->cpu_mono);
	p->delay_ns = h->delay_ns;
	p->unasked_ns = h->unasked_ns;
	p->sums = h->sums;
	if (h->throttle_ns < h->throttle_birth_ns ||
	    h->throttles < h->throttles_birth)
		p->sums &= ~FORMAT_SUMS_QUOTA;
	p->throttle_ns = h->throttle_ns - h->throttle_birth_ns;
	p->throttles = h->throttles - h->throttles_birth;
}

/*
 * Updates what grows as long as the image runs, from the file that has the most
 * of it.
 */
static void
update_process_totals(struct model_process *p, const struct format_header *h)
{
	if (p->system_ns < h->system_ns)
		p->system_ns = h->system_ns;
	if (p->children_ns < h->children_ns)
		p->children_ns = h->children_ns;
	if (p->children < h->children)
		p->children = h->children;
	if (p->last_mono < h->cpu_mono || p->lived_ns == 0)
		update_process_sums(p, h);
	if (p->last_mono < h->cpu_mono)
		p->last_mono = h->cpu_mono;
	if (h->end_ppid != 0)
		p->end_ppid = h->end_ppid;
	p->anew |= h->base != 0;
}

/* Returns the key of the process, whichever program it executes. */
static struct merge_key
process_merge_key(const struct format_header *h)
{
	struct merge_key key = {
		.path = "", .device = h->start_ticks, .inode = h->pid_namespace,
	};

	memcpy(key.id, h->boot_id, sizeof(h->boot_id));
	memcpy(key.id + sizeof(h->boot_id), &h->pid, sizeof(h->pid));
	return key;
}

/*
 * Returns the key of the image.  Images of one executable can have the same
 * number if they have files with different names; the CPU time at birth tells
 * them apart, as exec does not reset the CPU clock.
 */
static struct merge_key
image_merge_key(const struct format_header *h, const char *exe)
{
	struct merge_key key = process_merge_key(h);

	key.path = exe;
	key.flags = h->image;
	memcpy(key.id + sizeof(h->boot_id) + sizeof(h->pid), &h->cpu_birth_ns,
	    sizeof(h->cpu_birth_ns));
	/*
	 * A profile that was reset is a part of its own, apart from what was
	 * counted before the reset.
	 */
	key.inode ^= (uint64_t)h->base << 32;
	return key;
}

int
process_image_is_copy(struct model *m, const struct format_header *h,
    const char *exe)
{
	struct merge_key key = image_merge_key(h, exe);
	uint32_t found;

	memcpy(key.id + sizeof(h->boot_id) + sizeof(h->pid), &h->birth_mono,
	    sizeof(h->birth_mono));
	found = merge_key_find_or_add(&m->file_keys, &key,
	    (uint32_t)m->files);
	if (found == UINT32_MAX)
		return -ENOMEM;
	return found != m->files;
}

/* Counts the process if it is new.  Returns 0 or -ENOMEM. */
static int
count_process(struct model *m, const struct format_header *h)
{
	const struct merge_key key = process_merge_key(h);
	const uint32_t found = merge_key_find_or_add(&m->pid_keys, &key,
	    (uint32_t)m->pid_count);

	if (found == UINT32_MAX)
		return -ENOMEM;
	m->pid_count += found == m->pid_count;
	return 0;
}

int
process_image_add(struct model *m, const struct format_header *h,
    const char *exe, uint32_t *process)
{
	const struct merge_key key = image_merge_key(h, exe);
	const uint32_t found = merge_key_find_or_add(&m->process_keys, &key,
	    (uint32_t)m->process_count);
	struct model_process *p;
	struct process_image_cpu cpu;

	if (found == UINT32_MAX || count_process(m, h) != 0 ||
	    vector_grow(&m->processes, m->process_count, &m->process_room,
	    sizeof(*p)) != 0)
		return -ENOMEM;
	p = &m->processes[found];
	if (found == m->process_count) {
		describe_process(p, h, exe);
		m->process_count++;
	}
	cpu = read_image_cpu(h, p->life);
	if (p->cpu_ns < cpu.counted)
		p->cpu_ns = cpu.counted;
	if (p->stopped_ns < cpu.stopped)
		p->stopped_ns = cpu.stopped;
	update_process_totals(p, h);
	p->coarse_seen |= h->coarse_seen;
	p->fine_seen |= h->fine_seen;
	if (p->coarse_errno == 0)
		p->coarse_errno = h->coarse_errno;
	if (p->fine_errno == 0)
		p->fine_errno = h->fine_errno;
	if (p->kernel_errno == 0)
		p->kernel_errno = h->kernel_errno;
	*process = found;
	return 0;
}
