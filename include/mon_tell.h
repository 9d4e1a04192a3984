/*
 * mon_tell.h - telling processes under libmon.so to count, or not
 *
 * Declares libmontell, linked with -lmontell; mon_tell(3) is the manual.  It
 * does for programs what prof --control does on the command line.
 */
#ifndef MON_TELL_H
#define MON_TELL_H

#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The answer of a process, or why there is none. */
enum mon_tell_answer {
	/* The process does what it was told, or was only asked. */
	MON_TELL_DONE,
	/* The process sleeps: it does what it was told before it counts on. */
	MON_TELL_ARMED,
	/* The process cannot do it: `problem` says why. */
	MON_TELL_REFUSED,
	/* The process ran, and did not answer. */
	MON_TELL_SILENT,
	/* The process has ended. */
	MON_TELL_GONE,
	/* Not a process: the settings of processes that begin later. */
	MON_TELL_TO_COME,
	/* No process could be told: see `problem`. */
	MON_TELL_FAULT
};

/* A process and its answer.  Valid until the report function returns. */
struct mon_tell {
	/* size of this; later versions add members at the end */
	uint32_t bytes;
	enum mon_tell_answer answer;
	pid_t pid;		/* 0 where there is no process */
	/*
	 * 1: the process counts nothing now; 0: it counts; -1: processes that
	 * begin later do as their options say
	 */
	int stopped;
	const char *file;	/* its profile, or the directory */
	const char *problem;	/* one line, no newline; NULL: none */
	const char *watch;	/* modules that are told apart; "": all */
	uint64_t answer_ns;	/* from being told to having done it, ns */
	/* CPU time between samples, ns; 0: automatic */
	uint64_t interval_ns;
	uint64_t ticks;		/* ticks of the profiling clocks so far */
	uint64_t cpu_ns;	/* CPU time of its program so far, ns */
	uint64_t stopped_ns;	/* the part of cpu_ns in which it was stopped */
};

/*
 * Tells processes a command of prof --control.  who: a process by its number in
 * decimal, a profile, which stands for its process, or a directory of profiles,
 * which stands for all processes in it and those to come.  value: the value of
 * the command, NULL if it takes none.  Calls report(arg, ...), unless report is
 * NULL, for each process and for the settings of those to come.
 *
 * Returns how many processes do what they were told, or will; those to come
 * count as one.  Returns -1, with errno set, if there is none: EINVAL means
 * that there is no such command or value, ESRCH that no process does what it
 * was told, ENOMEM that there is no memory.  Returns within some 0.1 s, or a
 * second later if another program holds a lock.  May be called in any thread,
 * but not in a signal handler.  Handles SIGBUS meanwhile; a SIGBUS that is not
 * about a profile goes to the program's own action.
 */
int mon_tell(const char *who, const char *command, const char *value,
    void (*report)(void *arg, const struct mon_tell *t), void *arg);

#ifdef __cplusplus
}
#endif

#endif
