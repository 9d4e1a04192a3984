/*
 * Context: O.  Preloaded: at random places of the program's first thread its
 * callers as the walker finds them, frame for frame beside libunwind's.
 *
 *   VERSUS_POINTS  how many places; then the program is ended
 *   VERSUS_OUT     the file that gets a line a program, and one a difference
 */
#define _GNU_SOURCE
#define UNW_LOCAL_ONLY
#include "life/stack_bounds.h"
#include "module/modules.h"
#include "store/store.h"
#include "target.h"
#include "unwind/stack_walk.h"

#include <libunwind.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOM	512
#define SHOWN	40		/* differences told, of a program */

/* The verdict on a place; the order is that of `names`. */
enum verdict {
	EQUAL,			/* to the outermost frame */
	OURS_FURTHER,		/* libunwind's ended before */
	OURS_CUT,		/* ours says that it did not come further */
	OURS_SHORT,		/* it did not, and does not say so: a lie */
	/* they part behind a frame that ours calls a guess */
	BY_GUESS,
	NO_TABLE,		/* or where no table says who is right */
	APART,			/* another caller */
	VERDICTS,
};

static const char *const names[VERDICTS] = {
	"equal", "further", "cut", "short", "guess",
	"tableless", "apart",
};

struct difference {
	enum verdict verdict;
	uintptr_t from;		/* the frame that has not the same caller */
	uintptr_t ours, theirs;
	unsigned depth;
};

static uint64_t count[VERDICTS], frames;
static struct difference seen[SHOWN];
static unsigned shown;
static struct thread_slot *slot;
static _Atomic uint64_t points;
static uint64_t wanted;
static _Atomic bool reported;
static int signal_no;
static pid_t main_pid;
static const char *place;

static unsigned
ours(ucontext_t *uc, uint64_t *frame)
{
	struct stack_walk_start from;
	uintptr_t unknown;
	unsigned n;

	stack_walk_start_tick(&from, uc);
	n = stack_walk(slot, &from, frame, ROOM, &unknown);
	if (unknown == 0)
		return n;
	modules_refresh();
	return stack_walk(slot, &from, frame, ROOM, &unknown);
}

/* The callers: without the place itself. */
static unsigned
libunwinds(ucontext_t *uc, unw_word_t *frame)
{
	unw_cursor_t c;
	unsigned n = 0;

	if (unw_init_local2(&c, uc, UNW_INIT_SIGNAL_FRAME) != 0)
		return 0;
	while (n < ROOM && unw_step(&c) > 0 &&
	    unw_get_reg(&c, UNW_REG_IP, &frame[n]) == 0 && frame[n] != 0)
		n++;
	return n;
}

/* libgcc's, for one who is neither: has it any at this place? */
const void *_Unwind_Find_FDE(void *pc, void *bases);

static bool
has_table(uintptr_t pc)
{
	void *bases[3];

	return _Unwind_Find_FDE((void *)pc, bases) != NULL;
}

static enum verdict
judge(uintptr_t pc, const uint64_t *frame, unsigned n,
    const unw_word_t *theirs, unsigned m, unsigned *at)
{
	bool guessed = false;
	unsigned i;

	for (i = 0; i < n && i < m; i++) {
		if ((frame[i] & STACK_WALK_CUT) != 0)
			break;
		guessed |= (frame[i] & STACK_WALK_GUESSED) != 0;
		if ((frame[i] & STACK_WALK_ADDRESS) != theirs[i])
			break;
	}
	*at = i;
	if (i == n && i == m)
		return EQUAL;
	if (i < n && (frame[i] & STACK_WALK_CUT) != 0)
		return i == m ? EQUAL : OURS_CUT;
	if (guessed)
		return BY_GUESS;
	if (!has_table(i == 0 ? pc : theirs[i - 1] - 1))
		return NO_TABLE;
	return i == m ? OURS_FURTHER : i == n ? OURS_SHORT : APART;
}

static void
compare(ucontext_t *uc)
{
	static uint64_t frame[ROOM];
	static unw_word_t theirs[ROOM];
	unsigned n = ours(uc, frame), m = libunwinds(uc, theirs), at;
	enum verdict v = judge(arch_pc(uc), frame, n, theirs,
	    m, &at);
	struct difference *d;

	count[v]++;
	frames += m;
	if (v == EQUAL || shown == SHOWN)
		return;
	d = &seen[shown++];
	d->verdict = v;
	d->depth = at;
	d->from = at == 0 ? arch_pc(uc) : theirs[at - 1];
	d->ours = at < n ? frame[at] : 0;
	d->theirs = at < m ? theirs[at] : 0;
}

static void
handler(int sig, siginfo_t *info, void *uc)
{
	(void)sig;
	(void)info;
	if (getpid() == main_pid && gettid() == main_pid)
		compare(uc);
	atomic_fetch_add(&points, 1);
}

static void
put_place(FILE *out, const char *what, uintptr_t at)
{
	struct module_hit hit;
	const struct format_module *m;
	const struct format_text *text;

	modules_find(at & STACK_WALK_ADDRESS, &hit);
	fprintf(out, " %s %jx", what, (uintmax_t)at);
	if (!hit.known || hit.record == 0)
		return;
	m = store_at(hit.record);
	text = store_at(m->path);
	fprintf(out, " (%.*s+0x%jx)", (int)text->bytes, text->text,
	    (uintmax_t)hit.address);
}

static void
report(void)
{
	FILE *out;

	if (getpid() != main_pid || atomic_exchange(&reported, true))
		return;
	signal(signal_no, SIG_IGN);
	out = place == NULL ? stderr : fopen(place, "a");
	if (out == NULL)
		return;
	fprintf(out, "versus %s points %ju frames %ju",
	    program_invocation_short_name, (uintmax_t)points,
	    (uintmax_t)frames);
	for (unsigned v = 0; v < VERDICTS; v++)
		fprintf(out, " %s %ju", names[v], (uintmax_t)count[v]);
	fputc('\n', out);
	for (unsigned i = 0; i < shown; i++) {
		fprintf(out, "  %s at %u:", names[seen[i].verdict],
		    seen[i].depth);
		put_place(out, "from", seen[i].from);
		put_place(out, "ours", seen[i].ours);
		put_place(out, "libunwind's", seen[i].theirs);
		fputc('\n', out);
	}
	fclose(out);
	unsetenv("LD_PRELOAD");	/* of the rm that it runs */
	target_fini();
}

/* Waits for each to be done, and then for no fixed time. */
static void *
drive(void *arg)
{
	uint64_t random = 88172645463325252u, n;
	volatile unsigned rest;

	(void)arg;
	while ((n = atomic_load(&points)) < wanted) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		for (rest = random % 20000; rest > 0; rest = rest - 1)
			;
		if (tgkill(main_pid, main_pid, signal_no) != 0)
			break;
		for (rest = 0; rest < 100000000 && atomic_load(&points) == n;
		    rest = rest + 1)
			if (rest % 1000 == 999)
				usleep(20);
	}
	report();
	_exit(0);
}

__attribute__((constructor)) static void
begin(int argc, char **argv)
{
	struct sigaction action = {
		.sa_sigaction = handler,
		.sa_flags = SA_SIGINFO | SA_RESTART,
	};
	const char *text = getenv("VERSUS_POINTS");
	sigset_t all, before;
	pthread_t thread;

	(void)argc;
	wanted = text == NULL ? 0 : strtoull(text, NULL, 10);
	if (wanted == 0)
		return;
	place = getenv("VERSUS_OUT");
	main_pid = getpid();
	target_init();
	config.stack = FORMAT_STACK_AUTO;
	config.tick_ns = 1000000000;	/* of no cost is a walk cut */
	config.stack_top = (uintptr_t)(argv - 1);
	target_birth();
	slot = target_slot();
	stack_bounds_find(slot);
	modules_refresh();
	signal_no = SIGURG;		/* harmless to what exec begins */
	sigaction(signal_no, &action, NULL);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_create(&thread, NULL, drive, NULL);
	pthread_detach(thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	atexit(report);
}
