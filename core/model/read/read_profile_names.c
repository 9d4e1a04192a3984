/*
 * Context: O.  Reads the names that a profile embeds, for read_profile.c: texts
 * are copied into the model once, and places are added to m->given.
 */
#include "read/read_profile_names.h"

#include "base/vector.h"

#include <errno.h>

/* A text of the file, by its record index. */
struct name_text {
	uint32_t index;
	const char *own;
};

/* State while the names of a file are read. */
struct name_reader {
	struct model *model;
	const struct decode *file;
	uint32_t process;
	read_profile_names_place *module;
	const void *arg;
	struct fault *fault;
	struct name_text *texts;
	size_t text_count, text_room;
	struct hash_index by_index;
	struct lines_frame *frames;	/* of one place, in work */
	size_t frame_room;
	size_t left;		/* bytes that texts may still have in all */
	bool failed;
};

/* Sets the fault for a lack of memory.  Returns NULL. */
static const char *
fail_names(struct name_reader *x)
{
	fault_set_no_memory(x->fault);
	x->failed = true;
	return NULL;
}

/*
 * Returns a copy of the text at `index`, which is noted for find_name_text();
 * NULL with x->failed and the fault set.
 */
static const char *
copy_name_text(struct name_reader *x, uint32_t index, uint32_t hash)
{
	struct name_text t = { .index = index };
	uint32_t bytes;
	const char *name_text = decode_text(x->file, index, &bytes, x->fault);

	/*
	 * Without this check, overlapping texts could need more memory than the
	 * file has bytes.
	 */
	if (name_text != NULL && bytes > x->left) {
		fault_set(x->fault, "names are longer than the file",
		    (uint64_t)index * FORMAT_UNIT, 0);
		x->failed = true;
		return NULL;
	}
	x->left -= bytes;
	t.own = name_text == NULL ? NULL : arena_copy(&x->model->arena,
	    name_text, bytes);
	if (t.own == NULL || vector_grow(&x->texts, x->text_count,
	    &x->text_room, sizeof(t)) != 0 || hash_index_add(&x->by_index, hash,
	    (uint32_t)x->text_count) != 0)
		return fail_names(x);
	x->texts[x->text_count++] = t;
	return t.own;
}

/*
 * Returns a copy of a text of the file, which lives as long as the model.  Each
 * text is copied once, as many records may name one long text.  Returns NULL if
 * index is 0, or on failure, with x->failed set.
 */
static const char *
find_name_text(struct name_reader *x, uint32_t index)
{
	const uint32_t hash = hash_index_hash(index);
	uint32_t n;

	if (index == 0)
		return NULL;
	for (size_t at = hash; (n = hash_index_next(&x->by_index, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (x->texts[n].index == index)
			return x->texts[n].own;
	return copy_name_text(x, index, hash);
}

/* Sets x->frames to the scopes of a place.  Returns 0 or -ENOMEM. */
static int
read_scope_frames(struct name_reader *x, const struct decode_place *p)
{
	for (uint32_t i = 0; i < p->place.scopes; i++) {
		const struct format_scope s = decode_scope(p, i);

		if (vector_grow(&x->frames, i, &x->frame_room,
		    sizeof(*x->frames)) != 0)
			return -ENOMEM;
		x->frames[i] = (struct lines_frame) {
			.function = find_name_text(x, s.function),
			.file = find_name_text(x, s.file),
			.line = s.line,
		};
	}
	return 0;
}

/*
 * Adds a place to m->given.  Visit of decode_names().  Returns 0, or -EINVAL or
 * -ENOMEM with the fault set.
 */
static int
add_named_place(void *arg, const struct decode_place *p)
{
	struct name_reader *x = arg;
	const uint32_t module = x->module(x->arg, p);
	const struct embedded_names_place own = {
		.module = module,
		.process = model_is_absolute(module) ? x->process : MODEL_NONE,
		.address = p->place.address,
		.start = p->place.start,
		.name = find_name_text(x, p->place.name),
		.count = p->place.scopes,
	};

	if (!x->failed && (read_scope_frames(x, p) != 0 ||
	    embedded_names_add(&x->model->given, &own, x->frames) != 0))
		fail_names(x);
	return !x->failed ? 0 : x->fault->errnum == ENOMEM ? -ENOMEM : -EINVAL;
}

int
read_profile_names(struct model *m, const struct decode *d, uint32_t process,
    read_profile_names_place *module, const void *arg, struct fault *f)
{
	struct name_reader x = {
		.model = m, .file = d, .process = process, .module = module,
		.arg = arg, .fault = f, .left = d->size,
	};
	int ret = decode_names(d, add_named_place, &x, f);

	hash_index_free(&x.by_index);
	free(x.texts);
	free(x.frames);
	return ret;
}
