/* Context: S.  The names of profile files. */
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
 * The nth candidate (0, 1, ...) for this process, absolute, into place.  first:
 * this process is to have the bare name of its run.  0, or -ENAMETOOLONG.
 */
int profile_name_candidate(char *place, size_t room, unsigned nth, bool first);

/* Adds PID.PROGRAM of this process, as monitor(3C) names its files. */
struct str;
void profile_name_add_process(struct str *s);

/* Directory part of a path, into place; "/" for a root entry. */
void profile_name_directory(const char *path, char *place, size_t room);

/*
 * May the old file at path be replaced: one of ours, of our user, of an earlier
 * run, and its process was gone when this one started?  scratch: FORMAT_HEADER
 * bytes, aligned as the header.
 */
bool profile_name_replaceable(const char *path, void *scratch);

/* If the file at path is of the process that started this one: the same run. */
void profile_name_join_run(const char *path, void *scratch);

/* Does each '%' of a file= stand before something that it knows? */
bool profile_name_is_pattern(const char *p);

#endif
