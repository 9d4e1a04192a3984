/* Context: O.  The names that a file has itself into the model. */
#include "ingest_names.h"

#include "grow.h"

#include <errno.h>

/* A text of the file, by its index. */
struct text {
	uint32_t index;
	const char *own;
};

struct names {
	struct model *model;
	const struct decode *file;
	uint32_t process;
	ingest_place *module;
	const void *arg;
	struct fault *fault;
	struct text *texts;
	size_t text_count, text_room;
	struct finder by_index;
	struct lines_frame *frames;	/* of one place */
	size_t frame_room;
	size_t left;		/* bytes that texts can still have */
	bool failed;
};

static const char *
fail(struct names *x)
{
	fault_set(x->fault, "out of memory", FAULT_NO_OFFSET, ENOMEM);
	x->failed = true;
	return NULL;
}

static const char *
copy_text(struct names *x, uint32_t index, uint32_t hash)
{
	struct text t = { .index = index };
	uint32_t bytes;
	const char *text = decode_text(x->file, index, &bytes, x->fault);

	/* Texts that overlap would be more than the file. */
	if (text != NULL && bytes > x->left) {
		fault_set(x->fault, "names are longer than the file",
		    (uint64_t)index * FORMAT_UNIT, 0);
		x->failed = true;
		return NULL;
	}
	x->left -= bytes;
	t.own = text == NULL ? NULL : arena_copy(&x->model->arena, text,
	    bytes);
	if (t.own == NULL || grow(&x->texts, x->text_count, &x->text_room,
	    sizeof(t)) != 0 || finder_add(&x->by_index, hash,
	    (uint32_t)x->text_count) != 0)
		return fail(x);
	x->texts[x->text_count++] = t;
	return t.own;
}

/*
 * Each is copied once, as all may name a long one.  NULL: none, or it failed.
 */
static const char *
text_of(struct names *x, uint32_t index)
{
	const uint32_t hash = finder_hash(index);
	uint32_t n;

	if (index == 0)
		return NULL;
	for (size_t at = hash; (n = finder_next(&x->by_index, hash, &at)) !=
	    FINDER_NONE;)
		if (x->texts[n].index == index)
			return x->texts[n].own;
	return copy_text(x, index, hash);
}

static int
add_frames(struct names *x, const struct decode_place *p)
{
	for (uint32_t i = 0; i < p->place.scopes; i++) {
		const struct format_scope s = decode_scope(p, i);

		if (grow(&x->frames, i, &x->frame_room,
		    sizeof(*x->frames)) != 0)
			return -ENOMEM;
		x->frames[i] = (struct lines_frame) {
			.function = text_of(x, s.function),
			.file = text_of(x, s.file),
			.line = s.line,
		};
	}
	return 0;
}

static int
add_place(void *arg, const struct decode_place *p)
{
	struct names *x = arg;
	const uint32_t module = x->module(x->arg, p);
	const struct given_place own = {
		.module = module,
		.process = model_is_absolute(module) ? x->process : MODEL_NONE,
		.address = p->place.address,
		.start = p->place.start,
		.name = text_of(x, p->place.name),
		.count = p->place.scopes,
	};

	if (!x->failed && (add_frames(x, p) != 0 ||
	    given_add(&x->model->given, &own, x->frames) != 0))
		fail(x);
	return !x->failed ? 0 : x->fault->errnum == ENOMEM ? -ENOMEM : -EINVAL;
}

int
ingest_names(struct model *m, const struct decode *d, uint32_t process,
    ingest_place *module, const void *arg, struct fault *f)
{
	struct names x = {
		.model = m, .file = d, .process = process, .module = module,
		.arg = arg, .fault = f, .left = d->size,
	};
	int ret = decode_names(d, add_place, &x, f);

	finder_free(&x.by_index);
	free(x.texts);
	free(x.frames);
	return ret;
}
