/* Context: load.  Run a program in which chosen system calls fail, or kill it:
 * deny CALL=ERRNO|KILL ... -- program arguments.  With errors, every way back
 * that libmon has can be walked on any kernel. */
#include "load.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

struct name {
	const char *name;
	int number;
};

static const struct name calls[] = {
	{ "perf_event_open", SYS_perf_event_open },
	{ "clone", SYS_clone },
#ifdef SYS_mkdir
	{ "mkdir", SYS_mkdir },
#else
	{ "mkdir", SYS_mkdirat },
#endif
	{ "timer_create", SYS_timer_create },
	{ "timer_settime", SYS_timer_settime },
	{ "setitimer", SYS_setitimer },
	{ "madvise", SYS_madvise },
	{ "process_vm_readv", SYS_process_vm_readv },
	{ "ioctl", SYS_ioctl },
	{ "openat", SYS_openat },
	{ "ftruncate", SYS_ftruncate },
	{ "fallocate", SYS_fallocate },
	{ "statfs", SYS_statfs },
	{ "fstatfs", SYS_fstatfs },
	{ "getcwd", SYS_getcwd },
	{ "uname", SYS_uname },
	{ "sigaltstack", SYS_sigaltstack },
	{ "fcntl", SYS_fcntl },
	{ "prlimit64", SYS_prlimit64 },
	{ "getrusage", SYS_getrusage },
	{ "clock_getres", SYS_clock_getres },
};

static const struct name errors[] = {
	{ "EPERM", EPERM }, { "EACCES", EACCES }, { "ENOSYS", ENOSYS },
	{ "EMFILE", EMFILE }, { "ENFILE", ENFILE }, { "EAGAIN", EAGAIN },
	{ "EINVAL", EINVAL }, { "ENOMEM", ENOMEM }, { "ENOSPC", ENOSPC },
	{ "EDQUOT", EDQUOT }, { "EIO", EIO }, { "ENOTTY", ENOTTY },
	{ "EFAULT", EFAULT }, { "EOPNOTSUPP", EOPNOTSUPP }, { "EROFS", EROFS },
	{ "E2BIG", E2BIG }, { "ENOENT", ENOENT }, { "EBUSY", EBUSY },
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static int
number(const struct name *table, size_t count, const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (strncmp(table[i].name, name, length) == 0 &&
		    table[i].name[length] == '\0')
			return table[i].number;
	fprintf(stderr, "deny: %s: unknown name\n", name);
	exit(2);
}

static unsigned
answer(const char *name)
{
	return strcmp(name, "KILL") == 0 ? SECCOMP_RET_KILL_PROCESS :
	    SECCOMP_RET_ERRNO | (unsigned)number(errors, COUNT(errors), name,
	    strlen(name));
}

int
main(int argc, char **argv)
{
	static struct sock_filter code[2 + 2 * COUNT(calls) + 1];
	struct sock_fprog program = { 0, code };
	const char *equals;
	unsigned short n = 0;
	int i;

	code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
	    offsetof(struct seccomp_data, nr));
	for (i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		equals = strchr(argv[i], '=');
		if (equals == NULL || n + 3 > (int)COUNT(code))
			return 2;
		code[n++] = (struct sock_filter)BPF_JUMP(
		    BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number(calls,
		    COUNT(calls), argv[i], (size_t)(equals - argv[i])), 0, 1);
		code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
		    answer(equals + 1));
	}
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
	    SECCOMP_RET_ALLOW);
	program.len = n;
	if (i + 1 >= argc)
		return 2;
	LOAD_TRY(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	LOAD_TRY(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
	execvp(argv[i + 1], argv + i + 1);
	load_die(argv[i + 1]);
}
