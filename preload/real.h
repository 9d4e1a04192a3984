/*
 * Context: T.  Finds libc's own functions, for which the hooks stand.  Used by
 * the hooks, by the stub of syscall() in vfork_CPU.S, and before a fork by a
 * handler that the constructor registers.
 */
#ifndef REAL_H
#define REAL_H

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/profil.h>
#include <sys/select.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <wordexp.h>

struct dl_phdr_info;	/* of <link.h> */

/*
 * X(result, name, arguments): one row for each function that has a hook.
 *
 * EARLY functions are found together, by the first hook that is called: they
 * may be called from a signal handler, where dlsym must not be called
 * (signal-safety(7); and crash handlers do call them), but a process that has a
 * handler, or a second thread, has called a hook before.  A process that calls
 * none pays nothing: finding them takes a tenth of the time of /bin/true.  LATE
 * functions are found at the first call of each.
 */
#define REAL_EARLY(X) \
	X(int, sigaction, (int, const struct sigaction *, struct sigaction *)) \
	X(sighandler_t, signal, (int, sighandler_t)) \
	X(sighandler_t, sigset, (int, sighandler_t)) \
	X(int, sigsuspend, (const sigset_t *)) \
	X(int, sigwaitinfo, (const sigset_t *, siginfo_t *)) \
	X(int, sigtimedwait, (const sigset_t *, siginfo_t *, \
	    const struct timespec *)) \
	X(int, pselect, (int, fd_set *, fd_set *, fd_set *, \
	    const struct timespec *, const sigset_t *)) \
	X(int, kill, (pid_t, int)) \
	X(int, raise, (int)) \
	X(int, sigqueue, (pid_t, int, const union sigval)) \
	X(int, pthread_kill, (pthread_t, int)) \
	X(pid_t, _Fork, (void)) \
	X(int, execve, (const char *, char *const[], char *const[])) \
	X(int, execv, (const char *, char *const[])) \
	X(int, fexecve, (int, char *const[], char *const[])) \
	X(void, _exit, (int)) \
	X(int, fcntl, (int, int, ...)) \
	X(int, prctl, (int, ...)) \
	X(long, syscall, (long, ...))

#define REAL_LATE(X) \
	X(int, sigaltstack, (const stack_t *, stack_t *)) \
	X(int, ppoll, (struct pollfd *, nfds_t, const struct timespec *, \
	    const sigset_t *)) \
	X(int, epoll_pwait, (int, struct epoll_event *, int, int, \
	    const sigset_t *)) \
	X(int, setitimer, (__itimer_which_t, const struct itimerval *, \
	    struct itimerval *)) \
	X(int, pthread_attr_getstack, (const pthread_attr_t *, void **, \
	    size_t *)) \
	X(int, pthread_getattr_default_np, (pthread_attr_t *)) \
	X(int, pthread_attr_destroy, (pthread_attr_t *)) \
	X(int, pthread_create, (pthread_t *, const pthread_attr_t *, \
	    void *(*)(void *), void *)) \
	X(void, pthread_exit, (void *)) \
	X(int, execvp, (const char *, char *const[])) \
	X(int, execvpe, (const char *, char *const[], char *const[])) \
	X(int, posix_spawn, (pid_t *, const char *, \
	    const posix_spawn_file_actions_t *, const posix_spawnattr_t *, \
	    char *const[], char *const[])) \
	X(int, system, (const char *)) \
	X(int, dlclose, (void *)) \
	X(int, dl_iterate_phdr, (int (*)(struct dl_phdr_info *, size_t, \
	    void *), void *)) \
	X(sighandler_t, bsd_signal, (int, sighandler_t)) \
	X(sighandler_t, sysv_signal, (int, sighandler_t)) \
	X(int, sigignore, (int)) \
	X(int, siginterrupt, (int, int)) \
	X(int, signalfd, (int, const sigset_t *, int)) \
	X(int, epoll_pwait2, (int, struct epoll_event *, int, \
	    const struct timespec *, const sigset_t *)) \
	X(int, killpg, (pid_t, int)) \
	X(int, tgkill, (pid_t, pid_t, int)) \
	X(int, pthread_sigqueue, (pthread_t, int, const union sigval)) \
	X(int, getitimer, (__itimer_which_t, struct itimerval *)) \
	X(int, timer_create, (clockid_t, struct sigevent *, timer_t *)) \
	X(int, thrd_create, (thrd_t *, thrd_start_t, void *)) \
	X(void, thrd_exit, (int)) \
	X(int, clone, (int (*)(void *), void *, int, void *, ...)) \
	X(int, execveat, (int, const char *, char *const[], char *const[], \
	    int)) \
	X(int, posix_spawnp, (pid_t *, const char *, \
	    const posix_spawn_file_actions_t *, const posix_spawnattr_t *, \
	    char *const[], char *const[])) \
	X(int, setuid, (uid_t)) \
	X(int, seteuid, (uid_t)) \
	X(int, setreuid, (uid_t, uid_t)) \
	X(int, setresuid, (uid_t, uid_t, uid_t)) \
	X(int, setfsuid, (uid_t)) \
	X(int, setgid, (gid_t)) \
	X(int, setegid, (gid_t)) \
	X(int, setregid, (gid_t, gid_t)) \
	X(int, setresgid, (gid_t, gid_t, gid_t)) \
	X(int, setfsgid, (gid_t)) \
	X(int, setgroups, (size_t, const gid_t *)) \
	X(int, initgroups, (const char *, gid_t)) \
	X(int, unshare, (int)) \
	X(int, setns, (int, int)) \
	X(int, mlockall, (int)) \
	X(FILE *, popen, (const char *, const char *)) \
	X(int, wordexp, (const char *, wordexp_t *, int)) \
	X(void, quick_exit, (int)) \
	X(int, profil, (unsigned short *, size_t, size_t, unsigned)) \
	X(int, sprofil, (struct prof *, int, struct timeval *, unsigned)) \
	X(void, monstartup, (unsigned long, unsigned long)) \
	X(void, __monstartup, (unsigned long, unsigned long)) \
	X(void, moncontrol, (int)) \
	X(void, _mcleanup, (void))

/* Pointers to libc's functions; NULL: not found. */
struct real {
#define REAL_FIELD(result, name, arguments) result (*name) arguments;
	REAL_EARLY(REAL_FIELD)
	REAL_LATE(REAL_FIELD)
#undef REAL_FIELD
};

extern struct real real;

/*
 * Finds the EARLY functions and starts the library, at the first call.  Hooks
 * call it first: they run before any constructor of libmon if another library's
 * constructor calls them.  Where libc has no environment yet, the library is
 * left to its constructor.  Keeps errno.
 */
void real_begin(void);

/*
 * REAL(name) is libc's function, found at the first call; NULL if an older libc
 * lacks it.
 */
#define REAL(name) \
	(real_find_late((void **)(void *)&real.name, #name), real.name)

/* Fills *place with libc's function `name`, if it is NULL. */
void real_find_late(void **place, const char *name);

/* Finds the list of the objects that the program was started with, once. */
void real_find_objects(void);

/*
 * Returns the function of that name that follows libmon's in the search order,
 * or NULL.  Searches the objects that the program was started with, without a
 * lock, and then calls dlsym().
 */
void *real_find_next(const char *name);

/*
 * Searches the objects that the program was started with, as real_find_next()
 * does, but without dlsym(), while this library is not relocated: when the
 * loader runs the resolver of another library's IFUNC, which may call a
 * function of libmon.  Nothing here may need a relocation: no function of libc,
 * no errno, no pointer in initialized data.  Returns NULL also without /proc.
 */
void *real_find_unrelocated(const char *name)
    __attribute__((visibility("hidden")));

#endif
