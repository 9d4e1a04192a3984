/*
 * Context: O.  Tells by the name of a function of libc, or of Rust's library,
 * for what a thread sleeps in it.  sleep_cause.c asks for the table of reasons
 * and the page, lock_finding.c for its finding.
 */
#ifndef SLEEP_REASON_H
#define SLEEP_REASON_H

/*
 * For what a thread sleeps.  SLEEP_FUTEX: for another thread, in a function
 * that serves several reasons; SLEEP_OTHER: no name tells it.
 */
enum sleep_reason {
	SLEEP_OTHER = 0,
	SLEEP_FUTEX,
	SLEEP_LOCK,
	SLEEP_CONDITION,
	SLEEP_SEMAPHORE,
	SLEEP_BARRIER,
	SLEEP_JOIN,
	SLEEP_CHILD,
	SLEEP_TIMER,
	SLEEP_SIGNAL,
	SLEEP_POLL,
	SLEEP_READ,
	SLEEP_WRITE,
	SLEEP_SYNC,
	SLEEP_ACCEPT,
	SLEEP_CONNECT,
	SLEEP_REASONS,		/* their number */
};

/*
 * Returns the reason by the name of a function of libc as its symbol table has
 * it, with or without underscores in front and a version or a compiler's mark
 * behind; or by the name of a function of Rust's library, mangled or not.
 * Returns SLEEP_OTHER for any other name.  Does not ask in which module the
 * function is.
 */
enum sleep_reason sleep_reason_of(const char *name);

/*
 * Returns the word for a reason, less than SLEEP_REASONS, as reports show it.
 */
const char *sleep_reason_word(enum sleep_reason reason);

#endif
