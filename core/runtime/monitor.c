/*
 * Context: T.  monitor(3C): blocks of cells, a histogram, mon.out;
 * doc/internals.md, section 16.
 *
 * One thread at a time is in here, with signals blocked, so that no handler
 * finds its own thread in it or jumps out.
 */
#include "monitor.h"

#include "bins.h"
#include "monblock.h"
#include "monout.h"
#include "name.h"
#include "ownstack.h"
#include "profdir.h"
#include "region.h"
#include "start.h"
#include "state.h"
#include "str.h"
#include "tally.h"
#include "yield.h"

#include <sys/auxv.h>

/*
 * monitor() was called, and not to stop.  Each process reads this at its end,
 * so it must not need a page of its own.
 */
static bool begun;

/* A process that is not profiled has a seccomp filter; else view.boxed says. */
static bool boxed;

/* The process that took the filter, if vfork children ran in our memory. */
static int boxed_by;

static struct {
	_Atomic int tid;	/* who is in here, 0 nobody */
	sys_sigset mask;	/* its own before */
	int pid;		/* whose calls the tallies are of */
	bool paused;
	struct monfile file;
	struct tally *hidden;	/* calls that are not the program's to see ... */
	struct tally *from;	/* ... and since this, while it is paused */
	unsigned scale;		/* of its histogram */
	size_t bins;		/* words of the histogram that the range uses */
	struct monitor_calls calls;
	char directory[PATH_MAX];	/* PROFDIR when it was begun, or "" */
	char path[PATH_MAX];
} m STATE_BEHIND("2.cold");

/* Where the buffer is no good the program's handler may say so. */
static void
enter(void)
{
	const sys_sigset shut = ~(SYS_SIGBIT(SIGBUS) | SYS_SIGBIT(SIGSEGV) |
	    SYS_SIGBIT(SIGILL) | SYS_SIGBIT(SIGFPE) | SYS_SIGBIT(SIGTRAP));
	int tid = sys_gettid(), other = 0;
	sys_sigset before;

	sys_sigprocmask(SIG_BLOCK, &shut, &before);
	while (!atomic_compare_exchange_strong(&m.tid, &other, tid)) {
		/* One that was in here when another forked is not here. */
		if (other == tid ||
		    sys_tgkill(sys_getpid(), other, 0) == -ESRCH)
			continue;
		SYS(sched_yield, 0, 0, 0, 0, 0, 0);
		other = 0;
	}
	m.mask = before;
}

static void
leave(void)
{
	sys_sigset before = m.mask;

	atomic_store(&m.tid, 0);
	sys_sigprocmask(SIG_SETMASK, &before, NULL);
}

/* A fork child counts calls from none. */
static void
follow_fork(void)
{
	int pid = sys_getpid();

	if (m.pid != 0 && m.pid != pid) {
		tally_free(m.hidden);
		tally_free(m.from);
		m.hidden = m.from = NULL;
	}
	m.pid = pid;
}

static uint64_t
calls_of(const struct tally_cell *c)
{
	uint64_t to = m.paused ? tally_calls(m.from, c->pc) : c->calls;
	uint64_t hidden = tally_calls(m.hidden, c->pc);

	return to > hidden ? to - hidden : 0;
}

static int
fill_cells(void)
{
	struct tally *t = tally_make();
	struct monfile_block *b = m.file.first;
	size_t used = 0;
	uint32_t i;

	monblock_clear(&m.file);
	if (t == NULL)
		return -ENOMEM;
	for (i = 0; i < t->count; i++) {
		uint64_t n = calls_of(&t->cell[i]);

		if (n == 0)
			continue;
		for (; b != NULL && used == b->cells; used = 0)
			b = b->next != NULL ? b->next :
			    monblock_more(&m.file);
		if (b == NULL)
			break;
		/* Readers want it behind the first byte; some arcs have it. */
		b->cell[used].fnpc = (char *)t->cell[i].pc + 1;
		b->cell[used++].mcnt = (long)n;
	}
	i = t->count - i;
	tally_free(t);
	return i == 0 ? 0 : -ENOMEM;
}

static void
make_path(void)
{
	struct str s;

	str_init(&s, m.path, sizeof m.path);
	if (m.directory[0] != '\0') {
		str_add(&s, m.directory);
		str_add(&s, "/");
		name_of_process(&s);
	} else {
		str_add(&s, MON_OUT);
	}
}

static int
write_file(void)
{
	int ret, filled = fill_cells();

	make_path();
	ret = monfile_write(&m.file, m.path);
	return ret != 0 ? ret : filled;
}

/*
 * libc's profil() stops its timer, then restores the program's action, mostly
 * the default.  A SIGPROF of that timer that was still blocked would then kill
 * the process, so it is let in here, if the thread's own mask does.
 */
static void
stop_bars(void)
{
	const sys_sigset ticks = SYS_SIGBIT(SIGPROF) & ~m.mask;
	sys_sigset before;

	sys_sigprocmask(SIG_UNBLOCK, &ticks, &before);
	m.calls.profil(NULL, 0, 0, 0);
	sys_sigprocmask(SIG_SETMASK, &before, NULL);
}

static void
count_bars(bool on)
{
	if (on)
		m.calls.profil(m.file.bars, m.bins * sizeof *m.file.bars,
		    (size_t)(uintptr_t)m.file.head.lpc, m.scale);
	else
		stop_bars();
}

static void
register_block(struct monfile_block *b, WORD *buffer, size_t words,
    size_t cells)
{
	const struct hdr *h = &m.file.head;
	size_t head = (sizeof *h + cells * sizeof(struct cnt)) / sizeof(WORD);
	size_t text = ((size_t)(h->hpc - h->lpc) + 1) / sizeof(WORD);
	const bool again = monblock_drop(&m.file, buffer, words);

	/* A histogram that is restarted begins from zero. */
	if (again)
		count_bars(false);
	b->bytes = sizeof *b;
	mem_copy(buffer, h, sizeof *h);
	b->cell = (struct cnt *)((char *)buffer + sizeof *h);
	b->cells = cells;
	monblock_add(&m.file, b);
	m.file.bars = buffer + head;
	m.file.words = words - head;
	if (again)
		mem_zero(m.file.bars, m.file.words * sizeof *m.file.bars);
	m.scale = monout_scale(m.file.words, text);
	/*
	 * What lies behind the range must not count: that may be another
	 * library.  The buffer may be longer than the range, and as the scale
	 * is rounded down, what profil() counts is, too.
	 */
	m.bins = bins_slot(&(struct bins){0, m.scale, m.file.words,
	    sizeof(WORD)}, (size_t)(h->hpc - h->lpc) - 1) + 1;
}

static bool
is_sane(const char *low, const char *high, size_t words, size_t cells)
{
	return cells <= words && low < high && (sizeof(struct hdr) +
	    cells * sizeof(struct cnt)) / sizeof(WORD) < words;
}

/* What was called so far is not for this run to see. */
static void
begin(void)
{
	tally_free(m.hidden);
	m.hidden = tally_make();
	begun = true;
	m.paused = false;
	yield_name();
}

bool
monitor_start(char *low, char *high, WORD *buffer, size_t words, size_t cells,
    const struct monitor_calls *calls)
{
	bool first = false;
	struct monfile_block *b;

	if (getauxval(AT_SECURE) != 0 || !is_sane(low, high, words, cells))
		return false;
	enter();
	b = profdir_find(m.directory) ? region_memory(sizeof *b) : NULL;
	if (b != NULL) {
		follow_fork();
		first = !begun;
		if (first)
			begin();
		m.file.head = (struct hdr){low, high, cells};
		monfile_find_object(&m.file);
		m.calls = *calls;
		register_block(b, buffer, words, cells);
		if (!m.paused)
			count_bars(true);
	}
	leave();
	return first;
}

/* The buffers are the program's again, to free them if it likes. */
static void
end(void)
{
	monblock_end(&m.file);
	tally_free(m.hidden);
	tally_free(m.from);
	m.hidden = m.from = NULL;
	begun = false;
}

/* Behind seccomp what it takes may kill: nothing is written by itself there. */
STATE_START static bool
is_owed(void)
{
	return begun && !boxed && !start_boxed() && m.pid == sys_getpid();
}

static void
write_in_full(void *stop)
{
	int ret;

	follow_fork();
	if (*(bool *)stop)
		count_bars(false);
	ret = write_file();
	if (ret != 0 && m.calls.complain != NULL)
		m.calls.complain(-ret, m.path);
	if (*(bool *)stop)
		end();
}

/*
 * Writes on a stack of our own; if there is no memory for one, on the caller's,
 * which is mostly large enough.
 */
static void
write_now(bool stop)
{
	if (ownstack_call(write_in_full, &stop) != 0)
		write_in_full(&stop);
}

bool
monitor_box(bool on)
{
	bool before = boxed;

	/* Before the first filter getpid() is safe. */
	if (on && !before)
		boxed_by = atomic_load(&view.vforks) != 0 ? sys_getpid() : 0;
	boxed = on;
	return before != on;
}

void
monitor_unbox(int child)
{
	if (boxed && child > 0 && boxed_by == child)
		boxed = false;
}

void
monitor_write(bool stop)
{
	enter();
	if (begun)
		write_now(stop);
	leave();
}

/* A fork child that goes on must say so, or it would replace its parent's. */
STATE_START void
monitor_end(void)
{
	if (!is_owed())
		return;
	enter();
	if (begun)
		write_now(true);
	leave();
}

void
monitor_save(void)
{
	if (!is_owed())
		return;
	enter();
	if (begun)
		write_now(false);
	leave();
}

static void
set_bars(bool on)
{
	enter();
	if (begun && !m.paused)
		count_bars(on);
	leave();
}

bool
monitor_leave(void)
{
	if (!is_owed())
		return false;
	monitor_save();
	set_bars(false);
	return true;
}

void
monitor_return(void)
{
	set_bars(true);
}

int
monitor_control(int mode)
{
	int before = -1;

	if (!__atomic_load_n(&begun, __ATOMIC_ACQUIRE))
		return -1;
	enter();
	if (begun) {
		follow_fork();
		before = !m.paused;
		if (mode == 0 && !m.paused) {
			m.from = tally_make();
		} else if (mode != 0 && m.paused) {
			m.hidden = tally_add_between(m.hidden, m.from,
			    tally_make());
			m.from = NULL;
		}
		m.paused = mode == 0;
		if ((mode != 0) != (before != 0))
			count_bars(mode != 0);
	}
	leave();
	return before;
}
