/* Context: O.  The state of a profiled process, made without the preload. */
#include "target.h"

#include "signal/sigaction.h"
#include "store/store_create.h"
#include "thread/thread_slot.h"

#include <dirent.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void
need(bool there, const char *what)
{
	if (there)
		return;
	perror(what);
	abort();
}

static void
fill_config(void)
{
	config.place = CONFIG_PLACE_DIR;
	config.start = config.time = true;
	config.blocks = true;
	config.heap_size = 64u << 20;
	config.signal = SIGPROF;
	config.size = TARGET_CAP;
	mon->parent = getppid();
	config.tick_ns = 4000000;
	config.task_work = true;
	config.frame = 4096;
	config.page = 4096;
	strcpy(config.progname, "target");
	strcpy(config.directory, "/tmp/libmon-target-XXXXXX");
	need(mkdtemp(config.directory) != NULL, "mkdtemp");
}

void
target_init(void)
{
	mon = mmap(NULL, sizeof *mon, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	need(mon != MAP_FAILED, "mmap");
	fill_config();
	atomic_store(&mon->modules, &mon->table[0]);
	atomic_store(&mon->chunks, 1);
	atomic_store(&mon->running, true);
	mon->pid = getpid();
	sigaction_install();
}

void
target_fini(void)
{
	char command[PATH_MAX + 16];

	snprintf(command, sizeof command, "rm -rf '%s'", config.directory);
	need(system(command) == 0, command);
}

const char *
target_path(const char *name)
{
	static char path[8][PATH_MAX];
	static unsigned next;
	char *at = path[next++ % 8];

	need(snprintf(at, PATH_MAX, "%s/%s", config.directory, name) <
	    PATH_MAX, name);
	return at;
}

struct thread_slot *
target_slot(void)
{
	struct thread_slot *s = thread_slot_take();

	need(s != NULL, "thread_slot_take");
	s->tid = gettid();
	s->native = true;
	s->main = s->tid == mon->pid;
	thread_slot_self = s;
	atomic_store(&s->state, THREAD_SLOT_LIVE);
	atomic_fetch_add(&mon->live, 1);
	return s;
}

void
target_birth(void)
{
	bool there = store_create_try();

	errno = mon->store.error;
	need(there, "no file");
}

uint64_t
target_loss(enum loss loss)
{
	uint64_t n = atomic_load(&mon->early[loss]);

	if (atomic_load(&mon->store.state) == STORE_READY)
		n += ((struct format_header *)mon->store.base)->loss[loss];
	return n;
}

int
target_child(int (*fn)(void))
{
	int *answer = mmap(NULL, sizeof *answer, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status, ret;
	pid_t pid;

	need(answer != MAP_FAILED, "mmap");
	*answer = -1;
	pid = fork();
	need(pid >= 0, "fork");
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		*answer = fn();
		_exit(0);
	}
	need(waitpid(pid, &status, 0) == pid, "waitpid");
	ret = WIFSIGNALED(status) ? -WTERMSIG(status) : *answer;
	munmap(answer, sizeof *answer);
	return ret;
}

int
target_forbid(long nr, uint32_t third, int error)
{
	bool any = third == TARGET_ANY;
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		    offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)nr, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		    offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | (any ? BPF_JGE : BPF_JEQ) | BPF_K,
		    any ? 0 : third, 0, 1),
		BPF_STMT(BPF_RET | BPF_K,
		    SECCOMP_RET_ERRNO | ((uint32_t)error & SECCOMP_RET_DATA)),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {
		.len = sizeof filter / sizeof *filter, .filter = filter,
	};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		return errno;
	return 0;
}

unsigned
target_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	unsigned n = 0;

	need(d != NULL, "/proc/self/fd");
	while (readdir(d) != NULL)
		n++;
	closedir(d);
	return n;
}
