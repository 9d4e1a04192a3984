/*
 * Context: T.  Prepares the process for a seccomp filter;
 * doc/design/seccomp.md.
 *
 * The filter is classic BPF over struct seccomp_data.  It is run here for
 * rt_sigreturn, with which every tick ends: if the filter does not plainly
 * allow that call, there can be no more ticks.  If a later filter does not
 * allow it, the clocks stop, provided that the filters before allow the calls
 * that this takes.
 */
#include "life/seccomp.h"

#include "base/loss_count.h"
#include "base/profiling.h"
#include "base/store_header.h"
#include "base/str.h"
#include "classic/monitor.h"
#include "clock/cpu_timer.h"
#include "clock/perf_clock.h"
#include "clock/wall_sampler.h"
#include "count/cct.h"
#include "count/record.h"
#include "base/thread_clock.h"
#include "module/modules.h"
#include "signal/altstack.h"
#include "store/store.h"
#include "thread/private_fds.h"
#include "thread/thread_record.h"
#include "thread/thread_slot.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#define FREEZE_RESERVE	(1u << 20)	/* 20,000 nodes */
/* One or two time slices on a busy processor. */
#define SENT_TICKS_NS	20000000u

#ifdef __x86_64__
#define FILTER_ARCH	AUDIT_ARCH_X86_64
#else
#define FILTER_ARCH	AUDIT_ARCH_AARCH64
#endif

/* Registers and memory of the machine that linux/filter.h describes. */
struct bpf {
	uint32_t a, x, m[BPF_MEMWORDS];
	const struct seccomp_data *data;
	/* met an instruction that no seccomp filter can hold */
	bool odd;
};

const struct sock_fprog seccomp_deny_all = {0, NULL};

static uint32_t
bpf_load(struct bpf *b, uint32_t offset)
{
	uint32_t word;

	if (offset > sizeof *b->data - 4 || offset % 4 != 0) {
		b->odd = true;
		return 0;
	}
	/*
	 * A half of an argument, copied so that the compiler does not assume
	 * another type.
	 */
	mem_copy(&word, (const char *)b->data + offset, sizeof word);
	return word;
}

static void
bpf_alu(struct bpf *b, const struct sock_filter *i)
{
	uint32_t k = BPF_SRC(i->code) == BPF_X ? b->x : i->k;

	switch (BPF_OP(i->code)) {
	case BPF_ADD: b->a += k; break;
	case BPF_SUB: b->a -= k; break;
	case BPF_MUL: b->a *= k; break;
	case BPF_DIV: b->a = k == 0 ? 0 : b->a / k; break;
	case BPF_OR: b->a |= k; break;
	case BPF_AND: b->a &= k; break;
	case BPF_LSH: b->a = k > 31 ? 0 : b->a << k; break;
	case BPF_RSH: b->a = k > 31 ? 0 : b->a >> k; break;
	case BPF_NEG: b->a = -b->a; break;
	case BPF_XOR: b->a ^= k; break;
	default: b->odd = true;
	}
}

static uint32_t
bpf_jump(const struct bpf *b, const struct sock_filter *i)
{
	uint32_t k = BPF_SRC(i->code) == BPF_X ? b->x : i->k;
	bool yes;

	switch (BPF_OP(i->code)) {
	case BPF_JA: return i->k;
	case BPF_JEQ: yes = b->a == k; break;
	case BPF_JGT: yes = b->a > k; break;
	case BPF_JGE: yes = b->a >= k; break;
	default: yes = (b->a & k) != 0;
	}
	return yes ? i->jt : i->jf;
}

static void
bpf_move(struct bpf *b, const struct sock_filter *i)
{
	uint32_t *to = BPF_CLASS(i->code) == BPF_LDX ? &b->x : &b->a;
	uint32_t m = i->k % BPF_MEMWORDS;

	switch (BPF_CLASS(i->code)) {
	case BPF_ST: b->m[m] = b->a; return;
	case BPF_STX: b->m[m] = b->x; return;
	case BPF_MISC:
		if (BPF_MISCOP(i->code) == BPF_TAX)
			b->x = b->a;
		else
			b->a = b->x;
		return;
	}
	switch (BPF_MODE(i->code)) {
	case BPF_IMM: *to = i->k; return;
	case BPF_ABS: *to = bpf_load(b, i->k); return;
	case BPF_MEM: *to = b->m[m]; return;
	case BPF_LEN: *to = sizeof *b->data; return;
	default: b->odd = true;
	}
}

/* Returns the filter's answer for the call. */
static uint32_t
bpf_run(const struct sock_fprog *p, const struct seccomp_data *data)
{
	struct bpf b = {.data = data};
	uint32_t pc;

	for (pc = 0; pc < p->len && !b.odd; pc++) {
		const struct sock_filter *i = &p->filter[pc];

		switch (BPF_CLASS(i->code)) {
		case BPF_RET:
			return BPF_RVAL(i->code) == BPF_A ? b.a : i->k;
		case BPF_ALU:
			bpf_alu(&b, i);
			break;
		case BPF_JMP:
			b.odd = bpf_jump(&b, i) >= p->len - pc;
			pc += b.odd ? 0 : bpf_jump(&b, i);
			break;
		default:
			bpf_move(&b, i);
		}
	}
	return SECCOMP_RET_KILL_PROCESS;
}

/*
 * Returns whether 8 bytes can be read.  The kernel copies them before it checks
 * `how`: it returns EFAULT or EINVAL.
 */
static bool
is_readable_word(const void *eight_bytes)
{
	return sys_sigprocmask(-1, eight_bytes, NULL) == -EINVAL;
}

/*
 * Returns whether the kernel can read the filter.  A filter that it refuses
 * unread is not run here, because that might fault.
 */
static bool
is_valid_filter(const struct sock_fprog *p)
{
	unsigned i;

	if (p == &seccomp_deny_all)
		return true;
	if (!is_readable_word(p) ||
	    !is_readable_word((const char *)(p + 1) - 8) || p->len == 0 ||
	    p->len > BPF_MAXINSNS)
		return false;
	for (i = 0; i < p->len; i++)
		if (!is_readable_word(&p->filter[i]))
			return false;
	return true;
}

static bool
filter_allows(const struct sock_fprog *filter, int nr)
{
	struct seccomp_data d = {.nr = nr, .arch = FILTER_ARCH};
	uint32_t action;

	if (nr == SYS_rt_sigprocmask)
		d.args[0] = (uint64_t)-1;	/* as in is_readable_word() */
	if (filter == NULL)	/* strict mode, seccomp(2) */
		return nr == SYS_rt_sigreturn;
	action = bpf_run(filter, &d) & SECCOMP_RET_ACTION_FULL;
	return action == SECCOMP_RET_ALLOW || action == SECCOMP_RET_LOG;
}

/*
 * Writes the end of the perf clock into the thread's record, because no tick
 * does so any more.  If the filter is refused, the next tick writes the record
 * again.
 */
static void
record_perf_clock_off(const struct thread_slot *s)
{
	struct format_thread *t;

	if (store_header() == NULL || s->thread == 0 ||
	    s->generation != atomic_load(&mon->store.generation))
		return;
	t = store_at(s->thread);
	t->fine = FORMAT_FINE_SECCOMP;
	t->fine_ns = s->fine_ns;
}

/*
 * Stops the thread's perf clock.  In a frozen process its cost cannot be
 * watched: a thread with frequent context switches paid three times its CPU
 * time for good, and long system calls could not be told from pauses.
 */
static void
freeze_perf_clock(struct thread_slot *s, void *arg)
{
	(void)arg;
	if (!thread_slot_lock(s))
		return;
	if (s->fine == FORMAT_FINE_ON) {
		perf_clock_stop(s, FORMAT_FINE_NEVER);
		record_perf_clock_off(s);
	}
	atomic_store_explicit(&s->busy, 0, memory_order_release);
}

/*
 * Reserves an alternate stack for a thread that has its slot in TLS, or else
 * stops its clock.  If the thread sets a small alternate stack later, it gets
 * the reserved one in its place, because its clock cannot be stopped any more.
 * That needs a TLS word which tells the thread's slot, and libc's own threads
 * have none.
 */
static void
freeze_altstack(struct thread_slot *s, void *arg)
{
	(void)arg;
	if (s->native)
		altstack_reserve(s);
	if ((s->native && s->altstack != NULL) || atomic_load(&s->timer) == 0)
		return;
	cpu_timer_stop(s);
	loss_count(LOSS_FROZEN, 1);
}

/* Notes for the report that no thread has a perf clock from here on. */
static void
report_no_perf_clock(void)
{
	struct format_header *h = store_header();

	if (h != NULL && config_period() != 0)
		__atomic_fetch_or(&h->fine_seen, 1u << FORMAT_FINE_SECCOMP,
		    __ATOMIC_RELAXED);
}

/*
 * The clocks that the last seccomp_freeze() stopped.  One thread at a time is
 * between it and seccomp_freeze_end().
 */
static struct {
	bool clocks, process;
} stopped;

static void
freeze_cpu_timer(struct thread_slot *s, void *arg)
{
	(void)arg;
	cpu_timer_stop(s);
}

/*
 * Waits for ticks that were already sent to other threads: their handlers must
 * return before the filter forbids it.
 */
static void
await_sent_ticks(void)
{
	struct timespec left = {0, SENT_TICKS_NS};

	while (atomic_load(&mon->live) > 1 &&
	    SYS(nanosleep, &left, &left, 0, 0, 0, 0) == -EINTR)
		;
}

static void
freeze_clocks(void)
{
	stopped.clocks = true;
	thread_slot_for_each(freeze_cpu_timer, NULL);
	await_sent_ticks();
}

static void
thaw_clock(struct thread_slot *s, void *arg)
{
	(void)arg;
	if (atomic_load(&s->state) == THREAD_SLOT_LIVE &&
	    atomic_load(&s->timer) == 0 &&
	    (s->coarse == FORMAT_COARSE_CPU || s->coarse == FORMAT_COARSE_USER))
		thread_clock_start(s);
}

/*
 * Makes the record of a thread.  A filter can be set for all threads, and then
 * none of them may make the system calls that a record needs.
 */
static void
make_record_of_thread(struct thread_slot *s, void *arg)
{
	(void)arg;
	if (atomic_load(&s->state) != THREAD_SLOT_LIVE ||
	    atomic_exchange(&s->busy, 1) != 0)
		return;		/* a tick of the thread makes the record */
	record_prepare(s);
	atomic_store_explicit(&s->busy, 0, memory_order_release);
}

/*
 * Must run by private_fds_run(), because the names of other threads are read
 * from files.
 */
static int
make_records_of_threads(void *unused)
{
	(void)unused;
	thread_slot_for_each(make_record_of_thread, NULL);
	return 0;
}

/*
 * The filters so far allow the calls to check another filter and to stop the
 * clocks.
 */
static bool may_stop;

static bool
filter_allows_stop(const struct sock_fprog *filter)
{
	return filter_allows(filter, SYS_rt_sigprocmask) &&
	    filter_allows(filter, SYS_timer_delete);
}

/*
 * Takes one more filter into account.  A call that one filter forbids is
 * forbidden, whatever the others allow.
 */
static void
freeze_by_next_filter(const struct sock_fprog *filter)
{
	if (!may_stop || stopped.clocks ||
	    (filter != NULL && !is_valid_filter(filter)))
		return;
	may_stop = filter_allows_stop(filter);
	if (filter_allows(filter, SYS_rt_sigreturn))
		return;
	freeze_clocks();
	loss_count(LOSS_FROZEN, 1);
}

/*
 * Returns whether nothing is profiled here: then only monitor()'s file needs
 * protection from the filter.
 */
static bool
is_unprofiled(void)
{
	return mon == NULL && !config.linked;
}

bool
seccomp_freeze(const struct sock_fprog *filter)
{
	struct thread_slot *s = thread_slot_self;

	if (is_unprofiled())
		return monitor_set_frozen(true);
	if (!profiling_is_active())
		return false;
	if (atomic_load(&mon->frozen)) {
		freeze_by_next_filter(filter);
		return false;
	}
	if (filter != NULL && !is_valid_filter(filter))
		return false;
	if (s != NULL && thread_slot_is_valid(s) && record_prepare(s)) {
		private_fds_run(make_records_of_threads, NULL);
		modules_refresh();
		store_reserve(FREEZE_RESERVE);
		cct_reserve(FREEZE_RESERVE / sizeof(struct format_node));
		thread_record_times(s);
		thread_record_process_times();
	}
	wall_sampler_stop();
	atomic_store(&virtual_signals.boxed, true);
	atomic_store(&mon->frozen, true);
	/* From here on no tick starts a perf clock. */
	thread_slot_for_each(freeze_perf_clock, NULL);
	thread_slot_for_each(freeze_altstack, NULL);
	stopped.clocks = false;
	stopped.process = atomic_load(&mon->process_tier);
	/*
	 * In a frozen process its ticks could not be weighed, and they could
	 * interrupt threads that begin later.
	 */
	cpu_timer_stop_process();
	if (!filter_allows(filter, SYS_rt_sigreturn))
		freeze_clocks();
	may_stop = filter_allows_stop(filter);
	return true;
}

void
seccomp_freeze_end(bool refused)
{
	if (is_unprofiled()) {
		if (refused)
			monitor_set_frozen(false);
		return;
	}
	if (!refused) {
		if (stopped.clocks || stopped.process)
			loss_count(LOSS_FROZEN, 1);
		report_no_perf_clock();
		return;
	}
	atomic_store(&virtual_signals.boxed, false);
	atomic_store(&mon->frozen, false);
	if (config.clock == FORMAT_CLOCK_WALL)
		wall_sampler_start();
	thread_slot_reclaim();
	thread_slot_for_each(thaw_clock, NULL);
	if (stopped.process)
		thread_clock_restart_itimer();
}
