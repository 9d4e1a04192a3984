/*
 * Context: S.  Makes the names of profile files, and judges old files that have
 * them.  store_path.c uses it, in the making of a file (private_fds_run());
 * option_parse.c, monitor(3C) and the writers of classic files use functions
 * that open nothing.
 */
#ifndef PROFILE_NAME_H
#define PROFILE_NAME_H

#include "base/state.h"

/*
 * The longest name of a file here, in bytes.  NAME_MAX also has to hold what is
 * added: ".2" and the like, ".part" and ".gmon" after the name, and
 * "libmon-UID-" before it for a file on a network.
 */
#define PROFILE_NAME_MOST	(NAME_MAX - 28u)

/*
 * Writes the nth candidate (0, 1, ...) for the name of this process's file, an
 * absolute path, into `place` of `room` bytes.  first: this process gets the
 * bare name of its run.  Returns 0 or -ENAMETOOLONG.
 */
int profile_name_candidate(char *place, size_t room, unsigned nth, bool first);

/* Adds PID.PROGRAM of this process to s, as monitor(3C) names its files. */
struct str;
void profile_name_add_process(struct str *s);

/*
 * Writes the directory part of a path into `place` of `room` bytes; "/" for an
 * entry of the root.
 */
void profile_name_directory(const char *path, char *place, size_t room);

/*
 * Returns whether the old file at path may be replaced: it is a profile of our
 * user from another run, and its process was gone when this one started.  A
 * file of another boot counts as such if it is sealed or of this host.
 * scratch: FORMAT_HEADER bytes, aligned as the header, which are overwritten.
 * Opens the file: run by private_fds_run().
 */
bool profile_name_replaceable(const char *path, void *scratch);

/*
 * Makes this process part of the run of the profile at path, if the process
 * that started this one wrote it.  scratch, descriptors: as above.
 */
void profile_name_join_run(const char *path, void *scratch);

/*
 * Returns whether each '%' in a value of file= stands before a letter that is
 * known there, or before another '%'.
 */
bool profile_name_is_pattern(const char *p);

#endif
