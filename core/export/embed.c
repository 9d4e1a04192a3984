/*
 * Context: O.  prof --embed: stores the names of a profile's places in it, for
 * cmd/prof/per_file.c; see embed.h.
 *
 * Texts and blocks are put behind what the process wrote.  Older names are
 * dropped, as the new ones include them.
 */
#include "embed.h"

#include "base/model.h"
#include "embed_names.h"
#include "foreign/read_tprof.h"
#include "foreign/tprof_file.h"
#include "load.h"
#include "names/symbolize.h"
#include "output.h"
#include "process_state.h"
#include "read/read_profile.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The state of embedding one file. */
struct embed {
	struct load load;
	struct model model;
	struct embed_names names;
	uint64_t base;		/* bytes of the file before the names */
	struct embed_sum *sum;
};

/* Writes the file up to x->base with a new header, and the names behind it. */
static void
put_file(struct embed *x, const void *tail, size_t bytes, FILE *out)
{
	struct format_header h;

	memcpy(&h, x->load.copy.bytes, sizeof(h));
	h.names = x->names.newest;
	h.names_at = x->names.newest != 0 ? x->base : 0;
	h.used = (h.used & FORMAT_CLOSED) | (x->base + bytes);
	if (h.cap < x->base + bytes)
		h.cap = x->base + bytes;
	fwrite(&h, sizeof(h), 1, out);
	fwrite(x->load.copy.bytes + sizeof(h), 1, x->base - sizeof(h), out);
	fwrite(tail, 1, bytes, out);
}

/*
 * Writes the new file and puts it in place of `path`, with its owner, or at
 * `to`.  Returns 0 or -errno with *f set.
 */
static int
save_embedded(struct embed *x, const char *path, const char *to,
    const void *tail, size_t bytes, struct fault *f)
{
	struct output o;
	struct stat st;
	int ret = to == NULL ? output_replace(&o, path, f) :
	    output_open(&o, to, f);

	if (ret != 0)
		return ret;
	if (to == NULL && stat(path, &st) == 0)
		(void)!fchown(fileno(o.out), st.st_uid, st.st_gid);
	put_file(x, tail, bytes, o.out);
	x->sum->bytes = bytes;
	return output_close(&o, f);
}

static int
refuse_embed(const char *what, const char *remedy, struct fault *f)
{
	int ret = fault_set(f, what, FAULT_NO_OFFSET, 0);

	f->remedy = remedy;
	return ret;
}

/*
 * Checks that no process still writes to the file: it would go on counting in a
 * file that no longer has a name.
 */
static int
check_writer(const struct embed *x, const char *to, struct fault *f)
{
	const struct format_header *h = &x->load.decode.header;
	const int alive = x->load.decode.sealed ? 0 : process_state_check(h);

	/*
	 * A copy of a running process's file would be taken for its final
	 * state.
	 */
	if (alive > 0)
		return refuse_embed("its process still runs",
		    "wait for its end", f);
	if (alive < 0 && to == NULL)
		return refuse_embed("its process may still run, elsewhere",
		    "store a copy with -o", f);
	if (x->load.copy.size < h->used)
		return refuse_embed("is cut short: no names can be added", NULL,
		    f);
	return 0;
}

/*
 * Checks that the file without its old names is a whole profile, as the rest is
 * dropped.  In a file that is not sealed no link may be lost by that.
 */
static int
check_base(struct embed *x, struct fault *f)
{
	struct format_header *h = (void *)x->load.copy.bytes;
	const struct format_header was = *h;
	struct decode d;
	int ret;

	if (was.names_at == 0)
		return 0;
	h->names = 0;
	h->names_at = 0;
	h->used = x->base | (was.used & FORMAT_CLOSED);
	ret = decode_open(&d, x->load.copy.bytes, x->base, f);
	if (ret == 0) {
		ret = decode_counts_check(&d, f);
		if (ret == 0 && d.cut != 0)
			ret = fault_set(f, "other data lies behind the start "
			    "of the names", x->base, 0);
		decode_close(&d);
	}
	*h = was;
	return ret;
}

/*
 * Reads the profile into x->model, names its places and collects them.  Returns
 * 0 or -errno; -ENOMEM does not set *f.
 */
static int
read_names(struct embed *x, const struct filter *all, struct fault *f)
{
	int ret = model_init(&x->model, all, MODEL_KEEP_PROCESS |
	    MODEL_KEEP_STACKS | MODEL_KEEP_LINES | MODEL_KEEP_ARCS |
	    MODEL_KEEP_PLACES,
	    DEMANGLE_OFF);

	if (ret == 0)
		ret = read_profile_add(&x->model, &x->load.decode, f);
	if (ret == 0)
		ret = model_finish(&x->model);
	if (ret == 0)
		ret = symbolize_all(&x->model, NULL, NULL);
	if (ret == 0)
		ret = embed_names_collect(&x->names, &x->model);
	x->sum->places = x->names.all_count;
	x->sum->named = x->names.count;
	return ret;
}

int
embed(const char *path, const char *to, struct embed_sum *sum,
    struct fault *f)
{
	const struct filter all = { 0 };
	struct embed x = { .sum = sum };
	FILE *names = NULL;
	char *tail = NULL;
	size_t bytes = 0;
	int ret = load_open_raw(&x.load, path, f);

	*sum = (struct embed_sum) { .bytes = 0 };
	if (ret == LOAD_OTHER && tprof_file_probe(path))
		return refuse_embed("is a tprof.out, which has no room for "
		    "names of programs", "--write=pprof makes a file with "
		    "names and stacks, which prof reads anywhere", f);
	if (ret != 0)
		return ret;
	ret = check_writer(&x, to, f);
	x.base = x.load.decode.header.names_at != 0 ?
	    x.load.decode.header.names_at : x.load.decode.header.used;
	if (ret == 0)
		ret = check_base(&x, f);
	if (ret == 0)
		ret = read_names(&x, &all, f);
	if (ret == 0) {
		names = open_memstream(&tail, &bytes);
		ret = names == NULL ? -ENOMEM :
		    embed_names_write(&x.names, x.base, names);
	}
	if (names != NULL && fclose(names) != 0 && ret == 0)
		ret = -ENOMEM;
	if (ret == 0)
		ret = save_embedded(&x, path, to, tail, bytes, f);
	if (ret == -ENOMEM)
		fault_set_no_memory(f);
	free(tail);
	embed_names_free(&x.names);
	model_free(&x.model);
	load_close(&x.load);
	return ret;
}
