/*
 * Context: T.  monitor(3C): blocks of cells, a histogram, mon.out; doc/internals.md,
 * section 16.
 *
 * One thread at a time is in here.  Who finds another in it waits, but for a
 * signal handler that came upon its own thread, which goes without.
 */
#include "monitor.h"

#include "options.h"
#include "state.h"
#include "str.h"
#include "tally.h"
#include "whole.h"
#include "yield.h"

#include <sys/auxv.h>

#define OVERFLOW_CELLS	(2 * MPROGS0)	/* SVR4's: 600 */
#define PROFDIR		"PROFDIR="

struct block {
	struct block *next;
	struct cnt *cell;
	size_t cells;
};

/* Calls between two tallies are not the program's to see. */
struct gap {
	struct gap *next;
	struct tally *from;	/* NULL: none had been counted */
	struct tally *to;
	bool open;		/* it goes on */
};

static struct {
	_Atomic int tid;	/* who is in here, 0 nobody */
	int pid;		/* whose calls the gaps are of */
	bool begun, ended;	/* since it was last begun */
	bool paused;
	struct block *first, *last;
	struct gap *gaps;
	struct hdr head;	/* of the last histogram ... */
	WORD *bars;
	size_t words;
	unsigned scale;
	monitor_profil *profil;
	char directory[PATH_MAX];	/* PROFDIR when it was begun, or "" */
	char path[PATH_MAX];
} m STATE_BEHIND("2.cold");

static bool
enter(void)
{
	int tid = sys_gettid(), other = 0;

	while (!atomic_compare_exchange_strong(&m.tid, &other, tid)) {
		if (other == tid)
			return false;
		SYS(sched_yield, 0, 0, 0, 0, 0, 0);
		/* One that was in here when another forked is not here. */
		if (sys_tgkill(sys_getpid(), other, 0) != -ESRCH)
			other = 0;
	}
	return true;
}

static void
leave(void)
{
	atomic_store(&m.tid, 0);
}

static void
open_gap(struct tally *from)
{
	struct gap *g = sys_memory(sizeof *g);

	if (g == NULL)
		return;
	g->from = from;
	g->open = true;
	g->next = m.gaps;
	m.gaps = g;
}

static void
close_gap(void)
{
	if (m.gaps == NULL || !m.gaps->open)
		return;
	m.gaps->to = tally_make();
	m.gaps->open = false;
}

/* A fork child counts calls from none. */
static void
follow_fork(void)
{
	int pid = sys_getpid();

	if (m.pid != 0 && m.pid != pid) {
		m.gaps = NULL;
		if (m.paused)
			open_gap(NULL);
	}
	m.pid = pid;
}

static uint64_t
calls_of(const struct tally_cell *c)
{
	uint64_t n = c->calls;
	const struct gap *g;

	for (g = m.gaps; g != NULL; g = g->next) {
		uint64_t to = g->open ? c->calls : tally_calls(g->to, c->pc);

		n -= to - tally_calls(g->from, c->pc);
	}
	return n;
}

static void
add_block(struct block *b)
{
	if (m.last == NULL)
		m.first = b;
	else
		m.last->next = b;
	m.last = b;
}

/* For functions that the program's own cells do not hold. */
static struct block *
add_cells(void)
{
	struct block *b = sys_memory(sizeof *b +
	    OVERFLOW_CELLS * sizeof(struct cnt));

	if (b == NULL)
		return NULL;
	b->cell = (struct cnt *)(b + 1);
	b->cells = OVERFLOW_CELLS;
	add_block(b);
	return b;
}

static void
clear_cells(void)
{
	struct block *b;

	for (b = m.first; b != NULL; b = b->next)
		mem_zero(b->cell, b->cells * sizeof *b->cell);
}

static int
fill_cells(void)
{
	struct tally *t = tally_make();
	struct block *b = m.first;
	size_t used = 0;
	uint32_t i;

	clear_cells();
	for (i = 0; t != NULL && i < t->count; i++) {
		uint64_t n = calls_of(&t->cell[i]);

		if (n == 0)
			continue;
		for (; b != NULL && used == b->cells; used = 0)
			b = b->next != NULL ? b->next : add_cells();
		if (b == NULL)
			break;
		b->cell[used].fnpc = (char *)t->cell[i].pc;
		b->cell[used++].mcnt = (long)n;
	}
	i = t == NULL ? 0 : t->count - i;
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
		str_add_number(&s, (uint64_t)sys_getpid());
		str_add(&s, ".");
		str_add(&s, config.progname);
	} else {
		str_add(&s, MON_OUT);
	}
}

static int
write_blocks(int fd, void *unused)
{
	struct hdr h = m.head;
	const struct block *b;
	int ret;

	(void)unused;
	h.nfns = 0;
	for (b = m.first; b != NULL; b = b->next)
		h.nfns += b->cells;
	ret = whole_put(fd, &h, sizeof h);
	for (b = m.first; ret == 0 && b != NULL; b = b->next)
		ret = whole_put(fd, b->cell, b->cells * sizeof *b->cell);
	if (ret == 0)
		ret = whole_put(fd, m.bars, m.words * sizeof *m.bars);
	return ret;
}

static int
write_file(void)
{
	int ret, filled = fill_cells();

	make_path();
	ret = whole_write(m.path, write_blocks, NULL);
	return ret != 0 ? ret : filled;
}

static void
count_bars(bool on)
{
	if (on)
		m.profil(m.bars, m.words * sizeof *m.bars,
		    (size_t)(uintptr_t)m.head.lpc, m.scale);
	else
		m.profil(NULL, 0, 0, 0);
}

/* As many WORDs for so many of text: parts of 65536, and less than 1. */
static unsigned
scale_of(size_t words, size_t text)
{
	if (words >= text)
		return 0xffff;
	/* No text is as long as 2^48. */
	return (unsigned)(words * 65536 / text);
}

/* False: PROFDIR is set and empty, and nothing is wanted. */
static bool
find_directory(void)
{
	const char *value = options_value(environ, PROFDIR);

	if (value != NULL && *value == '\0')
		return false;
	str_copy(m.directory, value == NULL ? "" : value, sizeof m.directory);
	return true;
}

static void
register_block(struct block *b, WORD *buffer, size_t words, size_t cells)
{
	size_t head = (sizeof m.head + cells * sizeof(struct cnt)) /
	    sizeof(WORD);
	size_t text = ((size_t)(m.head.hpc - m.head.lpc) + 1) / sizeof(WORD);

	mem_copy(buffer, &m.head, sizeof m.head);
	b->cell = (struct cnt *)((char *)buffer + sizeof m.head);
	b->cells = cells;
	add_block(b);
	m.bars = buffer + head;
	m.words = words - head;
	m.scale = scale_of(m.words, text);
}

static bool
is_sane(const char *low, const char *high, size_t words, size_t cells)
{
	return cells <= words && low < high && (sizeof(struct hdr) +
	    cells * sizeof(struct cnt)) / sizeof(WORD) < words;
}

bool
monitor_start(char *low, char *high, WORD *buffer, size_t words, size_t cells,
    monitor_profil *profil)
{
	bool first = false;
	struct block *b;

	if (getauxval(AT_SECURE) != 0 || !is_sane(low, high, words, cells) ||
	    !enter())
		return false;
	b = find_directory() ? sys_memory(sizeof *b) : NULL;
	if (b != NULL) {
		follow_fork();
		first = !m.begun;
		if (first) {
			open_gap(NULL);
			close_gap();
			yield_name();
		}
		m.head = (struct hdr){low, high, cells};
		m.profil = profil;
		register_block(b, buffer, words, cells);
		m.begun = true;
		m.ended = false;
		if (!m.paused)
			count_bars(true);
	}
	leave();
	return first;
}

int
monitor_write(bool stop, const char **path)
{
	int ret = 0;

	*path = m.path;
	if (!enter())
		return 0;
	if (m.begun) {
		follow_fork();
		if (stop)
			count_bars(false);
		ret = write_file();
		m.ended = m.ended || stop;
	}
	leave();
	return ret;
}

/* A fork child that goes on must say so, or it would replace its parent's. */
static bool
is_owed(void)
{
	return m.begun && !m.ended && m.pid == sys_getpid() &&
	    !atomic_load(&mon->frozen);
}

void
monitor_end(void)
{
	const char *path;

	if (is_owed())
		monitor_write(true, &path);
}

void
monitor_save(void)
{
	const char *path;

	if (is_owed())
		monitor_write(false, &path);
}

int
monitor_control(int mode)
{
	int before = -1;

	if (!enter())
		return before;
	if (m.begun) {
		follow_fork();
		before = !m.paused;
		if (mode == 0 && !m.paused)
			open_gap(tally_make());
		else if (mode != 0 && m.paused)
			close_gap();
		m.paused = mode == 0;
		if (!m.ended && (mode != 0) != (before != 0))
			count_bars(mode != 0);
	}
	leave();
	return before;
}
