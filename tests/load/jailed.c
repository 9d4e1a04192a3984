/*
 * Context: load.  jailed HOW BEFORE AFTER [CHILD]: a daemon uses BEFORE seconds
 * of CPU time, gives up its access to files, and uses AFTER seconds; then a
 * child uses CHILD seconds.
 */
#include "load.h"

#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define NOBODY 65534

static void
go_to_jail(void)
{
	LOAD_TRY(mkdir("jail", 0755));
}

static void
do_chroot(void)
{
	go_to_jail();
	LOAD_TRY(chroot("jail"));
	LOAD_TRY(chdir("/"));
}

static void
raw_chroot(void)
{
	go_to_jail();
	LOAD_TRY(syscall(SYS_chroot, "jail"));
	LOAD_TRY(chdir("/"));
}

static void
do_setuid(void)
{
	LOAD_TRY(setuid(NOBODY));
}

static void
do_setresuid(void)
{
	LOAD_TRY(setresuid(NOBODY, NOBODY, NOBODY));
}

static void
raw_setreuid(void)
{
	LOAD_TRY(syscall(SYS_setreuid, NOBODY, NOBODY));
}

static void
do_setgid(void)
{
	LOAD_TRY(setgid(NOBODY));
}

/* Any system call by its number: the first one is hooked as no later one is. */
static void
call_by_number(void)
{
	LOAD_TRY(syscall(SYS_gettid));
}

static void
raw_setresgid(void)
{
	call_by_number();
	LOAD_TRY(syscall(SYS_setresgid, NOBODY, NOBODY, NOBODY));
}

static void
raw_setgroups(void)
{
	call_by_number();
	LOAD_TRY(syscall(SYS_setgroups, 0, NULL));
}

static void
do_setgroups(void)
{
	LOAD_TRY(setgroups(0, NULL));
}

static void
do_initgroups(void)
{
	LOAD_TRY(initgroups("nobody", NOBODY));
}

/* So little that no file could be mapped any more. */
static void
no_space(void)
{
	struct rlimit r;
	FILE *f = fopen("/proc/self/statm", "r");
	unsigned long pages;

	if (f == NULL || fscanf(f, "%lu", &pages) != 1)
		exit(1);
	fclose(f);
	r.rlim_cur = r.rlim_max = pages * 4096 + 200 * 1024;
	LOAD_TRY(setrlimit(RLIMIT_AS, &r));
}

static void
do_seteuid(void)
{
	LOAD_TRY(seteuid(NOBODY));
}

static void
do_both(void)
{
	do_chroot();
	do_setuid();
}

/*
 * Another user owns PROFDIR: root without its capabilities cannot write there.
 */
static void
drop_capabilities(void)
{
	struct __user_cap_header_struct h = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};

	LOAD_TRY(syscall(SYS_capset, &h, none));
}

static void
do_landlock(void)
{
	struct { uint64_t files; } rules = {0x1fff};
	long fd = syscall(444, &rules, sizeof(rules), 0);

	if (fd < 0) {
		printf("no landlock\n");
		exit(0);
	}
	LOAD_TRY(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	LOAD_TRY(syscall(446, fd, 0));
	close((int)fd);
}

static void
do_unshare(void)
{
	LOAD_TRY(unshare(CLONE_NEWNS | CLONE_NEWUSER));
	do_chroot();
}

static void
no_files(void)
{
	const struct rlimit none = {0, 0};

	LOAD_TRY(setrlimit(RLIMIT_NOFILE, &none));
}

static void
no_bytes(void)
{
	const struct rlimit none = {0, 0};

	LOAD_TRY(prlimit(0, RLIMIT_FSIZE, &none, NULL));
}

static void
raw_no_files(void)
{
	const struct rlimit none = {0, 0};

	LOAD_TRY(syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, &none, NULL));
}

/*
 * Makes a child in namespaces of its own, as container tools do, in which a
 * mount hides the directory of the profiles.
 */
static void
clone_namespaces(void)
{
	char here[PATH_MAX];
	pid_t pid;

	LOAD_TRY(getcwd(here, sizeof(here)) == NULL ? -1 : 0);
	LOAD_TRY(pid = (pid_t)syscall(SYS_clone,
	    CLONE_NEWNS | CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
	if (pid == 0) {
		LOAD_TRY(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
		LOAD_TRY(mount("none", here, "tmpfs", 0, NULL));
		load_burn(0.05);
		_exit(0);
	}
	LOAD_TRY(waitpid(pid, NULL, 0));
}

/* A child that has no file executes a program in vain, and is killed. */
static void
execute_in_vain(void)
{
	pid_t pid;

	do_setuid();
	LOAD_TRY(pid = fork());
	if (pid == 0) {
		execl("/nowhere/true", "true", NULL);
		raise(SIGKILL);
	}
	LOAD_TRY(waitpid(pid, NULL, 0));
}

static void
do_nothing(void)
{
}

static const struct {
	const char *name;
	void (*leave)(void);
} ways[] = {
	{"chroot", do_chroot}, {"raw_chroot", raw_chroot},
	{"setuid", do_setuid}, {"setresuid", do_setresuid},
	{"raw_setreuid", raw_setreuid}, {"seteuid", do_seteuid},
	{"both", do_both}, {"capset", drop_capabilities},
	{"landlock", do_landlock}, {"unshare", do_unshare},
	{"nofile", no_files}, {"raw_nofile", raw_no_files},
	{"setgid", do_setgid}, {"raw_setresgid", raw_setresgid},
	{"setgroups", do_setgroups}, {"raw_setgroups", raw_setgroups},
	{"initgroups", do_initgroups},
	{"space", no_space},
	{"fsize", no_bytes}, {"clone", clone_namespaces},
	{"in_vain", execute_in_vain}, {"nothing", do_nothing},
};

int
main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	double before = load_number(argc, argv, 2, 0);
	double after = load_number(argc, argv, 3, 0);
	double child = load_number(argc, argv, 4, 0);
	unsigned i;
	pid_t pid;

	if (before > 0)
		load_burn(before);
	for (i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		if (strcmp(how, ways[i].name) == 0)
			ways[i].leave();
	if (after > 0)
		load_burn(after);
	if (child > 0) {
		LOAD_TRY(pid = fork());
		if (pid == 0) {
			load_burn(child);
			_exit(0);
		}
		LOAD_TRY(waitpid(pid, NULL, 0));
	}
	return 0;
}
