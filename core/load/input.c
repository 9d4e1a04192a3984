/*
 * Context: O.  Keeps the list of files that a tool is to read: adds and frees;
 * input_select.c chooses.  For the tools that input.h names.
 */
#include "input.h"

#include "load.h"
#include "base/vector.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

int
input_append(struct input *in, const char *directory, const char *name,
    bool named)
{
	size_t bytes = strlen(directory) + strlen(name) + 2;
	char *path = malloc(bytes);

	if (path == NULL || vector_grow(&in->files, in->count, &in->room,
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

/* Orders the files of a directory by their paths. */
static int
input_compare(const void *left, const void *right)
{
	const struct input_file *a = left, *b = right;

	return strcmp(a->path, b->path);
}

/*
 * Drops those of the files from number `first` on that are partial copies,
 * which an interrupted seal has left: they are no profiles of their own.
 */
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

int
input_list(struct input *in, const char *directory, const char *open,
    input_wanted *wanted, struct fault *f)
{
	DIR *d = opendir(open);
	struct dirent *e;
	size_t first = in->count;
	int ret = 0;

	if (d == NULL)
		return fault_set(f, "cannot be opened", FAULT_NO_OFFSET, errno);
	/*
	 * Skip directories before anything touches them: a directory may be a
	 * mount that waits for this process.
	 */
	while (ret == 0 && (e = readdir(d)) != NULL)
		if (e->d_type != DT_DIR &&
		    strcmp(e->d_name, ".") != 0 &&
		    strcmp(e->d_name, "..") != 0 &&
		    (wanted == NULL || wanted(e->d_name)))
			ret = input_append(in, directory, e->d_name, false);
	closedir(d);
	if (ret != 0)
		return fault_set_no_memory(f);
	input_drop_parts(in, first);
	if (in->count - first > 1)
		qsort(in->files + first, in->count - first,
		    sizeof(*in->files), input_compare);
	return 0;
}

int
input_add_files(struct input *in, const char *path, struct fault *f)
{
	struct stat st;
	int ret = 0;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		ret = input_list(in, path, path, NULL, f);
	else if (input_append(in, "", path, true) != 0)
		ret = fault_set_no_memory(f);
	if (ret != 0)
		f->file = path;
	return ret;
}
