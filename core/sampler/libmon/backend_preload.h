/*
 * Context: O.  Samples a command without any privilege: libmon.so is loaded
 * into the command and the programs that it starts, and their profiles become a
 * tprof.out.  recording_preload.c of cmd/tprof calls this; prof record and prof
 * doctor only call libmon_find().
 */
#ifndef BACKEND_PRELOAD_H
#define BACKEND_PRELOAD_H

#include "libmon/preload_env.h"
#include "tprof_writer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BACKEND_PRELOAD_HZ_MAX	20000u	/* limit of libmon.so */

/*
 * 	libmon_find(library, sizeof(library), &f);
 * 	backend_preload_begin(&p, library, hz, &f);
 * 	(run the command with p.inject.env, and wait for it)
 * 	tprof_writer_begin(&put, out, head, real);
 * 	backend_preload_end(&p, &put, tell, arg);
 * 	tprof_writer_end(&put, status, now, &f); (close `out`)
 * 	backend_preload_close(&p, all of that went well, tell, arg);
 *
 * The profiles are files of a private directory, which is removed at the end.
 * A profile that could not be converted is never removed: then a fault says
 * where it is.
 *
 * Processes that still run when the command has ended (daemons) are counted up
 * to backend_preload_end(), which reads live files as they are.  From then on
 * such a process counts into a file without a name, which no tool reads and
 * which disappears with the process: its seal finds nothing at the path and
 * does nothing.  Processes that it starts later can make no file, and run
 * without one.  None of them prints a message.
 */
struct backend_preload {
	char *directory;
	struct preload_env inject;
	/* processes that ran when their profiles were read */
	uint64_t running;
	uint64_t known_ns;	/* CPU time of all processes with a profile */
	uint64_t unsampled_ns;	/* part of known_ns that no sample stands for */
	uint64_t barred;	/* programs that could create no profile */
	char **kept;		/* paths of files that were not converted */
	size_t kept_count, kept_room;
};

/* Reports a profile that cannot be read, or what is left behind. */
typedef void backend_preload_report(void *arg, const struct fault *f);

/*
 * Finds the libmon.so to preload: that of the build tree that the tool runs
 * from, else that of the prefix that the tool is installed in, else that of the
 * configured prefix.  Stores its path in `path`.  Returns 0, or -errno with *f
 * set, which may borrow `path`.
 */
int libmon_find(char *path, size_t bytes, struct fault *f);

/*
 * Finds a libmon.so by the first two rules for programs in `directory`, and
 * stores its path in `path`, `bytes` long.  Returns false if there is none, or
 * none for this processor, or if its path does not fit.
 */
bool libmon_find_in(const char *directory, char *path, size_t bytes);

/*
 * Makes the directory and the environment for the command.  hz: samples a
 * second; 0: as libmon.so or the user's PROFOPTS has it.  From here on a signal
 * that would end the tool removes the directory if it is empty, and says where
 * it is if not.  One at a time in a process.  Returns 0; or -errno with *f set,
 * and nothing is to be closed.
 */
int backend_preload_begin(struct backend_preload *p, const char *library,
    unsigned hz, struct fault *f);

/*
 * Reads all profiles, once the command has ended, and writes them to *put,
 * which has begun: event 0, cpu-clock, and what profiles.h says.  Adds to the
 * statistics: buf, profiles that were read; emptybuf, those of them without a
 * sample; dropbuf, profiles that cannot be read, each of which is reported;
 * dropbuf_samples, the ticks that their headers state; overflow, ticks that
 * were lost, which are also written as a loss for each reason.  Returns 0; or
 * -errno after reporting the fault, and the profiles stay.
 */
int backend_preload_end(struct backend_preload *p, struct tprof_writer *put,
    backend_preload_report *tell, void *arg);

/*
 * Frees *p and removes the directory.  written: the output is complete; false:
 * no profile is removed.  The caller calls it after each successful
 * backend_preload_begin().
 */
void backend_preload_close(struct backend_preload *p, bool written,
    backend_preload_report *tell, void *arg);

#endif
