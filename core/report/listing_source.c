/* Context: O.  The profiles that a classic listing is of. */
#include "listing_source.h"

#include "adopt.h"
#include "export.h"
#include "gather.h"
#include "listing_parts.h"
#include "load.h"
#include "program.h"
#include "readall.h"
#include "symbolise.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Not all layouts say it: as the program has it, else as this machine. */
static void
layout_of(const char *program, bool *wide, bool *big)
{
	struct program p;
	const bool known = program_read(&p, program != NULL ? program :
	    ADOPT_PROGRAM) == 0;

	*wide = !known || p.wide;
	*big = known && p.big;
}

/* 0, CLASSIC_OTHER: neither, or LISTING_*. */
static int
read_classic(struct listing_source *s, const char *path, const char *program,
    struct fault *f)
{
	struct stat st;
	size_t size;
	bool wide, big;
	int ret;

	layout_of(program, &wide, &big);
	s->file.path = path;
	ret = stat(path, &st) != 0 ? -errno : 0;
	if (ret == 0)
		ret = readall(path, &s->bytes, &size, f);
	if (ret < 0 && f->what == NULL)
		fault_set(f, "cannot be opened", FAULT_NO_OFFSET, -ret);
	if (ret == READALL_NONE)
		listing_fault(f, LISTING_INPUT, "is no regular file that can "
		    "be read", FAULT_NO_OFFSET);
	if (ret != 0)
		return LISTING_SYSTEM;
	s->file.written = st.st_mtime;
	ret = classic_open(&s->file.classic, s->bytes, size, wide, big, f);
	if (ret == CLASSIC_OTHER)
		listing_fault(f, LISTING_INPUT, "is no profile",
		    FAULT_NO_OFFSET);
	return ret == 0 ? 0 : LISTING_INPUT;
}

bool
listing_source_is(const char *path, const char *program)
{
	struct listing_source s = { 0 };
	struct fault f = { 0 };
	const bool is = !load_is_profile(path) &&
	    read_classic(&s, path, program, &f) == 0;

	free(s.bytes);
	return is;
}

/* What has changed since would give addresses wrong names. */
static int
drop_changed(struct model *m)
{
	for (size_t i = MODEL_MODULES; i < m->module_count; i++) {
		struct model_module *own = &m->modules[i];
		struct program p;

		if (own->build_id_bytes == 0 ||
		    program_read(&p, own->path) != 0 ||
		    (p.build_id_bytes == own->build_id_bytes &&
		    memcmp(p.build_id, own->build_id,
		    own->build_id_bytes) == 0))
			continue;
		own->path = arena_join(&m->arena, own->path,
		    strlen(own->path), " (changed since)");
		if (own->path == NULL)
			return -ENOMEM;
	}
	return 0;
}

static void
keep_fault(void *arg, const struct fault *f)
{
	struct fault *first = arg;

	if (first->what == NULL)
		*first = *f;
}

static void
no_progress(void *arg, size_t done, size_t all, const char *what)
{
	(void)arg;
	(void)done;
	(void)all;
	(void)what;
}

static int
convert_model(struct listing_source *s, struct model *m,
    const struct input *in, struct fault *f)
{
	size_t size = 0;
	FILE *out;
	int ret = gather_all(m, in, keep_fault, no_progress, f);

	if (ret == 0 && f->what == NULL)
		ret = symbolise_all(m, no_progress, NULL);
	if (ret == 0)
		ret = drop_changed(m);
	if (ret != 0)
		return listing_memory(f);
	if (f->what != NULL)
		return LISTING_INPUT;
	out = open_memstream((char **)&s->bytes, &size);
	if (out == NULL)
		return listing_memory(f);
	ret = export_stream(m, out, f);
	if (fclose(out) != 0)
		return listing_memory(f);
	if (ret == 0)
		ret = classic_open(&s->file.classic, s->bytes, size, true,
		    false, f);
	return ret == 0 ? 0 : LISTING_INPUT;
}

/* Of the last one, as of the files of others. */
static time_t
written_at(const struct input *in)
{
	struct stat st;
	time_t last = 0;

	for (size_t i = 0; i < in->count; i++)
		if (stat(in->files[i].path, &st) == 0 && st.st_mtime > last)
			last = st.st_mtime;
	return last;
}

static int
convert(struct listing_source *s, const struct input *in, struct fault *f)
{
	static const struct filter every;
	struct model m;
	const char *file;
	int ret = model_init(&m, &every, MODEL_KEEP_ARCS, DEMANGLE_OFF);

	s->file.path = in->files[0].path;
	s->file.written = written_at(in);
	ret = ret != 0 ? listing_memory(f) : convert_model(s, &m, in, f);
	file = f->file;
	model_free(&m);
	/* Faults name files of the input, or what the model had. */
	for (size_t i = 0; i < in->count; i++)
		if (file == in->files[i].path)
			return ret;
	f->file = NULL;
	return ret;
}

/* Ours are set aside in *in. */
static int
read_all(struct listing_source *sources, size_t *made, struct input *in,
    const char *const *paths, size_t count, const char *program,
    struct fault *f)
{
	int ret = 0;

	for (size_t i = 0; i < count && ret == 0; i++) {
		f->file = paths[i];
		if (load_is_profile(paths[i])) {
			in->files[in->count++] = (struct input_file) {
				.path = (char *)paths[i], .named = true,
			};
			continue;
		}
		ret = read_classic(&sources[(*made)++], paths[i], program, f);
		f->file = paths[i];
	}
	if (ret == 0 && in->count != 0 && *made != 0) {
		ret = listing_fault(f, LISTING_INPUT, "is a profile of another "
		    "kind, and cannot be summed", FAULT_NO_OFFSET);
		f->file = in->files[0].path;
	}
	return ret;
}

int
listing_source_read(struct listing_source *sources, size_t *made,
    const char *const *paths, size_t count, const char *program,
    struct fault *f)
{
	struct input in = { .files = calloc(count + 1, sizeof(*in.files)) };
	int ret;

	*made = 0;
	memset(sources, 0, count * sizeof(*sources));
	if (in.files == NULL)
		return listing_memory(f);
	ret = read_all(sources, made, &in, paths, count, program, f);
	if (ret == 0 && in.count != 0) {
		*made = 1;
		ret = convert(&sources[0], &in, f);
	}
	free(in.files);
	return ret;
}

void
listing_source_free(struct listing_source *sources, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(sources[i].bytes);
}

const char *
listing_program(const char *named, const char *const *paths, size_t count)
{
	if (named != NULL)
		return named;
	/* Ours know what they are of. */
	return count != 0 && load_is_profile(paths[0]) ? NULL : ADOPT_PROGRAM;
}
