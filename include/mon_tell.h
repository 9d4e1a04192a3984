/*
 * mon_tell.h - telling processes under libmon.so to count, or not
 *
 * Of libmontell, linked with -lmontell; mon_tell(3) is the manual.  What
 * prof --control does, for programs.
 */
#ifndef MON_TELL_H
#define MON_TELL_H

#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

enum mon_tell_answer {
	MON_TELL_DONE,		/* it does what it was told, or was only asked */
	MON_TELL_ARMED,		/* it sleeps: it does so before it counts on */
	MON_TELL_REFUSED,	/* it cannot: `problem` says why */
	MON_TELL_SILENT,	/* it ran, and did not answer */
	MON_TELL_GONE,		/* it has ended */
	MON_TELL_TO_COME,	/* no process: what stands for who comes later */
	MON_TELL_FAULT		/* no process could be told, see `problem` */
};

/* A process, and what it said.  Valid until the function returns. */
struct mon_tell {
	uint32_t bytes;		/* of this: later versions have more behind */
	enum mon_tell_answer answer;
	pid_t pid;		/* 0 where there is none */
	int stopped;		/* 1: it counts nothing now; -1 as started */
	const char *file;	/* its profile, or the directory */
	const char *problem;	/* NULL none; one line, no newline */
	const char *watch;	/* modules that are told apart; "" all */
	uint64_t answer_ns;	/* from being told to having done it */
	uint64_t interval_ns;	/* of CPU time between observations; 0 automatic */
	uint64_t ticks;		/* observations so far */
	uint64_t cpu_ns;	/* CPU time of the program so far ... */
	uint64_t stopped_ns;	/* ... and how much of that it was stopped */
};

/*
 * Tell the process of that number, all of a profile directory, or that of a
 * profile, one of the commands of prof --control; value is NULL where it takes
 * none.  Each is told of by a call of report(arg, ...), NULL for none.
 *
 * How many do what they were told, or will; those to come count as one.  -1,
 * and errno: EINVAL no such command or value, ESRCH nobody was told, ENOMEM,
 * else of the system.  At most some 0.1 s, and a second more where another
 * program holds a lock.  Any thread, no signal handler; SIGBUS is handled
 * meanwhile, and goes on to the program's own action where it is not about a
 * profile.
 */
int mon_tell(const char *who, const char *command, const char *value,
    void (*report)(void *arg, const struct mon_tell *t), void *arg);

#ifdef __cplusplus
}
#endif

#endif
