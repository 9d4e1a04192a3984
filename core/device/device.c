/*
 * Context: O.  Keeps the state of the prof device of a directory of profiles,
 * for proffs and this folder, one request at a time; see device.h.
 */
#include "device.h"

#include "base/clock_ns.h"
#include "load.h"
#include "process_state.h"
#include "base/vector.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/*
 * Reads the header of a profile.  Refuses symbolic links: one may lead into the
 * mount itself, which waits for this process.  Returns 0; LOAD_OTHER if the
 * file is no profile or a dump of one; or another -errno.
 */
static int
read_profile_header(const char *path, struct format_header *h)
{
	struct stat st;
	int ret = lstat(path, &st) != 0 || !S_ISREG(st.st_mode) ? LOAD_OTHER :
	    load_header(path, h);

	return ret == 0 && h->end == FORMAT_END_DUMP ? LOAD_OTHER : ret;
}

static bool
is_live_profile(const struct format_header *h)
{
	return h->state == FORMAT_LIVE && process_state_check(h) == 1;
}

/*
 * Notes the living processes and the present time.  The file of a killed
 * process does not say when it ended: it may have slept until then.
 */
static int
list_live_processes(struct device *d, struct fault *f)
{
	struct input in = { 0 };
	int ret = input_add_files(&in, d->directory, f);

	d->since = clock_ns_now(CLOCK_REALTIME);
	d->life_count = 0;
	for (size_t i = 0; ret == 0 && i < in.count; i++) {
		struct format_header h;

		if (read_profile_header(in.files[i].path, &h) != 0 ||
		    !is_live_profile(&h))
			continue;
		if (vector_grow(&d->lives, d->life_count, &d->life_room,
		    sizeof(*d->lives)) != 0)
			ret = fault_set_no_memory(f);
		else
			d->lives[d->life_count++] = (struct device_process) {
				h.pid, h.start_ticks,
			};
	}
	input_free(&in);
	return ret;
}

static bool
was_live_process(const struct device *d, const struct format_header *h)
{
	for (size_t i = 0; i < d->life_count; i++)
		if (d->lives[i].pid == h->pid &&
		    d->lives[i].start_ticks == h->start_ticks)
			return true;
	return false;
}

int
device_open(struct device *d, const char *directory, struct fault *f)
{
	struct stat st;

	memset(d, 0, sizeof(*d));
	f->file = directory;
	if (stat(directory, &st) != 0)
		return fault_set(f, "cannot be opened", FAULT_NO_OFFSET, errno);
	if (!S_ISDIR(st.st_mode))
		return fault_set(f, "is not a directory", FAULT_NO_OFFSET, 0);
	d->directory = realpath(directory, NULL);
	if (d->directory == NULL)
		return fault_set(f, "cannot be opened", FAULT_NO_OFFSET, errno);
	return list_live_processes(d, f);
}

void
device_close(struct device *d)
{
	device_select_all(d);
	free(d->names);
	free(d->lives);
	free(d->starts);
	module_ids_free(&d->catalogue);
	for (size_t i = 0; i < DEVICE_NOTES; i++)
		free(d->notes[i]);
	free(d->directory);
}

int
device_select(struct device *d, const char *pattern)
{
	char *copy;

	for (size_t i = 0; i < d->name_count; i++)
		if (strcmp(d->names[i], pattern) == 0)
			return 0;
	copy = strdup(pattern);
	if (copy == NULL || vector_grow(&d->names, d->name_count, &d->name_room,
	    sizeof(*d->names)) != 0) {
		free(copy);
		return -ENOMEM;
	}
	d->names[d->name_count++] = copy;
	return 0;
}

void
device_select_all(struct device *d)
{
	while (d->name_count > 0)
		free(d->names[--d->name_count]);
}

static bool
matches_pattern(const char *pattern, const char *text)
{
	return strcmp(pattern, text) == 0 || fnmatch(pattern, text, 0) == 0;
}

bool
device_selects(const struct device *d, const char *path)
{
	const char *slash = strrchr(path, '/');

	for (size_t i = 0; i < d->name_count; i++)
		if (matches_pattern(d->names[i], path) ||
		    (slash != NULL && matches_pattern(d->names[i], slash + 1)))
			return true;
	return d->name_count == 0;
}

/*
 * Returns the start that was written for this pid alone (0: for all processes),
 * or NULL.
 */
static struct device_start *
find_device_start(const struct device *d, int32_t pid)
{
	for (size_t i = 0; i < d->start_count; i++)
		if (d->starts[i].pid == pid)
			return &d->starts[i];
	return NULL;
}

int
device_note_start(struct device *d, int32_t pid, enum device_kind kind)
{
	struct device_start *s = find_device_start(d, pid);
	const struct device_start before = s != NULL ? *s :
	    (struct device_start) { .kind = DEVICE_UNSET };

	if (before.kind == DEVICE_MEMORY && !before.stopped)
		kind = DEVICE_MEMORY;
	if (pid == 0)
		d->start_count = 0;
	s = find_device_start(d, pid);
	if (s == NULL && vector_grow(&d->starts, d->start_count, &d->start_room,
	    sizeof(*d->starts)) != 0)
		return -ENOMEM;
	if (s == NULL)
		s = &d->starts[d->start_count++];
	*s = (struct device_start) { pid, kind, false };
	return 0;
}

void
device_note_stop(struct device *d, int32_t pid)
{
	for (size_t i = 0; i < d->start_count; i++)
		if (pid == 0 || d->starts[i].pid == pid)
			d->starts[i].stopped = true;
}

enum device_kind
device_start_kind(const struct device *d, int32_t pid)
{
	const struct device_start *s = find_device_start(d, pid);

	if (s == NULL)
		s = find_device_start(d, 0);
	return s == NULL ? DEVICE_UNSET : s->kind;
}

void
device_reset(struct device *d)
{
	struct fault f = { 0 };

	d->start_count = 0;
	device_select_all(d);
	module_ids_forget(&d->catalogue);
	if (list_live_processes(d, &f) != 0)
		device_note_fault(d, &f);
}

/*
 * Returns the time of the end of a process, ns since 1970.  If it was killed,
 * or the file does not say it, this is when its CPU time was last recorded.
 */
static uint64_t
last_active_ns(const struct format_header *h)
{
	return h->state == FORMAT_SEALED && h->end_real != 0 ? h->end_real :
	    h->birth_real - h->birth_mono + h->cpu_mono;
}

/*
 * Returns whether a profile is shown for `pid` (0: all processes).  Sets
 * *own_pid to the pid of the profile, or to 0 if the file is damaged and its
 * process is not known.  A reader of the damaged file reports it.
 */
static bool
is_shown_profile(const struct device *d, const char *path, int32_t pid,
    int32_t *own_pid)
{
	struct format_header h;
	int ret = read_profile_header(path, &h);

	*own_pid = 0;
	if (ret != 0)
		return ret == -EINVAL && pid == 0;
	if (pid != 0 && h.pid != pid)
		return false;
	*own_pid = h.pid;
	return is_live_profile(&h) || last_active_ns(&h) >= d->since ||
	    (h.state == FORMAT_LIVE && was_live_process(d, &h));
}

int
device_profiles(struct device *d, int32_t pid, struct input *in,
    struct fault *f)
{
	size_t kept = 0;
	int32_t own;
	int ret = input_add_files(in, d->directory, f);

	for (size_t i = 0; i < in->count; i++)
		if (is_shown_profile(d, in->files[i].path, pid, &own))
			in->files[kept++] = in->files[i];
		else
			free(in->files[i].path);
	in->count = kept;
	return ret;
}

static int
pid_compare(const void *left, const void *right)
{
	const int32_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

int
device_pids(struct device *d, int32_t **pids, size_t *count)
{
	struct input in = { 0 };
	struct fault f = { 0 };
	size_t n = 0;
	int ret = input_add_files(&in, d->directory, &f);
	int32_t *all = calloc(in.count + 1, sizeof(*all));

	if (all == NULL)
		ret = -ENOMEM;
	for (size_t i = 0; i < in.count && ret == 0; i++)
		n += is_shown_profile(d, in.files[i].path, 0, &all[n]) &&
		    all[n] != 0;
	input_free(&in);
	if (ret != 0) {
		free(all);
		return ret;
	}
	qsort(all, n, sizeof(*all), pid_compare);
	*count = 0;
	for (size_t i = 0; i < n; i++)
		if (*count == 0 || all[*count - 1] != all[i])
			all[(*count)++] = all[i];
	*pids = all;
	return 0;
}

/* Stores a line; text is freed later by this file, NULL means out of memory. */
static void
store_note(struct device *d, char *text)
{
	char **place = &d->notes[d->noted++ % DEVICE_NOTES];

	free(*place);
	*place = text;
}

static bool
has_same_note(const struct device *d, const char *text)
{
	for (size_t i = 0; i < DEVICE_NOTES; i++)
		if (d->notes[i] != NULL && strcmp(d->notes[i], text) == 0)
			return true;
	return false;
}

void
device_note(struct device *d, const char *format, ...)
{
	char *text;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	store_note(d, text);
}

static char *
device_fault_text(const struct fault *f)
{
	char *text;

	int n = asprintf(&text, "%s%s%s%s%s%s%s",
	    f->file != NULL ? f->file : "", f->file != NULL ? ": " : "",
	    f->what, f->errnum != 0 ? ": " : "",
	    f->errnum != 0 ? strerror(f->errnum) : "",
	    f->remedy != NULL ? "; " : "", f->remedy != NULL ? f->remedy : "");

	return n < 0 ? NULL : text;
}

void
device_note_fault(struct device *d, const struct fault *f)
{
	store_note(d, device_fault_text(f));
}

void
device_note_once(struct device *d, const struct fault *f)
{
	char *text = device_fault_text(f);

	if (text != NULL && has_same_note(d, text))
		free(text);
	else
		store_note(d, text);
}
