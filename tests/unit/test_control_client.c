/*
 * Context: O.  Tests of core/control/control_client.c: the asker's half, we are
 * the other.
 */
#include "control_client.h"

#include "build.h"
#include "compile.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#define MS	1000000u

static struct build b;
static struct fault f;
static struct control_client a;

/* Field 22 of its line. */
static uint64_t
began(pid_t pid)
{
	char path[32], line[1024], *at;
	FILE *in;
	size_t n;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	in = fopen(path, "r");
	cr_assert_not_null(in);
	n = fread(line, 1, sizeof line - 1, in);
	fclose(in);
	line[n] = '\0';
	at = strrchr(line, ')');
	for (int field = 2; field < 22; field++)
		at = strchr(at + 1, ' ');
	return strtoull(at, NULL, 10);
}

/* A live profile of ours. */
static void
start(void)
{
	compile_init();
	memset(&f, 0, sizeof f);
	build_init(&b);
	build_here(&b);
	build_header(&b)->pid = getpid();
	build_header(&b)->start_ticks = began(getpid());
	build_header(&b)->modes = FORMAT_MODE_TIME;
	build_header(&b)->interval_ns = 3 * MS;
	build_header(&b)->first_interval_ns = 7 * MS;
}

static void
end(void)
{
	build_fini(&b);
	compile_fini();
}

TestSuite(control_client, .init = start, .fini = end);

static const char *
saved(void)
{
	const char *path = compile_path("profile");

	cr_assert_eq(build_save(&b, path), 0);
	return path;
}

static struct format_header *
opened(void)
{
	cr_assert_eq(control_client_open(&a, saved(), &f), 0, "%s", f.what);
	return a.header;
}

static void
told(const struct control_client_change *c)
{
	cr_assert_eq(control_client_send(&a, c, &f), 0, "%s", f.what);
}

static void
take(int error)
{
	a.header->answer = error;
	a.header->answered = a.header->asked;
}

/* Settings that the request does not change stay as they are. */
Test(control_client, asks_for_the_rest_as_it_is)
{
	struct format_header *h = opened();

	told(&(struct control_client_change) { .state = true, .stop = true });
	cr_expect_eq(h->asked, 2);
	cr_expect_eq(h->ask_stop, 1);
	cr_expect_eq(h->ask_interval_ns, 3 * MS);
	cr_expect_eq(h->ask_modes, FORMAT_MODE_TIME);
	cr_expect_not(control_client_answered(&a));
	take(0);
	cr_expect(control_client_answered(&a));
	cr_expect_eq(control_client_answer(&a), CONTROL_CLIENT_DONE);
	control_client_close(&a);
}

Test(control_client, asks_for_modules_or_leaves_them)
{
	struct format_header *h = opened();

	told(&(struct control_client_change) { .watch = "libz*" });
	cr_expect_str_eq(h->ask_watch, "libz*");
	told(&(struct control_client_change) { .state = true, .stop = true });
	cr_expect_str_eq(h->ask_watch, "libz*");
	take(0);
	told(&(struct control_client_change) { .state = true });
	cr_expect_str_eq(h->ask_watch, "");	/* that is what holds */
	control_client_close(&a);
}

/*
 * Restores the modes of the process's start; keeps them if the file does not
 * say.
 */
Test(control_client, asks_for_what_held_at_first)
{
	const struct control_client_change end = {
		.state = true, .stop = true, .first_rate = true,
		.first_modes = true, .forget = true,
	};
	struct format_header *h = opened();

	h->modes = FORMAT_MODE_MEMORY;
	told(&end);
	cr_expect_eq(h->ask_interval_ns, 7 * MS);
	cr_expect_eq(h->ask_modes, FORMAT_MODE_MEMORY);
	cr_expect_eq(h->ask_forget, 1);
	h->first_modes = FORMAT_MODE_TIME;
	told(&end);
	cr_expect_eq(h->ask_modes, FORMAT_MODE_TIME);
	cr_expect_eq(h->ask_forget, 2);
	told(&(struct control_client_change) { .state = true });
	cr_expect_eq(h->ask_modes, FORMAT_MODE_TIME);
	cr_expect_eq(h->ask_forget, 2);
	control_client_close(&a);
}

/*
 * Also while the process is asleep: the rest of the order waits, and nobody
 * waits for the modes.
 */
Test(control_client, knows_modes_that_cannot_be)
{
	struct format_header *h = opened();

	h->no_modes = FORMAT_MODE_MEMORY;
	told(&(struct control_client_change) { .what = true,
	    .modes = FORMAT_MODE_TIME | FORMAT_MODE_MEMORY });
	cr_expect_eq(h->ask_modes, FORMAT_MODE_TIME);
	cr_expect_eq(control_client_answer(&a), CONTROL_CLIENT_REFUSED);
	cr_expect_eq(control_client_refusal(&a), EOPNOTSUPP);
	take(0);
	cr_expect_eq(control_client_answer(&a), CONTROL_CLIENT_REFUSED);
	told(&(struct control_client_change) { .state = true, .stop = true,
	    .more = FORMAT_MODE_MEMORY });
	cr_expect_eq(h->ask_stop, 1);
	cr_expect_eq(h->ask_modes, FORMAT_MODE_TIME);
	cr_expect_eq(control_client_answer(&a), CONTROL_CLIENT_REFUSED);
	told(&(struct control_client_change) { .state = true });
	take(0);
	cr_expect_eq(control_client_answer(&a), CONTROL_CLIENT_DONE);
	h->modes |= FORMAT_MODE_MEMORY;		/* mappings, say */
	told(&(struct control_client_change) { .what = true,
	    .modes = FORMAT_MODE_MEMORY });
	cr_expect_eq(h->ask_modes, FORMAT_MODE_MEMORY);
	take(0);
	cr_expect_eq(control_client_answer(&a), CONTROL_CLIENT_DONE);
	control_client_close(&a);
}

/* It will refuse all that changes anything, and so it is not asked. */
Test(control_client, knows_who_is_behind_a_filter)
{
	struct format_header *h = opened();

	h->frozen = 1;
	told(&(struct control_client_change) { .state = true, .stop = true });
	cr_expect_eq(h->asked, 0);
	cr_expect(control_client_answered(&a));
	cr_expect_eq(control_client_answer(&a), CONTROL_CLIENT_REFUSED);
	cr_expect_eq(control_client_refusal(&a), EPERM);
	told(&(struct control_client_change) { .state = true });
	cr_expect_eq(h->asked, 2, "as it is");
	take(0);
	cr_expect_eq(control_client_answer(&a), CONTROL_CLIENT_DONE);
	control_client_close(&a);
}

/* Requests that wait count, those of others too: none of theirs is lost. */
Test(control_client, asks_for_the_rest_as_it_waits)
{
	struct format_header *h = opened();

	told(&(struct control_client_change) { .state = true, .stop = true });
	told(&(struct control_client_change) { .rate = true, .interval_ns =
	    MS });
	cr_expect_eq(h->asked, 4);
	cr_expect_eq(h->ask_stop, 1);
	cr_expect_eq(h->ask_interval_ns, MS);
	told(&(struct control_client_change) { .first_rate = true });
	cr_expect_eq(h->ask_interval_ns, 7 * MS);
	control_client_close(&a);
}

/* Who was killed while he wrote left it odd. */
Test(control_client, goes_on_from_an_odd_number)
{
	struct format_header *h = opened();

	h->asked = 5;
	h->answered = 4;
	h->ask_stop = 1;
	h->ask_modes = FORMAT_MODE_TIME;
	told(&(struct control_client_change) { .rate = true, .interval_ns =
	    MS });
	cr_expect_eq(h->asked, 6);
	cr_expect_eq(h->ask_stop, 1);
	control_client_close(&a);
}

/* A refusal of another client's request is not reported to us. */
Test(control_client, tells_whose_refusal_it_is)
{
	opened();
	told(&(struct control_client_change) { .state = true });
	take(EINVAL);
	cr_expect_eq(control_client_answer(&a), CONTROL_CLIENT_DONE);
	take(EOPNOTSUPP);
	cr_expect_eq(control_client_answer(&a), CONTROL_CLIENT_DONE);
	take(EPERM);
	cr_expect_eq(control_client_answer(&a), CONTROL_CLIENT_REFUSED);
	told(&(struct control_client_change) { .rate = true, .interval_ns =
	    MS });
	take(EINVAL);
	cr_expect_eq(control_client_answer(&a), CONTROL_CLIENT_REFUSED);
	control_client_close(&a);
}

static void
refused(int error, const char *what)
{
	memset(&f, 0, sizeof f);
	cr_expect_eq(control_client_open(&a, saved(), &f), error, "%s", what);
	cr_expect_not_null(f.what);
	cr_expect(f.what != NULL && strstr(f.what, what) != NULL, "%s: %s",
	    what, f.what);
}

Test(control_client, refuses_who_is_not_there)
{
	struct format_header *h = build_header(&b);

	h->start_ticks++;
	refused(-ESRCH, "is gone");
	h->start_ticks--;
	h->end = FORMAT_END_DUMP;
	refused(-ESRCH, "is a copy");
	h->end = FORMAT_END_NONE;
	h->pid_namespace++;
	refused(-EINVAL, "runs elsewhere");
	h->pid_namespace--;
	h->boot_id[0] ^= 1;
	refused(-EINVAL, "runs elsewhere");
	h->boot_id[0] ^= 1;
	build_seal(&b, FORMAT_END_EXEC, -1);
	refused(-ESRCH, "gone on to another program");
}

/* Its owner's all the same. */
Test(control_client, follows_a_link)
{
	const char *link = compile_path("link");

	cr_assert_eq(symlink(saved(), link), 0);
	cr_expect_eq(control_client_open(&a, link, &f), 0, "%s", f.what);
	control_client_close(&a);
}

/* One controller at a time; who never lets go is not waited for. */
Test(control_client, waits_for_the_lock_and_not_for_ever, .timeout = 30)
{
	const char *path = saved();
	int fd = open(path, O_RDWR);
	struct control_client_change c = { .state = true, .stop = true };

	cr_assert_eq(control_client_open(&a, path, &f), 0);
	cr_assert_eq(flock(fd, LOCK_EX), 0);
	cr_expect_lt(control_client_send(&a, &c, &f), 0);
	cr_expect_str_eq(f.what, "is locked by another program");
	cr_expect_eq(a.header->asked, 0);
	close(fd);
	cr_expect_eq(control_client_send(&a, &c, &f), 0);
	control_client_close(&a);
}

/* It ends neither us nor others that are asked beside it. */
Test(control_client, lives_with_a_file_that_was_cut)
{
	const char *path = saved();

	cr_assert_eq(control_client_open(&a, path, &f), 0);
	told(&(struct control_client_change) { .state = true, .stop = true });
	cr_assert_eq(truncate(path, 0), 0);
	cr_expect_eq(((volatile struct format_header *)a.header)->state,
	    FORMAT_INCOMPLETE);
	cr_expect_eq(control_client_answer(&a), CONTROL_CLIENT_GONE);
	control_client_close(&a);
}

/* A child that does what it is told to. */
static pid_t
child(void (*does)(void))
{
	pid_t pid = fork();

	if (pid == 0) {
		does();
		_exit(0);
	}
	build_header(&b)->pid = pid;
	build_header(&b)->start_ticks = began(pid);
	opened();
	told(&(struct control_client_change) { .state = true, .stop = true });
	return pid;
}

static void
sleeps(void)
{
	pause();
}

static void
spins(void)
{
	for (;;)
		__asm__ volatile ("");
}

static void
ended(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static bool
asleep_within(unsigned looks)
{
	for (unsigned i = 0; i < looks; i++) {
		if (control_client_is_asleep(&a))
			return true;
		usleep(10000);
	}
	return false;
}

Test(control_client, tells_who_sleeps, .timeout = 30)
{
	pid_t pid = child(sleeps);

	cr_expect(asleep_within(1000));
	cr_expect_eq(control_client_answer(&a), CONTROL_CLIENT_ARMED);
	control_client_close(&a);
	ended(pid);
}

Test(control_client, tells_who_runs, .timeout = 30)
{
	pid_t pid = child(spins);

	cr_expect_not(asleep_within(20));
	while (control_client_answer(&a) == CONTROL_CLIENT_ARMED)
		usleep(1000);
	cr_expect_eq(control_client_answer(&a), CONTROL_CLIENT_SILENT);
	ended(pid);
	cr_expect_eq(control_client_answer(&a), CONTROL_CLIENT_GONE);
	control_client_close(&a);
}
