/*
 * Context: O.  Finds the profiles of processes by /proc/PID/maps, for control
 * sessions, the prof device and tprof top; see target_profile.h.
 */
#include "target_profile.h"

#include "load.h"
#include "process_state.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
is_pid(const char *name)
{
	size_t n = strspn(name, "0123456789");

	return n != 0 && n < 10 && name[n] == '\0';
}

/*
 * Parses a line of /proc/PID/maps, whose newline it cuts off, such as
 *     a b rw-s 0 8:1 77    /dir/7.prog
 * Returns the path if the line is a shared mapping, else NULL.  A file that was
 * made without a name has the path "/dir/#77 (deleted)".
 */
static char *
parse_shared_mapping(char *line, ino_t *inode)
{
	char mode[5], *path = strchr(line, '/');
	unsigned long number;

	line[strcspn(line, "\n")] = '\0';
	if (path == NULL || sscanf(line, "%*s %4s %*s %*s %lu", mode,
	    &number) != 2 || strcmp(mode, "rw-s") != 0)
		return NULL;
	*inode = number;
	return path;
}

/* Returns whether the file is the profile of that process, which lives. */
static bool
is_profile_of(const char *pid, const char *path)
{
	struct format_header h;

	return load_header(path, &h) == 0 && h.pid == atoi(pid) &&
	    h.state == FORMAT_LIVE && process_state_check(&h) == 1;
}

/*
 * Finds the profile of a process in a directory.  Tries the file with the inode
 * number first, then all others: overlayfs has other inode numbers in maps than
 * in directories.
 */
static bool
find_profile_in_dir(const char *directory, const char *pid, ino_t inode,
    char *out)
{
	DIR *all = opendir(directory);
	struct dirent *e;
	bool got = false;

	for (int any = 0; all != NULL && any < 2 && !got; any++) {
		rewinddir(all);
		while (!got && (e = readdir(all)) != NULL) {
			if ((e->d_ino == inode) == (any != 0))
				continue;
			got = snprintf(out, PATH_MAX, "%s/%s", directory,
			    e->d_name) < PATH_MAX && is_profile_of(pid, out);
		}
	}
	if (all != NULL)
		closedir(all);
	return got;
}

/*
 * Finds the present path of a mapped profile, if need be also below the root
 * directory of the process.
 */
static bool
find_mapped_profile(const char *pid, char *path, ino_t inode, char *out)
{
	char inside[PATH_MAX];
	char *slash = strrchr(path, '/');

	if (strncmp(slash, "/#", 2) != 0) {
		snprintf(out, PATH_MAX, "%s", path);
		return is_profile_of(pid, path);
	}
	*slash = '\0';
	return find_profile_in_dir(path[0] != '\0' ? path : "/", pid, inode,
	    out) || (snprintf(inside, PATH_MAX, "/proc/%s/root%s", pid,
	    path) < PATH_MAX && find_profile_in_dir(inside, pid, inode, out));
}

static int
fault_no_profile(const char *pid, bool ours, struct fault *f)
{
	int ret;

	if (ours) {
		ret = fault_set(f, "has no profile yet: it has not run for a "
		    "tick of CPU time", FAULT_NO_OFFSET, 0);
		f->remedy = "try again, or start it with PROFOPTS=start=off";
	} else {
		ret = fault_set(f, "is no process under libmon.so",
		    FAULT_NO_OFFSET, 0);
		f->remedy = "start it with prof record";
	}
	f->file = pid;
	return ret;
}

/* Adds the profile of a process to *in.  Returns 0, or -errno with *f set. */
static int
find_process_profile(struct input *in, const char *pid, struct fault *f)
{
	char path[32], found[PATH_MAX], line[PATH_MAX + 256];
	bool ours = false, got = false;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%s/maps", pid);
	maps = fopen(path, "re");
	if (maps == NULL || fgetc(maps) == EOF) {
		int error = errno;

		if (maps != NULL)
			fclose(maps);
		fault_set(f, maps != NULL ? "is a process of the kernel, or "
		    "has ended: it has no memory" : error == EACCES ? "is a "
		    "process of another user, or may not be looked at" :
		    "no such process",
		    FAULT_NO_OFFSET, 0);
		f->file = pid;
		return -EINVAL;
	}
	rewind(maps);
	while (!got && fgets(line, sizeof(line), maps) != NULL) {
		ino_t inode;
		char *file;

		ours |= strstr(line, "libmon.so") != NULL;
		file = parse_shared_mapping(line, &inode);
		got = file != NULL && find_mapped_profile(pid, file, inode,
		    found);
	}
	fclose(maps);
	return got ? input_add_files(in, found, f) : fault_no_profile(pid, ours,
	    f);
}

/*
 * Returns whether the line of /proc/PID/maps names the profile of the process:
 * the profile is at that path and has that inode number.
 */
static bool
maps_profile_file(const char *pid, char *path, ino_t inode)
{
	char found[PATH_MAX];
	struct stat st;

	return find_mapped_profile(pid, path, inode, found) &&
	    stat(found, &st) == 0 && st.st_ino == inode;
}

bool
target_profile_is_copy(int32_t pid, int fd)
{
	char path[32], number[16], line[PATH_MAX + 256];
	bool own = false, other = false;
	struct stat st;
	FILE *maps;

	snprintf(number, sizeof(number), "%d", (int)pid);
	snprintf(path, sizeof(path), "/proc/%s/maps", number);
	maps = fstat(fd, &st) == 0 ? fopen(path, "re") : NULL;
	if (maps == NULL)
		return false;
	while (!own && fgets(line, sizeof(line), maps) != NULL) {
		ino_t inode;
		char *file = parse_shared_mapping(line, &inode);

		own = file != NULL && inode == st.st_ino;
		if (file != NULL && !own && !other)
			other = maps_profile_file(number, file, inode);
	}
	fclose(maps);
	return other && !own;
}

bool
target_profile_is_directory(const char *name)
{
	struct stat st;

	return stat(name, &st) == 0 && S_ISDIR(st.st_mode);
}

int
target_profile_find(struct input *in, const char *name, struct fault *f)
{
	return is_pid(name) && access(name, F_OK) != 0 ?
	    find_process_profile(in, name, f) : input_add_files(in, name, f);
}
