/*
 * Context: S.  Fills in what a new file says of the process and of how it is
 * counted, for store_create.c, behind private_fds_run(); see header_fill.h.
 */
#include "store/header_fill.h"

#include "base/state.h"
#include "base/str.h"
#include "count/live_control.h"
#include "module/link_map.h"
#include "module/proc_info.h"
#include "store/cpu_quota.h"
#include "store/store.h"
#include "thread/thread_life.h"

#include <sys/utsname.h>

#ifndef MON_VERSION
#error "MON_VERSION: major << 32 | minor << 16 | patch"
#endif

/* Fills in what the header says of the file and of the process. */
static void
fill_process_fields(struct format_header *h)
{
	mem_copy(h->magic, FORMAT_MAGIC, sizeof(h->magic));
	h->version = FORMAT_VERSION;
	h->header_bytes = FORMAT_HEADER;
	h->machine = ARCH_MACHINE;
	h->address_bits = 64;
	h->birth_real = sys_clock(CLOCK_REALTIME);
	h->birth_mono = sys_clock(CLOCK_MONOTONIC);
	h->pid = mon->pid;
	h->ppid = mon->parent;
	h->session = (int)SYS(getsid, 0, 0, 0, 0, 0, 0);
	h->uid = (uint32_t)SYS(getuid, 0, 0, 0, 0, 0, 0);
	h->euid = (uint32_t)SYS(geteuid, 0, 0, 0, 0, 0, 0);
	h->pid_namespace = proc_info_pid_namespace();
	h->start_ticks = mon->start_ticks;
	proc_info_boot_id(h->boot_id);
	h->run_pid = lineage.pid;
	h->run_start = lineage.start;
	h->image = 1;
	h->library = MON_VERSION;
}

/* Fills in how the process is counted, and that the file is live. */
static void
fill_settings_fields(struct format_header *h, uint64_t cap)
{
	h->cap = cap;
	h->clock = config.clock;
	h->tick_ns = config.tick_ns;
	h->signal = (uint32_t)config.signal;
	h->cost_shift = CONFIG_COST_SHIFT;
	h->cpu_birth_ns = mon->cpu_birth_ns;
	h->begin_mono = mon->lives.birth_mono;
	h->children_birth_ns = mon->children_birth_ns;
	h->stack = config.stack;
	h->depth = config.stack != FORMAT_STACK_OFF ? config.depth : 0;
	live_control_fill_header(h);
	h->exit_status = -1;
	h->used = FORMAT_HEADER;
	h->ready = FORMAT_HEADER;
	h->state = FORMAT_LIVE;
}

void
header_fill_fixed(struct format_header *h, uint64_t cap)
{
	fill_process_fields(h);
	fill_settings_fields(h, cap);
}

/*
 * Reads the path of the program, as proc_maps_read() does: from the first
 * thread's entry, or from this thread's if the first one has ended; without
 * /proc, from the name that was given to exec.  room: PATH_MAX bytes.  Returns
 * its length or <= 0.
 */
static long
read_exe_path(char *room)
{
	const struct link_map_list_object program = {.head =
	    link_map_program_head()};
	long n = SYS(readlinkat, AT_FDCWD, "/proc/self/exe", room, PATH_MAX, 0,
	    0);

	if (n <= 0)
		n = SYS(readlinkat, AT_FDCWD, "/proc/thread-self/exe", room,
		    PATH_MAX, 0, 0);
	return n > 0 ? n : (long)link_map_list_path(&program, room, PATH_MAX);
}

/*
 * Writes how long the CPU quota had stopped the control group until now, so
 * that the seal can tell what came since.
 */
static void
fill_throttling(struct format_header *h, char *scratch)
{
	struct cpu_quota quota;

	if (cpu_quota_read(&quota, scratch, PATH_MAX) != 0)
		return;
	h->throttle_birth_ns = h->throttle_ns = quota.throttled_ns;
	h->throttles_birth = h->throttles = quota.throttles;
	h->sums |= FORMAT_SUMS_QUOTA;
}

int
header_fill_texts(void *header)
{
	struct format_header *h = header;
	char *scratch = mon->birth_scratch;
	struct utsname u;
	long n;

	n = read_exe_path(scratch);
	if (n > 0)
		h->exe = store_text(scratch, (size_t)n);
	n = proc_info_read("/proc/self/cmdline", scratch, PATH_MAX);
	if (n == 0)
		n = proc_info_read("/proc/thread-self/cmdline", scratch,
		    PATH_MAX);
	if (n == -EMFILE)
		return (int)n;
	if (n > 0)
		h->cmdline = store_text(scratch, (size_t)n);
	if (SYS(uname, &u, 0, 0, 0, 0, 0) == 0)
		h->host = store_text(u.nodename, str_length(u.nodename));
	if (config.options[0] != '\0')
		h->options = store_text(config.options,
		    str_length(config.options));
	fill_throttling(h, scratch);
	thread_life_ask_first();
	return 0;
}
