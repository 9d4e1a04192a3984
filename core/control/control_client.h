/*
 * Context: O.  Sends an order to one running process through the control words
 * in its profile, and reads its answer.  Used by control sessions, for each of
 * their targets; the prof device only opens and closes.  A client belongs to
 * one thread; several tools may send at once.  See doc/design/live-control.md.
 */
#ifndef CONTROL_CLIENT_H
#define CONTROL_CLIENT_H

#include "fault.h"
#include "format.h"
#include "kick.h"

#include <stdbool.h>

/* One running process, controlled through its profile. */
struct control_client {
	/* descriptor of the profile, open for writing */
	int fd;
	/* page of the profile, shared with the process */
	struct format_header *header;
	/* events that interrupt its threads; see kick.h */
	struct kick kick;
	uint32_t number;	/* of the order in the header */
	bool rate, what;	/* whether the order set an interval or modes */
	/*
	 * errno with which the process will refuse the order, as its header
	 * says; 0: not known
	 */
	int refusal;
	uint64_t asked_mono;	/* time of the order, CLOCK_MONOTONIC, ns */
	/* user CPU time of the process at the order, ns */
	uint64_t user_ns;
	/* CPU time of the process when it was last read, ns */
	uint64_t looked_ns;
};

/* How a process answered an order. */
enum control_client_answer {
	CONTROL_CLIENT_DONE,	/* it took the order */
	/* it has not run since: the order waits for it */
	CONTROL_CLIENT_ARMED,
	/* it refused our order; control_client_refusal() says why */
	CONTROL_CLIENT_REFUSED,
	/* it ran in user mode and did not answer */
	CONTROL_CLIENT_SILENT,
	/* it ended, or executes another program */
	CONTROL_CLIENT_GONE,
};

/*
 * Opens the profile `path`, or the one it points to, and maps its header.
 * Returns 0; LOAD_OTHER if the file is no profile; -ESRCH if the process has
 * ended or the file is a dump of a profile (a copy by cp(1) is not recognized);
 * or another -errno, also if the caller may not control the process.  Sets *f
 * unless it returns 0; nothing is open then.  Call control_client_close() after
 * a success.
 */
int control_client_open(struct control_client *a, const char *path,
    struct fault *f);

/* Ends the kick and closes the profile.  May be called twice. */
void control_client_close(struct control_client *a);

/* An order: the settings that are to change.  Others stay as they are. */
struct control_client_change {
	/* `stop` is set */
	bool state;
	bool stop;		/* count nothing (true), or resume */
	/* `interval_ns` is set */
	bool rate;
	uint64_t interval_ns;	/* CPU time between samples; 0: automatic */
	/* return to the interval that held at the process's start instead */
	bool first_rate;
	/* return to the modes that held at the process's start instead */
	bool first_modes;
	bool forget;		/* forget the blocks that are live */
	/* `modes` is set */
	bool what;
	uint32_t modes;		/* FORMAT_MODE_* */
	uint32_t more;	/* FORMAT_MODE_* to add to those that are counted */
	/* modules to watch, see FORMAT_WATCH; NULL: no change */
	const char *watch;
};

/*
 * Writes the order *c into the control words of the profile, under the file
 * lock.  Returns 0, or -errno with *f set.  The process takes the order later:
 * see control_client_answered().
 */
int control_client_send(struct control_client *a,
    const struct control_client_change *c, struct fault *f);

/*
 * Returns whether the process has answered our order, or a later one of another
 * tool.  This and the functions below are for after control_client_send().
 */
bool control_client_answered(const struct control_client *a);

/*
 * Makes the threads of the process look at the order as soon as they run.
 * Returns how many threads will: see kick.h.  The kick lasts until
 * control_client_close().
 */
unsigned control_client_kick(struct control_client *a);

/*
 * Returns whether the process sleeps and has used no CPU time since the last
 * call of this function, or since the order before the first call.  Such a
 * process takes the order when it wakes, so its answer is CONTROL_CLIENT_ARMED.
 */
bool control_client_is_asleep(struct control_client *a);

/* Returns the errno with which the process refuses our order, or 0. */
int control_client_refusal(const struct control_client *a);

/* Returns what is known of the answer at this moment. */
enum control_client_answer control_client_answer(
    const struct control_client *a);

#endif
