/*
 * Context: O.  Runs the command that is sampled or counted: starts it, passes
 * signals on, and waits for its end.  For tprof count, both backends of tprof
 * monitor, and prof record, whose signals it takes over; the main thread calls
 * it before there are other threads.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include "fault.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* Exit statuses of the shell for a program that could not be run. */
#define COMMAND_NOT_FOUND	127
#define COMMAND_NOT_RUN		126

/* A command that runs. */
struct command {
	/*
	 * Set before command_start(): the command's standard output goes to
	 * standard error, so that tprof alone writes to standard output.
	 */
	bool apart;
	/* -1 before the fork */
	pid_t pid;
	/* pipe to the child: a byte lets it exec, a close makes it exit; -1 */
	int go;
	/* pipe from the child: the errno of a failed exec; -1 */
	int failed;
	int news;	/* eventfd(2), readable when command_look() has news */
	sigset_t before;	/* signal mask that the command gets */
	void (*chld)(int);	/* action on SIGCHLD that the command gets */

	/* Written by the thread that takes the signals. */
	pthread_t hearer;
	bool heard;		/* that thread exists */
	/* the command has ended */
	bool ended;
	int status;		/* as from waitpid(2), once it has ended */
	bool wanted;		/* SIGUSR1 came: show the counts so far */
};

/*
 * Forks a child that waits for command_go().  From here on SIGINT and SIGQUIT,
 * which the terminal sends to both processes, do nothing to the tool, and a
 * thread passes SIGTERM and SIGHUP on to the command, whatever the tool waits
 * for.  Once the command has ended, signals act on the tool again: it may have
 * more output than its reader wants.  argv, env: as in execvpe(3); env NULL:
 * the environment of the tool.  Returns 0, or -errno with *f set.  The caller
 * calls command_close() if c->pid is positive; otherwise nothing is open.
 */
int command_start(struct command *c, char **argv, char **env,
    struct fault *f);

/*
 * Lets the child execute the program, and waits until it has.  name: its name,
 * which *f borrows.  Returns 0, or COMMAND_NOT_* with *f set; the child then
 * ends.
 */
int command_go(struct command *c, const char *name, struct fault *f);

/*
 * Returns whether the command has ended, and clears the news.  Any thread may
 * call this function when `news` can be read; this is the `watch` of a sampler.
 */
bool command_look(void *command);

/* Returns whether SIGUSR1 has asked for the counts since the last call. */
bool command_wanted(struct command *c);

/* Waits until the command has ended.  No other thread may read `news`. */
void command_wait(struct command *c);

/*
 * Returns the exit status of the command, which has ended; 128 + N if signal N
 * ended it.
 */
int command_exit_status(const struct command *c);

/* Waits for the command and closes everything.  Signals stay blocked. */
void command_close(struct command *c);

#endif
