/* Context: O.  The process image that a file is of. */
#include "image.h"

#include "alive.h"
#include "grow.h"
#include "header.h"
#include "identity.h"

#include <string.h>

const char *
image_program(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

static enum model_life
image_life(const struct format_header *h)
{
	int alive;

	if (h->state == FORMAT_SEALED || h->end == FORMAT_END_DUMP)
		return MODEL_ENDED;
	alive = alive_check(h);
	return alive < 0 ? MODEL_UNKNOWN :
	    alive != 0 ? MODEL_RUNNING : MODEL_KILLED;
}

struct image_cpu {
	uint64_t counted;	/* CPU time of the image while it was counted */
	uint64_t stopped;	/* ... and while it was not */
};

/* The file's own figure can be a second old: of the living the kernel knows. */
static struct image_cpu
image_cpu(const struct format_header *h, enum model_life life)
{
	uint64_t all = life == MODEL_RUNNING ? alive_cpu(h->pid) : 0;
	struct image_cpu cpu = { 0 };

	if (all < h->cpu_ns)
		all = h->cpu_ns;
	cpu.stopped = header_stopped_ns(h, all);
	all = all > h->cpu_birth_ns ? all - h->cpu_birth_ns : 0;
	if (cpu.stopped > all)
		cpu.stopped = all;
	cpu.counted = all - cpu.stopped;
	return cpu;
}

static void
image_describe(struct model_process *p, const struct format_header *h,
    const char *exe)
{
	memset(p, 0, sizeof(*p));
	memcpy(p->boot_id, h->boot_id, sizeof(p->boot_id));
	p->start_ticks = h->start_ticks;
	p->pid = h->pid;
	p->image = h->image;
	p->program = image_program(exe);
	p->life = image_life(h);
	p->birth_real = h->birth_real;
	p->end_real = h->end_real;
	p->euid = h->euid;
	p->same_boot = alive_is_boot(h->boot_id);
	p->here = alive_is_here(h);
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
}

/*
 * Updates what grows as long as the image runs, from the file that has the most
 * of it.
 */
static void
image_grow(struct model_process *p, const struct format_header *h)
{
	if (p->system_ns < h->system_ns)
		p->system_ns = h->system_ns;
	if (p->children_ns < h->children_ns)
		p->children_ns = h->children_ns;
	if (p->children < h->children)
		p->children = h->children;
	if (p->last_mono < h->cpu_mono)
		p->last_mono = h->cpu_mono;
	if (h->end_ppid != 0)
		p->end_ppid = h->end_ppid;
	p->anew |= h->base != 0;
}

/* Of the process, whatever it executes. */
static struct identity
image_of_process(const struct format_header *h)
{
	struct identity key = {
		.path = "", .device = h->start_ticks, .inode = h->pid_namespace,
	};

	memcpy(key.id, h->boot_id, sizeof(h->boot_id));
	memcpy(key.id + sizeof(h->boot_id), &h->pid, sizeof(h->pid));
	return key;
}

/*
 * Images of one executable can have one number, where they have files of
 * different names: exec does not reset the CPU clock.
 */
static struct identity
image_identity(const struct format_header *h, const char *exe)
{
	struct identity key = image_of_process(h);

	key.path = exe;
	key.flags = h->image;
	memcpy(key.id + sizeof(h->boot_id) + sizeof(h->pid), &h->cpu_birth_ns,
	    sizeof(h->cpu_birth_ns));
	/* What it counted before it began anew is another part of it. */
	key.inode ^= (uint64_t)h->base << 32;
	return key;
}

int
image_is_copy(struct model *m, const struct format_header *h, const char *exe)
{
	struct identity key = image_identity(h, exe), *found;

	memcpy(key.id + sizeof(h->boot_id) + sizeof(h->pid), &h->birth_mono,
	    sizeof(h->birth_mono));
	found = identity_enter(&m->file_tree, &key, (uint32_t)m->files);
	if (found == NULL)
		return -ENOMEM;
	return found->index != m->files;
}

/* -ENOMEM or 0. */
static int
image_count_process(struct model *m, const struct format_header *h)
{
	struct identity key = image_of_process(h), *found;

	found = identity_enter(&m->pid_tree, &key, (uint32_t)m->pid_count);
	if (found == NULL)
		return -ENOMEM;
	m->pid_count += found->index == m->pid_count;
	return 0;
}

int
image_add(struct model *m, const struct format_header *h, const char *exe,
    uint32_t *process)
{
	struct identity key = image_identity(h, exe), *found;
	struct model_process *p;
	struct image_cpu cpu;

	found = identity_enter(&m->process_tree, &key,
	    (uint32_t)m->process_count);
	if (found == NULL || image_count_process(m, h) != 0 ||
	    grow(&m->processes, m->process_count, &m->process_room,
	    sizeof(*p)) != 0)
		return -ENOMEM;
	p = &m->processes[found->index];
	if (found->index == m->process_count) {
		image_describe(p, h, exe);
		m->process_count++;
	}
	cpu = image_cpu(h, p->life);
	if (p->cpu_ns < cpu.counted)
		p->cpu_ns = cpu.counted;
	if (p->stopped_ns < cpu.stopped)
		p->stopped_ns = cpu.stopped;
	image_grow(p, h);
	p->coarse_seen |= h->coarse_seen;
	p->fine_seen |= h->fine_seen;
	if (p->coarse_errno == 0)
		p->coarse_errno = h->coarse_errno;
	if (p->fine_errno == 0)
		p->fine_errno = h->fine_errno;
	if (p->kernel_errno == 0)
		p->kernel_errno = h->kernel_errno;
	*process = found->index;
	return 0;
}
