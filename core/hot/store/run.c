/*
 * Context: S.  Finds the run that a process belongs to: its first process, and
 * where that one started.  Without PROFDIR all processes of a run write their
 * files there.  store_create.c calls it when the file is made; see run.h.
 */
#include "store/run.h"

#include "base/str.h"
#include "module/proc_info.h"
#include "module/proc_maps.h"

#define ANCESTORS	64

/*
 * Writes directory + leaf, and "." and pid unless pid is 0, to
 * lineage_directory.  The root is written as "/.", so that it is not empty.
 * Returns false if the text is too long; lineage_directory is "" then.
 */
static bool
set_run_directory(const char *directory, size_t n, const char *leaf, int pid)
{
	struct str s;

	str_init(&s, lineage_directory, sizeof(lineage_directory));
	if (n > 1)
		str_add_bytes(&s, directory, n);
	else
		str_add(&s, "/.");
	str_add(&s, leaf);
	if (pid != 0) {
		str_add(&s, ".");
		str_add_number(&s, (uint64_t)pid);
	}
	if (s.full)
		lineage_directory[0] = '\0';
	return !s.full;
}

/*
 * Returns whether the first process's file in this directory has this inode.
 * pid: not 0 if its name ends with that.
 */
static bool
is_run_mon_out(const char *directory, size_t n, int pid, uint64_t inode)
{
	struct stat st;

	return set_run_directory(directory, n, "/" RUN_FIRST_FILE, pid) &&
	    SYS(newfstatat, AT_FDCWD, lineage_directory, &st,
	    AT_SYMLINK_NOFOLLOW, 0, 0) == 0 && st.st_ino == inode;
}

/*
 * Sets lineage_directory to the directory of the mon.out, or mon.out.PID if
 * that was taken, that the first process has mapped.  The map may call the file
 * "#inode (deleted)", because it was made by O_TMPFILE.
 */
static void
find_mapped_mon_out(const struct proc_maps_line *line, void *found)
{
	size_t n = line->path_bytes;
	bool *yes = found;

	while (n > 0 && line->path[n - 1] != '/')
		n--;
	if (*yes || n == 0 || line->path[0] != '/' || (line->path[n] != '#' &&
	    !str_begins(line->path + n, RUN_FIRST_FILE)))
		return;
	*yes = (is_run_mon_out(line->path, n - 1, 0, line->inode) ||
	    is_run_mon_out(line->path, n - 1, lineage.pid, line->inode)) &&
	    set_run_directory(line->path, n - 1, "", 0);
}

/*
 * Finds where the first process started.  That process makes its file before it
 * changes its directory (store_create_before_chdir()), so if it has none it is
 * still there.
 */
static void
find_run_directory(char *scratch, size_t room)
{
	char path[PROC_INFO_PATH];
	bool found = false;
	long n;

	proc_maps_read(lineage.pid, scratch, room, find_mapped_mon_out, &found);
	if (found)
		return;
	lineage_directory[0] = '\0';
	proc_info_path(path, sizeof(path), lineage.pid, "/cwd");
	n = SYS(readlinkat, AT_FDCWD, path, scratch, room, 0, 0);
	if (n > 0 && scratch[0] == '/')
		set_run_directory(scratch, (size_t)n, "", 0);
}

/*
 * The first process of a run is the highest ancestor, in an unbroken chain,
 * that has libmon mapped.
 */
void
run_find(char *scratch, size_t room)
{
	int pid, parent = mon->parent;
	uint64_t ticks;
	bool found;

	if (lineage.pid != 0)
		return;		/* a fork child has inherited the answer */
	lineage.pid = mon->pid;
	lineage.start = mon->start_ticks;
	found = parent > 1 && proc_info_has_libmon(parent, scratch, room);
	/* A parent that only= or exclude= leaves out has libmon mapped, too. */
	lineage.descends = found && !config.chosen;
	if (config.place == CONFIG_PLACE_DIR)
		return;		/* one directory is one collection */
	for (unsigned i = 0; i < ANCESTORS && parent > 1; i++) {
		pid = parent;
		if (!(i == 0 ? found :
		    proc_info_has_libmon(pid, scratch, room)) ||
		    proc_info_stat(pid, &parent, &ticks) != 0)
			break;
		lineage.pid = pid;
		lineage.start = ticks;
	}
	if (config.place == CONFIG_PLACE_PLAIN && !run_is_first())
		find_run_directory(scratch, room);
}

bool
run_is_first(void)
{
	return lineage.pid == mon->pid && lineage.start == mon->start_ticks;
}

bool
run_owns_plain_name(void)
{
	return run_is_first() && !mon->forked;
}
