/*
 * Context: O.  Reads from /proc what is known of a process, for
 * address_space.c, address_space_tids.c and tprof top; see
 * address_space_proc.h.
 */
#include "process/address_space_proc.h"

#include "process_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static FILE *
open_proc(int32_t pid, const char *what)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%" PRId32 "/%s", pid, what);
	return fopen(path, "re");
}

/*
 * Adds the mapping of a line "START-END rwxp OFFSET MAJOR:MINOR INODE PATH" if
 * it holds code.
 */
static void
take_line(struct address_spaces *s, struct address_space *own, char *line)
{
	struct tprof_module id = { .path = "//anon" };
	unsigned major, minor;
	struct address_mapping m;
	char modes[8];
	int at = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %x:%x %"
	    SCNu64 " %n", &m.start, &m.end, modes, &m.offset, &major, &minor,
	    &id.inode, &at) != 7 || at == 0 || modes[2] != 'x')
		return;
	line[strcspn(line, "\n")] = '\0';
	if (line[at] != '\0')
		id.path = line + at;
	id.path_bytes = (uint32_t)strlen(id.path);
	id.device = (uint64_t)major << 32 | minor;
	m.library = code_files_find(&s->libraries, &id);
	if (m.library == UINT32_MAX)
		s->out_of_memory = true;
	else if (m.end > m.start)
		address_space_add(s, own, &m);
}

static void
read_maps(struct address_spaces *s, struct address_space *own)
{
	FILE *in = open_proc(own->pid, "maps");
	char *line = NULL;
	size_t room = 0;

	if (in == NULL)
		return;
	while (getline(&line, &room, in) > 0)
		take_line(s, own, line);
	free(line);
	fclose(in);
}

/*
 * Reads a name, of a thread or process, and closes the file; NULL: none.
 * Returns whether there was one.
 */
static bool
read_name(FILE *in, char *name)
{
	char line[ADDRESS_SPACE_NAME + 2] = "";
	const bool got = in != NULL && fgets(line, sizeof(line), in) != NULL;

	memset(name, 0, ADDRESS_SPACE_NAME);
	line[strcspn(line, "\n")] = '\0';
	if (got)
		memcpy(name, line, strnlen(line, ADDRESS_SPACE_NAME - 1));
	if (in != NULL)
		fclose(in);
	return got;
}

void
address_space_proc_read(struct address_spaces *s, struct address_space *own)
{
	char path[32];
	struct stat st;

	own->named = read_name(open_proc(own->pid, "comm"), own->program);
	snprintf(path, sizeof(path), "/proc/%" PRId32, own->pid);
	if (stat(path, &st) == 0)
		own->uid = st.st_uid;
	own->birth = process_state_start_ns(own->pid);
	read_maps(s, own);
}

void
address_space_proc_thread(int32_t pid, int32_t tid, char *name)
{
	char what[32];

	snprintf(what, sizeof(what), "task/%" PRId32 "/comm", tid);
	read_name(open_proc(pid, what), name);
}

/*
 * Returns whether another thread than the first is left.  The first one, which
 * has ended, stays in the directory of threads until it is waited for.
 */
bool
address_space_proc_alive(int32_t pid)
{
	char path[32];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%" PRId32 "/task", pid);
	return stat(path, &st) == 0 && st.st_nlink > 3;
}
