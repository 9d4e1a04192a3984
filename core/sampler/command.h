/* Context: O.  The program that is run to be sampled. */
#ifndef COMMAND_H
#define COMMAND_H

#include "fault.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* As the shell tells that a program could not be run. */
#define COMMAND_NOT_FOUND	127
#define COMMAND_NOT_RUN		126

struct command {
	bool apart;		/* set before command_start(): only we write
				   to our standard output; what the program
				   writes to its own goes to standard error */
	pid_t pid;
	int go;			/* a byte: it may exec; closed without one:
				   it ends; -1 */
	int failed;		/* an errno, if it could not; -1 */
	int news;		/* eventfd(2): command_look() has some */
	sigset_t before;	/* the mask that it gets ... */
	void (*chld)(int);	/* ... and what it does about SIGCHLD */

	/* Of the thread that takes the signals. */
	pthread_t hearer;
	bool heard;		/* there is one */
	bool ended;
	int status;		/* as waitpid(2) has it; when it has ended */
	bool wanted;		/* SIGUSR1 came: show what there is */
};

/*
 * Fork; it waits for command_go().  From here on SIGINT and SIGQUIT, which go
 * to both, do nothing to us, and SIGTERM and SIGHUP are passed on, whatever we
 * wait for.  Once it has ended they are ours again: what it left may be more
 * than who reads our output wants.  env NULL: ours.  0 or -errno with *f set.
 */
int command_start(struct command *c, char **argv, char **env,
    struct fault *f);

/* Exec.  0, or COMMAND_NOT_* with *f set. */
int command_go(struct command *c, const char *name, struct fault *f);

/* True: it has ended.  Of any thread, where `news` can be read. */
bool command_look(void *command);

/* Was it asked, since the last time, to show what there is? */
bool command_wanted(struct command *c);

/* Until it has. */
void command_wait(struct command *c);

/* 128 + N of one that signal N ended. */
int command_exit_status(const struct command *c);
void command_close(struct command *c);

#endif
