/* Context: load.  Declarations that the parts of same.c share. */
#ifndef SAME_H
#define SAME_H

#include "load.h"

#include <signal.h>
#include <sys/types.h>

struct same_call {
	const char *name;
	long (*call)(void);	/* errno is 77 before; both are printed */
};

extern const struct same_call same_signal[], same_wait[];
extern const struct same_call same_process[], same_thread[], same_gmon[];
extern const struct same_call same_apart[];

/* Handlers that a state can name. */
void same_first(int);
void same_second(int);
extern volatile int same_handled;

/* The wait status, or below zero. */
long same_waited(pid_t pid);
/* Makes a set of up to two signals; 0 is none.  same_bits() returns the first
 * 64 bits of a set. */
sigset_t same_set(int a, int b);
uint64_t same_bits(const sigset_t *s);
/* SIG_BLOCK or SIG_UNBLOCK: SIGPROF and SIGUSR2, and SIGTTIN ignored. */
void same_block(int how);

struct same_state;
struct same_state *same_take(void);
/* Print what differs, or everything when before is NULL. */
void same_print(const struct same_state *before, const struct same_state *now);

#endif
