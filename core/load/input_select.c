/*
 * Context: O.  Chooses the files to be read: programs and files that the user
 * names, or the newest run; see input.h.  For prof(1); proffs asks for PROFDIR
 * only.
 */
#include "input.h"

#include "base/clock_ns.h"
#include "base/vector.h"
#include "elf/elf_layout.h"
#include "load.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Adds a copy of the program's path.  Returns 0 or -ENOMEM. */
static int
input_add_program(struct input *in, const char *path)
{
	char *copy = strdup(path);

	if (copy == NULL || vector_grow(&in->programs, in->program_count,
	    &in->program_room, sizeof(copy)) != 0) {
		free(copy);
		return -ENOMEM;
	}
	in->programs[in->program_count++] = copy;
	return 0;
}

int
input_add(struct input *in, const char *path, struct fault *f)
{
	if (!elf_layout_is_elf(path))
		return input_add_files(in, path, f);
	if (input_add_program(in, path) != 0)
		return fault_set_no_memory(f);
	return 0;
}

/* A run, identified by its first process. */
struct input_run {
	int32_t pid;
	uint64_t start;
	uint8_t boot_id[16];
	uint64_t birth;		/* of its earliest file, ns since 1970 */
};

static bool
is_file_of_run(const struct input_run *r, const struct format_header *h)
{
	return r->pid == h->run_pid && r->start == h->run_start &&
	    memcmp(r->boot_id, h->boot_id, sizeof(r->boot_id)) == 0;
}

/*
 * Returns whether a file of the current directory can be one of a run without
 * PROFDIR: mon.out, or mon.out.* except the directory of prof record.
 */
static bool
is_monout_name(const char *name)
{
	return strncmp(name, "mon.out", 7) == 0 &&
	    (name[7] == '\0' || name[7] == '.') &&
	    strcmp(name, INPUT_RECORD_DIRECTORY) != 0;
}

/*
 * Notes the run of a header in (*runs)[0..*count), or that it began earlier
 * than known.  Returns 0 or -ENOMEM.
 */
static int
note_input_run(struct input_run **runs, size_t *count, size_t *room,
    const struct format_header *h)
{
	struct input_run *r = NULL;

	for (size_t i = 0; i < *count && r == NULL; i++)
		if (is_file_of_run(&(*runs)[i], h))
			r = &(*runs)[i];
	if (r == NULL) {
		if (vector_grow(runs, *count, room, sizeof(**runs)) != 0)
			return -ENOMEM;
		r = &(*runs)[(*count)++];
		r->pid = h->run_pid;
		r->start = h->run_start;
		memcpy(r->boot_id, h->boot_id, sizeof(r->boot_id));
		r->birth = h->birth_real;
	}
	if (h->birth_real < r->birth)
		r->birth = h->birth_real;
	return 0;
}

/*
 * Keeps the files of the newest run and those that cannot be read.  Keeps files
 * that are no profiles of libmon, such as a program's own mon.out, only if
 * there is no profile.  Reads each header twice.  Returns 0 or -ENOMEM.
 */
static int
keep_newest_run(struct input *in)
{
	struct input_run *runs = NULL, *newest;
	struct format_header h;
	size_t count = 0, room = 0, kept = 0;
	int ret = 0;

	for (size_t i = 0; i < in->count && ret == 0; i++)
		if (load_header(in->files[i].path, &h) == 0)
			ret = note_input_run(&runs, &count, &room, &h);
	newest = runs;
	for (size_t i = 1; i < count; i++)
		if (runs[i].birth > newest->birth)
			newest = &runs[i];
	for (size_t i = 0; i < in->count && ret == 0; i++) {
		int known = load_header(in->files[i].path, &h);

		/* No header was there at first, and now there is one. */
		if (known == 0 && newest == NULL)
			known = -EAGAIN;
		if ((known == 0 && !is_file_of_run(newest, &h)) ||
		    (known == LOAD_OTHER && count != 0)) {
			free(in->files[i].path);
			continue;
		}
		in->files[kept++] = in->files[i];
	}
	in->count = ret == 0 ? kept : in->count;
	free(runs);
	return ret;
}

const char *
input_profdir(void)
{
	const char *directory = getenv("PROFDIR");
	struct stat st;

	return directory != NULL && stat(directory, &st) == 0 &&
	    S_ISDIR(st.st_mode) ? directory : NULL;
}

/*
 * Refuses to read another run than that which PROFDIR was meant for.  To be
 * called if PROFDIR is no directory.  Returns 0 if PROFDIR is not set or empty,
 * else -ENOTDIR with *f set.
 */
static int
refuse_bad_profdir(struct fault *f)
{
	const char *directory = getenv("PROFDIR");

	if (directory == NULL || *directory == '\0')
		return 0;
	fault_set(f, "is no directory, and PROFDIR names it", FAULT_NO_OFFSET,
	    0);
	f->file = directory;
	f->remedy = "make it and run the program again, or unset PROFDIR, or "
	    "name a profile";
	return -ENOTDIR;
}

/*
 * Returns when the earliest of the profiles among files[0..count) was born, in
 * ns since 1970.  If no file is a profile of libmon, returns when the one that
 * was written last was written; without a file, 0.
 */
static uint64_t
find_beginning(const struct input_file *files, size_t count)
{
	uint64_t born = 0, written = 0;
	struct format_header h;
	struct stat st;

	for (size_t i = 0; i < count; i++) {
		if (load_header(files[i].path, &h) == 0) {
			if (born == 0 || h.birth_real < born)
				born = h.birth_real;
		} else if (stat(files[i].path, &st) == 0 &&
		    clock_ns_of(&st.st_mtim) > written) {
			written = clock_ns_of(&st.st_mtim);
		}
	}
	return born != 0 ? born : written;
}

/*
 * Replaces the list by what prof record has left in its directory, if that
 * began later.  That directory was a PROFDIR, in which each process that was
 * executed begins a run of its own, with its fork children; so the directory is
 * taken whole.  Returns 0, or -EIO with *f set.
 */
static int
add_recorded_run(struct input *in, struct fault *f)
{
	static const char *const directory = INPUT_RECORD_DIRECTORY;
	const size_t first = in->count;
	struct stat st;
	size_t drop, from;
	bool later;

	if (stat(directory, &st) != 0 || !S_ISDIR(st.st_mode))
		return 0;
	if (input_list(in, directory, directory, NULL, f) != 0) {
		f->file = directory;
		return -EIO;
	}
	if (in->count == first)
		return 0;
	later = find_beginning(in->files + first, in->count - first) >
	    find_beginning(in->files, first);
	from = later ? 0 : first;
	drop = later ? first : in->count - first;
	for (size_t i = from; i < from + drop; i++)
		free(in->files[i].path);
	memmove(in->files + from, in->files + from + drop,
	    (in->count - from - drop) * sizeof(*in->files));
	in->count -= drop;
	return 0;
}

int
input_add_default(struct input *in, struct fault *f)
{
	const char *directory = input_profdir();
	int ret;

	if (directory != NULL)
		return input_add(in, directory, f);
	ret = refuse_bad_profdir(f);
	if (ret != 0)
		return ret;
	ret = input_list(in, "", ".", is_monout_name, f);
	if (ret != 0)
		f->file = ".";
	if (ret == 0 && keep_newest_run(in) != 0)
		ret = fault_set_no_memory(f);
	return ret != 0 ? ret : add_recorded_run(in, f);
}
