/*
 * Context: O.  Reads a file, analyses its code by core/entry, and adds up its
 * functions; see scan_file.h.
 */
#include "scan/scan_file.h"

#include "base/regular_file.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* The scan of one file. */
struct scan {
	struct code_image image;
	struct unwind_functions functions;
	struct jump_targets targets;
	struct scan_sums *sums;
	scan_file_uncounted *each;
	void *arg;
};

/*
 * Reads up to `bytes` bytes into a new buffer: the file may be cut meanwhile.
 * Returns it, for free(3), with *bytes set to how many it has; NULL with errno.
 */
static uint8_t *
read_bytes(int fd, size_t *bytes)
{
	uint8_t *all = malloc(*bytes + 1);
	size_t got = 0;
	ssize_t n = 1;

	if (all == NULL)
		return NULL;
	while (got < *bytes && n > 0) {
		n = read(fd, all + got, *bytes - got);
		if (n > 0)
			got += (size_t)n;
		else if (n < 0 && errno == EINTR)
			n = 1;
	}
	*bytes = got;
	if (n >= 0)
		return all;
	free(all);
	return NULL;
}

/* Returns the bytes of a file, for free(3); NULL with *f filled. */
static uint8_t *
read_file(const char *name, size_t *bytes, struct fault *f)
{
	struct stat st;
	const int fd = regular_file_open(name, 0, &st);
	uint8_t *all;

	if (fd < 0) {
		fault_set(f, fd == -ENOEXEC ? "is no regular file" :
		    "cannot be opened",
		    FAULT_NO_OFFSET, fd == -ENOEXEC ? 0 : -fd);
		return NULL;
	}
	*bytes = (size_t)st.st_size;
	all = read_bytes(fd, bytes);
	if (all == NULL)
		fault_set(f, "cannot be read", FAULT_NO_OFFSET, errno);
	close(fd);
	return all;
}

/* Opens the image and its table.  Returns 0, or -errno with *f filled. */
static int
open_image(struct scan *s, const uint8_t *file, size_t bytes, struct fault *f)
{
	switch (code_image_open(&s->image, file, bytes)) {
	case CODE_IMAGE_OPEN:
		break;
	case CODE_IMAGE_NOT_ELF:
		fault_set(f, "is no program or library for x86-64",
		    FAULT_NO_OFFSET, 0);
		f->remedy = "--scan reads ELF files that can be run or loaded";
		return -EINVAL;
	case CODE_IMAGE_CUT:
		fault_set(f, "is cut: a program header names bytes that it "
		    "does not have", FAULT_NO_OFFSET, 0);
		f->remedy = "copy the file again";
		return -EINVAL;
	default:
		return fault_set(f, "has more segments than linkers write",
		    FAULT_NO_OFFSET, 0);
	}
	if (unwind_functions_open(&s->functions, &s->image))
		return 0;
	fault_set(f, "has no table of functions (.eh_frame_hdr)",
	    FAULT_NO_OFFSET, 0);
	f->remedy = "none of its calls can be counted; link it with "
	    "--eh-frame-hdr";
	return -EINVAL;
}

/* Adds a function, with the bytes that no function before it has had. */
static void
add_function(struct scan_sum *to, const struct unwind_function *f,
    uint64_t *end)
{
	const uint64_t from = f->start > *end ? f->start : *end;

	to->functions++;
	if (f->start + f->bytes <= from)
		return;
	to->bytes += f->start + f->bytes - from;
	*end = f->start + f->bytes;
}

static void
add_functions(struct scan *s)
{
	struct unwind_function f;
	uint64_t end = 0;

	for (uint64_t i = 0; i < s->functions.count; i++) {
		enum entry_way way;

		if (!unwind_functions_read(&s->functions, i, &f))
			continue;
		if (f.part) {
			add_function(&s->sums->parts, &f, &end);
			continue;
		}
		way = entry_place_choose(&s->image, &s->targets, &f).way;
		add_function(&s->sums->ways[way], &f, &end);
		if (way > ENTRY_TRAPPED && s->each != NULL)
			s->each(s->arg, &f, way);
	}
}

static uint64_t
code_bytes(const struct code_image *image)
{
	uint64_t bytes = 0;

	for (unsigned i = 0; i < image->segment_count; i++)
		if (image->segments[i].executable)
			bytes += image->segments[i].bytes;
	return bytes;
}

/* Fills the sums of an open image.  Returns 0, or -errno with *f filled. */
static int
scan_image(struct scan *s, struct fault *f)
{
	const size_t bytes = jump_targets_size(&s->targets, &s->image);
	void *memory;

	if (bytes == 0)
		return fault_set(f, "has no code, or more than 2 GiB of it",
		    FAULT_NO_OFFSET, 0);
	memory = calloc(1, bytes);
	if (memory == NULL)
		return fault_set_no_memory(f);
	jump_targets_find(&s->targets, &s->functions, memory);
	s->sums->code = code_bytes(&s->image);
	s->sums->undecoded = s->targets.undecoded;
	add_functions(s);
	free(memory);
	return 0;
}

int
scan_file(const char *name, struct scan_sums *sums, scan_file_uncounted *each,
    void *arg, struct fault *f)
{
	struct scan s = { .sums = sums, .each = each, .arg = arg };
	size_t bytes;
	uint8_t *file = read_file(name, &bytes, f);
	int ret = -EIO;

	*sums = (struct scan_sums) { 0 };
	if (file != NULL) {
		ret = open_image(&s, file, bytes, f);
		if (ret == 0)
			ret = scan_image(&s, f);
		free(file);
	}
	f->file = name;
	return ret;
}

static void
add_sum(struct scan_sum *all, const struct scan_sum *one)
{
	all->functions += one->functions;
	all->bytes += one->bytes;
}

void
scan_sums_add(struct scan_sums *all, const struct scan_sums *one)
{
	for (unsigned way = 0; way < ENTRY_WAYS; way++)
		add_sum(&all->ways[way], &one->ways[way]);
	add_sum(&all->parts, &one->parts);
	all->code += one->code;
	all->undecoded += one->undecoded;
}

struct scan_sum
scan_sums_of(const struct scan_sums *sums, bool counted)
{
	struct scan_sum sum = { 0 };

	for (unsigned way = 0; way < ENTRY_WAYS; way++)
		if ((way <= ENTRY_TRAPPED) == counted)
			add_sum(&sum, &sums->ways[way]);
	return sum;
}
