/*
 * Context: O.  Samples without any privilege: libmon.so in a command and in
 * what it starts, whose profiles become a tprof.out.
 */
#ifndef BACKEND_PRELOAD_H
#define BACKEND_PRELOAD_H

#include "preload_env.h"
#include "tprof_writer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BACKEND_PRELOAD_HZ_MAX	20000u	/* of libmon.so */

/*
 *	libmon_find(library, sizeof(library), &f);
 *	backend_preload_begin(&p, library, hz, &f);
 *	... run the command with p.inject.env, and wait for it ...
 *	tprof_writer_begin(&put, out, head, real);
 *	backend_preload_end(&p, &put, tell, arg);
 *	tprof_writer_end(&put, ...), close `out`
 *	backend_preload_close(&p, all of that went well, tell, arg);
 *
 * Profiles are files of a private directory, which goes at the end.  What could
 * not be made output of is never removed: then a fault says where it is.
 *
 * What still runs when the command has ended (daemons) is counted up to
 * backend_preload_end(), which reads live files as they are.  From then on it
 * counts into a file without a name, which nobody reads and which goes with it:
 * its seal finds nothing at the path and does nothing; processes that it starts
 * later can make no file, and go on without.  None of them says a word.
 */
struct backend_preload {
	char *directory;
	struct preload_env inject;
	uint64_t running;	/* processes, when their profiles were read */
	uint64_t known_ns;	/* CPU time of all processes with a profile */
	uint64_t unsampled_ns;	/* part of known_ns that no sample stands for */
	uint64_t barred;	/* programs that could create no profile */
	char **kept;		/* paths of what was not made output of */
	size_t kept_count, kept_room;
};

/* Of each profile that cannot be read, and of what is left behind. */
typedef void backend_preload_report(void *arg, const struct fault *f);

/*
 * Which libmon.so: that of the build tree that we run from, else that of the
 * prefix that we lie in, else that of the configured one.  0, or -errno with
 * *f set.
 */
int libmon_find(char *path, size_t bytes, struct fault *f);

/* The first two, for programs in that directory. */
bool libmon_find_in(const char *directory, char *path, size_t bytes);

/*
 * The directory, and the environment for the command.  hz 0: as libmon.so does
 * it or the user's PROFOPTS has it.  From here on a signal that would end us
 * takes the directory away if it is empty, and says where it is if it is not.
 * 0, or -errno with *f set; nothing is to be closed then.
 */
int backend_preload_begin(struct backend_preload *p, const char *library,
    unsigned hz, struct fault *f);

/*
 * Reads all profiles.  Writes event 0, cpu-clock, and what profiles.h says.
 * Statistics of it are added: buf, profiles read; emptybuf, of them those
 * without a sample; dropbuf, those that cannot be read, each told, and
 * dropbuf_samples what their headers say; overflow, ticks that were lost, each
 * kind also as a loss by name. 0, or -errno after it was told: profiles stay.
 */
int backend_preload_end(struct backend_preload *p, struct tprof_writer *put,
    backend_preload_report *tell, void *arg);

/* written false: no profile is removed.  Of what begin filled, always. */
void backend_preload_close(struct backend_preload *p, bool written,
    backend_preload_report *tell, void *arg);

#endif
