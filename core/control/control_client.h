/* Context: O.  Asking a running process; doc/internals.md, section 19. */
#ifndef CONTROL_CLIENT_H
#define CONTROL_CLIENT_H

#include "fault.h"
#include "format.h"
#include "kick.h"

#include <stdbool.h>

/* One process, by its profile. */
struct control_client {
	int fd;
	struct format_header *header;	/* shared with the process */
	struct kick kick;
	uint32_t number;	/* of what we asked ... */
	bool rate, what;	/* ... and whether these are of it */
	uint64_t asked_mono;	/* when, ns */
	uint64_t user_ns;	/* CPU time of the process in user mode then */
	uint64_t looked_ns;	/* all of it when it was looked at last */
};

enum control_client_answer {
	CONTROL_CLIENT_DONE,	/* it took it */
	CONTROL_CLIENT_ARMED,	/* it has not run since: what is asked waits */
	/* header->answer says why: what we asked, not others */
	CONTROL_CLIENT_REFUSED,
	CONTROL_CLIENT_SILENT,	/* it ran in user mode, and did not look */
	CONTROL_CLIENT_GONE,	/* it has ended, or executes another program */
};

/*
 * 0, LOAD_OTHER or -errno, and *f: no profile of a process that lives and that
 * we may control.  -ESRCH: it has ended.
 */
int control_client_open(struct control_client *a, const char *path,
    struct fault *f);
void control_client_close(struct control_client *a);

/* What is to be other than it is. */
struct control_client_change {
	bool state;
	bool stop;		/* count nothing, or count on */
	bool rate;
	uint64_t interval_ns;	/* of CPU time; 0 automatic */
	bool first_rate;	/* or the one that held at first */
	bool first_modes;	/* or the modes that held at first, not
				   `modes` */
	bool forget;		/* forget the blocks that are live */
	bool what;
	uint32_t modes;		/* FORMAT_MODE_* */
	uint32_t more;		/* the same, beside what is counted */
	const char *watch;	/* as FORMAT_WATCH says; NULL as it is */
};

/*
 * 0 or -errno, and *f. Takes effect in its own time: control_client_answered().
 */
int control_client_send(struct control_client *a,
    const struct control_client_change *c, struct fault *f);

/* That, or what somebody asked after us. */
bool control_client_answered(const struct control_client *a);

/* Has its threads look as soon as they run.  How many will. */
unsigned control_client_kick(struct control_client *a);

/*
 * Is it asleep, and has not run since this was asked last, or since it was
 * told? Then it takes what it was told when it wakes: armed.
 */
bool control_client_is_asleep(struct control_client *a);

enum control_client_answer control_client_answer(
    const struct control_client *a);

#endif
