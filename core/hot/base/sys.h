/*
 * Context: S.  System calls as the kernel sees them: no errno, no libc.  Each
 * returns the kernel's answer, which is -errno on failure, unless its comment
 * says otherwise.  All of the target uses them; a caller makes none in a frozen
 * process.
 */
#ifndef SYS_H
#define SYS_H

#include "arch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#ifndef SYS_close_range
#define SYS_close_range	436	/* Linux 5.9 */
#endif

/*
 * Makes the system call SYS_nr with six arguments and returns the kernel's
 * answer, -errno on failure.
 */
#define SYS(nr, a, b, c, d, e, f) \
	arch_syscall6(SYS_##nr, (long)(a), (long)(b), (long)(c), (long)(d), \
	    (long)(e), (long)(f))

/*
 * The kernel's signal set: 64 bits, unlike libc's 1024.  SYS_SIGBIT() is the
 * bit of a signal.
 */
typedef uint64_t sys_sigset;	/* a name for an interface of the kernel */
#define SYS_SIGNALS	64
#define SYS_SIGBIT(sig)	((uint64_t)1 << ((sig) - 1))

/* Returns whether a kernel's answer is -errno. */
static inline bool
sys_failed(long ret)
{
	return (unsigned long)ret > -4096UL;
}

/*
 * Opens a path, relative to the current directory, with O_CLOEXEC added.
 * Returns a descriptor or -errno.
 */
static inline int
sys_open(const char *path, int flags, int mode)
{
	return (int)SYS(openat, AT_FDCWD, path, flags | O_CLOEXEC, mode, 0, 0);
}

/*
 * sys_close(), sys_read(), sys_pread() and sys_write() are close(2), read(2),
 * pread(2) and write(2).  The last three return the number of bytes or -errno.
 */
static inline int
sys_close(int fd)
{
	return (int)SYS(close, fd, 0, 0, 0, 0, 0);
}

static inline long
sys_read(int fd, void *buf, size_t n)
{
	return SYS(read, fd, buf, n, 0, 0, 0);
}

static inline long
sys_pread(int fd, void *buf, size_t n, uint64_t off)
{
	return SYS(pread64, fd, buf, n, off, 0, 0);
}

static inline long
sys_write(int fd, const void *buf, size_t n)
{
	return SYS(write, fd, buf, n, 0, 0, 0);
}

/* Maps as mmap(2) does.  Returns the address, or NULL if the kernel refuses. */
static inline void *
sys_mmap(void *addr, size_t n, int prot, int flags, int fd, uint64_t off)
{
	long ret = SYS(mmap, addr, n, prot, flags, fd, off);

	return sys_failed(ret) ? NULL : (void *)ret;
}

/*
 * Replaces the mapping at `at` by n bytes of private, anonymous memory, whose
 * pages count only once they are touched.  Returns the address or NULL.  For
 * new memory use mmap_area.h.
 */
static inline void *
sys_memory_at(void *at, size_t n)
{
	return sys_mmap(at, n, PROT_READ | PROT_WRITE, MAP_PRIVATE |
	    MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

/*
 * sys_munmap(), sys_madvise(), sys_getpid() and sys_gettid() are munmap(2),
 * madvise(2), getpid(2) and gettid(2).
 */
static inline int
sys_munmap(void *addr, size_t n)
{
	return (int)SYS(munmap, addr, n, 0, 0, 0, 0);
}

static inline int
sys_madvise(void *addr, size_t n, int advice)
{
	return (int)SYS(madvise, addr, n, advice, 0, 0, 0);
}

static inline int
sys_getpid(void)
{
	return (int)SYS(getpid, 0, 0, 0, 0, 0, 0);
}

static inline int
sys_gettid(void)
{
	return (int)SYS(gettid, 0, 0, 0, 0, 0, 0);
}

/*
 * Returns the time of a clock of clock_gettime(2) in ns, or 0 if the clock
 * cannot be read.
 */
static inline uint64_t
sys_clock(int clock)
{
	struct timespec t;

	if (SYS(clock_gettime, clock, &t, 0, 0, 0, 0) != 0)
		return 0;
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/*
 * Changes the signal mask of the calling thread as rt_sigprocmask(2).  set and
 * old may be NULL.
 */
static inline int
sys_sigprocmask(int how, const sys_sigset *set, sys_sigset *old)
{
	return (int)SYS(rt_sigprocmask, how, set, old, 8, 0, 0);
}

/*
 * Sends a signal to the thread tid of process pid; sig 0 only checks that the
 * thread exists.
 */
static inline int
sys_tgkill(int pid, int tid, int sig)
{
	return (int)SYS(tgkill, pid, tid, sig, 0, 0, 0);
}

/* The kernel's struct sigaction; libc's has another layout. */
struct sys_sigaction {
	void *handler;
	unsigned long flags;
	void *restorer;
	sys_sigset mask;
};

/*
 * Sets and reads the action for a signal as rt_sigaction(2).  act and old may
 * be NULL.
 */
static inline int
sys_sigaction(int sig, const struct sys_sigaction *act,
    struct sys_sigaction *old)
{
	return (int)SYS(rt_sigaction, sig, act, old, 8, 0, 0);
}

/* Returns ns nanoseconds as a struct timespec. */
static inline struct timespec
sys_timespec_of_ns(uint64_t ns)
{
	return (struct timespec){(time_t)(ns / 1000000000u),
	    (long)(ns % 1000000000u)};
}

#endif
