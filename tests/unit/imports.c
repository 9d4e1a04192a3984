/* Context: O.  Says in words what readers of other profilers' files find. */
#include "imports.h"

#include "tail.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct import imports_x;
struct fault imports_f;

static char words[16384];
static FILE *out;

/* The copy of the last file, whose texts may still be looked at. */
static unsigned char *copy;
static size_t copied;
static struct import last;

static void
put(const char *between, struct text t)
{
	if (t.at != NULL)
		fprintf(out, "%s%.*s", between, (int)t.bytes, t.at);
}

static void
put_frame(const struct import_frame *f)
{
	if (f->name.at == NULL)
		fprintf(out, "%#" PRIx64, f->address);
	put("", f->name);
	if (f->offset != IMPORT_NO_ADDRESS)
		fprintf(out, "+%" PRIu64, f->offset);
	if (f->file.at != NULL || f->line != 0) {
		putc(' ', out);
		put("", f->file);
		fprintf(out, ":%" PRIu32, f->line);
	}
	if (f->module.path.at != NULL) {
		put(" (", f->module.path);
		if (f->module.end != 0)
			fprintf(out, " %" PRIx64 "-%" PRIx64 " at %" PRIx64,
			    f->module.start, f->module.end, f->module.offset);
		put(" ", f->module.build_id);
		putc(')', out);
	}
}

static int
on_sample(void *arg, const struct import_sample *s)
{
	(void)arg;
	fprintf(out, "%" PRId64 " of %" PRId64 ": ", s->count, s->value);
	for (size_t i = 0; i < s->depth; i++) {
		put_frame(&s->frames[i]);
		if (i + 1 < s->depth)
			fputs(s->frames[i].inlined ? " ~" : " <", out);
	}
	if (s->pid != IMPORT_NO_PID || s->tid != IMPORT_NO_PID)
		fprintf(out, " by %d/%d", s->pid, s->tid);
	put(" ", s->program);
	put(" ", s->thread);
	putc('\n', out);
	return 0;
}

static int
on_call(void *arg, const struct import_call *c)
{
	(void)arg;
	put_frame(&c->from);
	fputs(" -> ", out);
	put_frame(&c->self);
	fprintf(out, " %" PRIu64 " calls, %" PRId64 "\n", c->count, c->value);
	return 0;
}

const char *
imports_read(const void *bytes, size_t size, enum import_format asked,
    const char *choice, struct import *x, struct fault *f)
{
	const struct import_sink sink = { NULL, on_sample, on_call };
	int ret;

	import_close(&last);
	if (copy != NULL)
		tail_free(copy, copied);
	copy = tail_copy(bytes, size);
	copied = size;
	*f = (struct fault) { .what = NULL };
	memset(words, 0, sizeof(words));
	/* Without its last byte, which ends a text. */
	out = fmemopen(words, sizeof(words) - 1, "w");
	if (out == NULL)
		abort();
	ret = import_open(x, copy, size, asked, f);
	if (ret == 0 && choice != NULL)
		x->choice = text_of(choice);
	if (ret == 0)
		ret = import_read(x, &sink, f);
	if ((ret < 0) != (f->what != NULL) || (ret < 0 &&
	    f->offset != FAULT_NO_OFFSET && f->offset > size))
		abort();
	fclose(out);
	last = *x;
	return ret == 0 ? words : NULL;
}

const char *
imports_text(const char *text, enum import_format asked, const char *choice,
    struct import *x, struct fault *f)
{
	return imports_read(text, strlen(text), asked, choice, x, f);
}

void
imports_is(enum import_format format, const char *text, const char *wanted)
{
	const char *got = imports_text(text, IMPORT_NONE, NULL, &imports_x, &imports_f);

	cr_assert_not_null(got, "%s: %s", text, imports_f.what);
	cr_expect_str_eq(got, wanted);
	cr_expect_eq(imports_x.format, format);
}

void
imports_wrong(enum import_format asked, const char *text, const char *what,
    uint64_t line)
{
	cr_assert_null(imports_text(text, asked, NULL, &imports_x, &imports_f), "%s", text);
	cr_assert_not_null(imports_f.what, "%s", text);
	cr_expect_str_eq(imports_f.what, what);
	cr_expect_eq(imports_f.line, line, "%s: in %llu", text,
	    (unsigned long long)imports_f.line);
}

/*
 * Checks what is read, and what is left out: the reason, the first line, how
 * many.
 */
void
imports_left(enum import_format asked, const char *text, const char *wanted,
    const char *what, uint64_t line, uint64_t count)
{
	const char *got = imports_text(text, asked, NULL, &imports_x, &imports_f);

	cr_assert_not_null(got, "%s: %s", text, imports_f.what);
	cr_expect_str_eq(got, wanted, "%s:\n%s", text, got);
	cr_assert_eq(imports_x.skipped.count, count, "%s: %llu", text,
	    (unsigned long long)imports_x.skipped.count);
	cr_expect_str_eq(imports_x.skipped.what, what, "%s", imports_x.skipped.what);
	cr_expect_eq(imports_x.skipped.first, line, "%s: %llu", text,
	    (unsigned long long)imports_x.skipped.first);
}

void
imports_hurt(const void *bytes, size_t size, enum import_format asked)
{
	unsigned char *hurt = malloc(size);
	struct import x;
	struct fault f;

	if (hurt == NULL)
		abort();
	memcpy(hurt, bytes, size);
	for (size_t i = 0; i < size; i++) {
		imports_read(bytes, i, asked, NULL, &x, &f);
		for (unsigned bit = 0; bit < 8; bit++) {
			hurt[i] ^= (unsigned char)(1u << bit);
			imports_read(hurt, size, asked, NULL, &x, &f);
			hurt[i] ^= (unsigned char)(1u << bit);
		}
	}
	free(hurt);
}
