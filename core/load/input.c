/* Context: O.  Which files are to be read. */
#include "input.h"

#include "grow.h"
#include "load.h"
#include "program.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static int
input_append(struct input *in, const char *directory, const char *name,
    bool named)
{
	size_t bytes = strlen(directory) + strlen(name) + 2;
	char *path = malloc(bytes);

	if (path == NULL || grow(&in->files, in->count, &in->room,
	    sizeof(*in->files)) != 0) {
		free(path);
		return -ENOMEM;
	}
	snprintf(path, bytes, "%s%s%s", directory,
	    directory[0] != '\0' ? "/" : "", name);
	in->files[in->count++] = (struct input_file) {
		.path = path,
		.named = named,
		.program = in->program_count == 0 ? NULL :
		    in->programs[in->program_count - 1],
	};
	return 0;
}

static int
input_add_program(struct input *in, const char *path)
{
	char *copy = strdup(path);

	if (copy == NULL || grow(&in->programs, in->program_count,
	    &in->program_room, sizeof(copy)) != 0) {
		free(copy);
		return -ENOMEM;
	}
	in->programs[in->program_count++] = copy;
	return 0;
}

void
input_free(struct input *in)
{
	for (size_t i = 0; i < in->count; i++)
		free(in->files[i].path);
	for (size_t i = 0; i < in->program_count; i++)
		free(in->programs[i]);
	free(in->programs);
	free(in->files);
	memset(in, 0, sizeof(*in));
}

static int
input_compare(const void *left, const void *right)
{
	const struct input_file *a = left, *b = right;

	return strcmp(a->path, b->path);
}

/* What a seal left half copied is not a profile of its own. */
static void
input_drop_parts(struct input *in, size_t first)
{
	size_t kept = first;

	for (size_t i = first; i < in->count; i++)
		if (load_is_part(in->files[i].path))
			free(in->files[i].path);
		else
			in->files[kept++] = in->files[i];
	in->count = kept;
}

typedef bool input_wanted(const char *name);

static int
input_list(struct input *in, const char *directory, const char *open,
    input_wanted *wanted, struct fault *f)
{
	DIR *d = opendir(open);
	struct dirent *e;
	size_t first = in->count;
	int ret = 0;

	if (d == NULL)
		return fault_set(f, "cannot be opened", FAULT_NO_OFFSET, errno);
	while (ret == 0 && (e = readdir(d)) != NULL)
		if (strcmp(e->d_name, ".") != 0 &&
		    strcmp(e->d_name, "..") != 0 &&
		    (wanted == NULL || wanted(e->d_name)))
			ret = input_append(in, directory, e->d_name, false);
	closedir(d);
	if (ret != 0)
		return fault_set(f, "out of memory", FAULT_NO_OFFSET, ENOMEM);
	input_drop_parts(in, first);
	if (in->count - first > 1)
		qsort(in->files + first, in->count - first,
		    sizeof(*in->files), input_compare);
	return 0;
}

int
input_add(struct input *in, const char *path, struct fault *f)
{
	struct stat st;
	int ret;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
		ret = input_list(in, path, path, NULL, f);
		if (ret != 0)
			f->file = path;
		return ret;
	}
	if ((program_is(path) ? input_add_program(in, path) :
	    input_append(in, "", path, true)) != 0)
		return fault_set(f, "out of memory", FAULT_NO_OFFSET, ENOMEM);
	return 0;
}

/* A run: its first process. */
struct run {
	int32_t pid;
	uint64_t start;
	uint8_t boot_id[16];
	uint64_t birth;		/* of its earliest file here */
};

static bool
run_is(const struct run *r, const struct format_header *h)
{
	return r->pid == h->run_pid && r->start == h->run_start &&
	    memcmp(r->boot_id, h->boot_id, sizeof(r->boot_id)) == 0;
}

static bool
run_wanted(const char *name)
{
	return strncmp(name, "mon.out", 7) == 0 &&
	    (name[7] == '\0' || name[7] == '.');
}

static int
run_note(struct run **runs, size_t *count, size_t *room,
    const struct format_header *h)
{
	struct run *r = NULL;

	for (size_t i = 0; i < *count && r == NULL; i++)
		if (run_is(&(*runs)[i], h))
			r = &(*runs)[i];
	if (r == NULL) {
		if (grow(runs, *count, room, sizeof(**runs)) != 0)
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
 * Keep the files of the newest run, and those that cannot be read.  What is no
 * profile of ours is looked at where there is none: a program's own mon.out.
 */
static int
run_keep_newest(struct input *in)
{
	struct run *runs = NULL, *newest;
	struct format_header h;
	size_t count = 0, room = 0, kept = 0;
	int ret = 0;

	for (size_t i = 0; i < in->count && ret == 0; i++)
		if (load_header(in->files[i].path, &h) == 0)
			ret = run_note(&runs, &count, &room, &h);
	newest = runs;
	for (size_t i = 1; i < count; i++)
		if (runs[i].birth > newest->birth)
			newest = &runs[i];
	for (size_t i = 0; i < in->count && ret == 0; i++) {
		int known = load_header(in->files[i].path, &h);

		if ((known == 0 && !run_is(newest, &h)) ||
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
input_directory(void)
{
	const char *directory = getenv("PROFDIR");
	struct stat st;

	return directory != NULL && stat(directory, &st) == 0 &&
	    S_ISDIR(st.st_mode) ? directory : NULL;
}

int
input_add_default(struct input *in, struct fault *f)
{
	const char *directory = input_directory();
	int ret;

	if (directory != NULL)
		return input_add(in, directory, f);
	ret = input_list(in, "", ".", run_wanted, f);
	if (ret == 0 && run_keep_newest(in) != 0)
		ret = fault_set(f, "out of memory", FAULT_NO_OFFSET, ENOMEM);
	return ret;
}
