/*
 * Context: O.  Reader of CPU profiles of gperftools: words of the machine that
 * wrote the file (number of samples, number of addresses, the addresses), then
 * the text of its memory map.  import_open() and import_read() call it.
 */
#include "import.h"

#include "bytes.h"
#include "base/compare.h"
#include "base/vector.h"

#include <stdlib.h>

/*
 * Shortest period of a timer that is used.  With a shorter one, as in files of
 * prof, the samples are parts of time, not ticks.
 */
#define SHORTEST	10u	/* us */

/*
 * The header is: 0, the number of words behind these two, version 0,
 * microseconds, 0.
 */
#define HEADER	5u

/* Byte order and word size of the file, and its bytes. */
struct layout {
	struct bytes bytes;
	unsigned word;
};

/*
 * Returns the word of that number, from 0 on; has_words() has said that it is
 * there.
 */
static uint64_t
word_at(const struct layout *l, uint64_t number)
{
	return bytes_get(&l->bytes, number * l->word, l->word);
}

static bool
has_words(const struct layout *l, uint64_t first, uint64_t count)
{
	const uint64_t all = l->bytes.size / l->word;

	return first <= all && count <= all - first;
}

/* Tries the four layouts; the second word tells which is right. */
static bool
find_layout(const struct import *x, struct layout *l)
{
	for (unsigned i = 0; i < 4; i++) {
		*l = (struct layout) {
			.bytes = { x->bytes, x->size, (i & 1) != 0 },
			.word = (i & 2) != 0 ? 4 : 8,
		};
		if (has_words(l, 0, HEADER) && word_at(l, 0) == 0 &&
		    word_at(l, 1) >= HEADER - 2 && word_at(l, 1) < 64 &&
		    word_at(l, 2) == 0)
			return true;
	}
	return false;
}

/*
 * State while a file is read.  The offset of *x is that of the current record.
 */
struct gperftools {
	struct import *x;
	const struct import_sink *sink;
	struct fault *fault;
	struct layout l;
	struct import_module *modules;	/* in the order of the map */
	size_t module_count, module_room;
	struct import_frame *frames;
	size_t room;
	uint64_t period;	/* us */
};

/*
 * Parses "START-END PERMISSIONS OFFSET DEVICE INODE PATH", as /proc/PID/maps
 * has it; path.bytes is 0 for memory without a name.  Returns false if it is no
 * such line.
 */
static bool
take_mapping(struct text line, struct import_module *m)
{
	struct text t = text_trim(line), word;

	*m = (struct import_module) { .end = 0 };
	if (!text_parse_number(&t, 16, &m->start) || !text_skip_prefix(&t,
	    "-") || !text_parse_number(&t, 16, &m->end) || !text_skip_prefix(&t,
	    " "))
		return false;
	text_next_word(&t);
	word = text_next_word(&t);
	if (!text_parse_number(&word, 16, &m->offset) || word.bytes != 0)
		return false;
	text_next_word(&t);
	text_next_word(&t);
	m->path = t;
	return m->start < m->end;
}

/*
 * Returns whether the line is valid in a map though it is no mapping: empty, or
 * "NAME=VALUE", which shortens the paths of others.
 */
static bool
is_ignored_map_line(struct text line)
{
	line = text_trim(line);
	return line.bytes == 0 || (text_is_clean(line) &&
	    text_find_last(line, '=') != NULL);
}

/*
 * Reads the map that begins at that offset.  A last line without end is cut and
 * left out.  Returns 0, or -ENOMEM with *p->fault set.
 */
static int
take_map(struct gperftools *p, uint64_t offset)
{
	const char *all = (const char *)p->x->bytes;
	struct text_lines lines = {
		.rest = { all + offset, p->x->size - offset },
	};
	struct import_module m;
	struct text line;

	while (text_next_line(&lines, &line)) {
		p->x->offset = (uint64_t)(line.at - all);
		if (!take_mapping(line, &m) || (lines.rest.bytes == 0 &&
		    all[p->x->size - 1] != '\n')) {
			if (!is_ignored_map_line(line))
				import_skip(p->x, "not a line of a memory map");
			continue;
		}
		if (m.path.bytes == 0)
			continue;
		if (vector_grow(&p->modules, p->module_count, &p->module_room,
		    sizeof(m)) != 0)
			return fault_set_no_memory(p->fault);
		p->modules[p->module_count++] = m;
	}
	return 0;
}

/*
 * Notes where the first page of each object is mapped; the modules are in order
 * of their addresses.  That page lies below the object's others; a later one of
 * the same file can be another of its segments.
 */
static void
find_first_pages(struct gperftools *p)
{
	const struct import_module *head = NULL;

	for (size_t i = 0; i < p->module_count; i++) {
		struct import_module *m = &p->modules[i];
		const bool same = head != NULL && text_equal(head->path,
		    m->path);

		if (m->offset == 0 && !same)
			head = m;
		if (head == m || same)
			m->head = head->start;
	}
}

static int
compare_map_starts(const void *left, const void *right)
{
	const struct import_module *a = left, *b = right;

	return compare_u64(a->start, b->start);
}

static const struct import_module *
module_at(const struct gperftools *p, uint64_t address)
{
	const size_t below = compare_upper_bound(p->modules, p->module_count,
	    sizeof(*p->modules), offsetof(struct import_module, start),
	    address);

	return below != 0 && address < p->modules[below - 1].end ?
	    &p->modules[below - 1] : NULL;
}

/*
 * Hands the record at word `at` to the sink.  Callers are return addresses,
 * behind their call; 1 is subtracted.  Returns as import_read().
 */
static int
take_record(struct gperftools *p, uint64_t at, uint64_t depth)
{
	const uint64_t count = word_at(&p->l, at);
	struct import_sample s = {
		.count = p->period < SHORTEST ? 0 : (int64_t)count,
		.value = (int64_t)count,
		.depth = depth, .pid = IMPORT_NO_PID, .tid = IMPORT_NO_PID,
	};

	for (uint64_t i = 0; i < depth; i++) {
		struct import_frame frame = import_unknown_frame();
		const struct import_module *m;

		if (vector_grow(&p->frames, i, &p->room, sizeof(frame)) != 0)
			return fault_set_no_memory(p->fault);
		frame.address = word_at(&p->l, at + 2 + i) - (i != 0);
		m = module_at(p, frame.address);
		if (m != NULL)
			frame.module = *m;
		p->frames[i] = frame;
	}
	s.frames = p->frames;
	p->x->taken++;
	return p->sink->sample(p->sink->arg, &s);
}

/*
 * Returns why the file has no readable record at that word, or NULL if it has
 * one.  A stack is never empty: if one seems to be, the place where the next
 * record begins is not known.
 */
static const char *
record_fault(const struct layout *l, uint64_t at)
{
	if (!has_words(l, at, 3))
		return "has no end";
	if (word_at(l, at + 1) == 0)
		return "a stack is empty";
	return has_words(l, at + 2, word_at(l, at + 1)) ? NULL :
	    "a stack is cut short";
}

/*
 * Reads all records up to the end, or to the place where the file is cut off,
 * and sets *end to the word after the last one.  quiet: sets *end only.
 * Returns as import_read().
 */
static int
take_records(struct gperftools *p, uint64_t *end, bool quiet)
{
	const struct layout *l = &p->l;
	uint64_t at = word_at(l, 1) + 2, depth;
	const char *why;
	int ret = 0;

	while ((why = record_fault(l, at)) == NULL && ret == 0) {
		depth = word_at(l, at + 1);
		p->x->offset = at * l->word;
		/* The record 0, 1, 0 ends the samples. */
		if (word_at(l, at) == 0 && depth == 1 &&
		    word_at(l, at + 2) == 0)
			break;
		if (!quiet && word_at(l, at) > INT64_MAX)
			import_skip(p->x, "a number of samples is too large");
		else if (!quiet)
			ret = take_record(p, at, depth);
		at += 2 + depth;
	}
	if (why != NULL && !quiet) {
		p->x->offset = at < p->x->size / l->word ? at * l->word :
		    p->x->size;
		import_skip(p->x, why);
	}
	*end = why == NULL ? at + 3 : l->bytes.size / l->word;
	return ret;
}

bool
gperftools_is(const struct import *x)
{
	struct layout l;

	return find_layout(x, &l) && word_at(&l, 3) != 0;
}

int
gperftools_read(struct import *x, const struct import_sink *sink,
    struct fault *f)
{
	struct gperftools p = { .x = x, .sink = sink, .fault = f };
	uint64_t end;
	int ret;

	if (!find_layout(x, &p.l) || word_at(&p.l, 3) == 0)
		return fault_set(f, "is not a CPU profile of gperftools", 0, 0);
	p.period = word_at(&p.l, 3);
	x->unit = text_of(p.period < SHORTEST ? "us" : "samples");
	x->each_ns = p.period <= UINT32_MAX ? p.period * 1000 : 0;
	ret = take_records(&p, &end, true);
	/* A file that was cut off within a word has less than one left. */
	if (ret == 0 && x->size - end * p.l.word >= p.l.word)
		ret = take_map(&p, end * p.l.word);
	if (p.module_count > 1)
		qsort(p.modules, p.module_count, sizeof(*p.modules),
		    compare_map_starts);
	find_first_pages(&p);
	if (ret == 0)
		ret = take_records(&p, &end, false);
	free(p.modules);
	free(p.frames);
	return ret;
}
