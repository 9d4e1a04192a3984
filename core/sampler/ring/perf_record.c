/*
 * Context: O.  Decodes ring entries of the kernel, for event_order.c;
 * perf_buffer.c asks for their sizes; see perf_record.h.  Takes no memory: call
 * chain, stack and text of a struct perf_record point into the caller's bytes.
 * No length in an entry is trusted.
 */
#include "ring/perf_record.h"

#include <string.h>
#include <sys/mman.h>

/*
 * The part of a ring entry that is still to be read.  `bad` is set once a field
 * does not fit in it.
 */
struct entry_cursor {
	const unsigned char *at;
	size_t left;
	bool bad;
};

/* Copies the next bytes; zeros, with r->bad set, if there are fewer. */
static void
take_raw(struct entry_cursor *r, void *to, size_t bytes)
{
	if (r->bad || r->left < bytes) {
		r->bad = true;
		memset(to, 0, bytes);
		return;
	}
	memcpy(to, r->at, bytes);
	r->at += bytes;
	r->left -= bytes;
}

static uint64_t
take_u64(struct entry_cursor *r)
{
	uint64_t v;

	take_raw(r, &v, sizeof(v));
	return v;
}

static uint32_t
take_u32(struct entry_cursor *r)
{
	uint32_t v;

	take_raw(r, &v, sizeof(v));
	return v;
}

/*
 * Returns where the next `count` elements of `each` bytes are, and moves behind
 * them; NULL, with r->bad set, if there are fewer.
 */
static const unsigned char *
take_bytes(struct entry_cursor *r, uint64_t count, size_t each)
{
	const unsigned char *at = r->at;

	if (r->bad || count > r->left / each) {
		r->bad = true;
		return NULL;
	}
	r->at += count * each;
	r->left -= count * each;
	return at;
}

/* Reads the registers and the stack copy of a PERF_RECORD_SAMPLE. */
static void
take_stack(struct perf_record *k, const struct perf_record_form *form,
    struct entry_cursor *r)
{
	if ((form->sample_type & PERF_SAMPLE_REGS_USER) != 0)
		k->abi = take_u64(r);
	for (uint64_t mask = k->abi == 0 ? 0 : form->regs; mask != 0;
	    mask &= mask - 1)
		/* The mask has 64 bits, so there is always room. */
		if (k->reg_count < PERF_RECORD_REGS)
			k->regs[k->reg_count++] = take_u64(r);
	if ((form->sample_type & PERF_SAMPLE_STACK_USER) == 0)
		return;
	k->stack_bytes = take_u64(r);
	k->stack = take_bytes(r, k->stack_bytes, 1);
	/* The kernel may fill less than it reserves; how much comes behind. */
	if (k->stack_bytes != 0) {
		const uint64_t filled = take_u64(r);

		if (filled < k->stack_bytes)
			k->stack_bytes = filled;
	}
}

/* Reads a PERF_RECORD_SAMPLE. */
static void
read_sample(struct perf_record *k, const struct perf_record_form *form,
    struct entry_cursor *r)
{
	k->id = take_u64(r);
	k->ip = take_u64(r);
	k->pid = (int32_t)take_u32(r);
	k->tid = (int32_t)take_u32(r);
	k->time = take_u64(r);
	k->cpu = take_u32(r);
	take_u32(r);
	k->period = take_u64(r);
	if ((form->sample_type & PERF_SAMPLE_CALLCHAIN) != 0) {
		k->chain_count = take_u64(r);
		k->chain = take_bytes(r, k->chain_count, 8);
	}
	take_stack(k, form, r);
}

/*
 * Reads the fields that sample_id_all puts at the end of all ring entries but
 * samples.
 */
static void
read_trailer(struct perf_record *k, struct entry_cursor *r)
{
	const size_t bytes = 4 * sizeof(uint64_t);
	struct entry_cursor tail;

	if (r->left < bytes) {
		r->bad = true;
		return;
	}
	r->left -= bytes;
	tail = (struct entry_cursor) { r->at + r->left, bytes, false };
	k->pid = (int32_t)take_u32(&tail);
	k->tid = (int32_t)take_u32(&tail);
	k->time = take_u64(&tail);
	k->cpu = take_u32(&tail);
	take_u32(&tail);
	k->id = take_u64(&tail);
}

static void
take_text(struct perf_record *k, struct entry_cursor *r)
{
	if (r->bad || memchr(r->at, '\0', r->left) == NULL)
		r->bad = true;
	else
		k->text = (const char *)r->at;
}

/* Reads PERF_RECORD_MMAP2, with either a build-id or a device and an inode. */
static void
read_mapping(struct perf_record *k, struct entry_cursor *r)
{
	unsigned char file[24];
	uint32_t number[2];

	k->pid = (int32_t)take_u32(r);
	k->tid = (int32_t)take_u32(r);
	k->start = take_u64(r);
	k->length = take_u64(r);
	k->offset = take_u64(r);
	take_raw(r, file, sizeof(file));
	if ((k->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) != 0) {
		k->build_id_bytes = file[0] <= sizeof(k->build_id) ?
		    file[0] : 0;
		memcpy(k->build_id, file + 4, k->build_id_bytes);
	} else {
		memcpy(number, file, sizeof(number));
		k->device = (uint64_t)number[0] << 32 | number[1];
		memcpy(&k->inode, file + 8, sizeof(k->inode));
	}
	k->executable = (take_u32(r) & PROT_EXEC) != 0;
	take_u32(r);
	take_text(k, r);
}

/*
 * Reads a ring entry that is no PERF_RECORD_SAMPLE.  The trailer has pid and
 * tid of the thread that was running; those in the entry, if any, replace them.
 */
static void
read_other(struct perf_record *k, struct entry_cursor *r)
{
	read_trailer(k, r);
	switch (k->type) {
	case PERF_RECORD_MMAP2:
		read_mapping(k, r);
		break;
	case PERF_RECORD_COMM:
		k->pid = (int32_t)take_u32(r);
		k->tid = (int32_t)take_u32(r);
		take_text(k, r);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		k->pid = (int32_t)take_u32(r);
		k->ppid = (int32_t)take_u32(r);
		k->tid = (int32_t)take_u32(r);
		k->ptid = (int32_t)take_u32(r);
		break;
	case PERF_RECORD_LOST:
		take_u64(r);
		k->lost = take_u64(r);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		k->lost = take_u64(r);
		break;
	}
}

size_t
perf_record_size(const unsigned char *bytes, size_t left)
{
	struct perf_event_header h;

	if (left < sizeof(h))
		return 0;
	memcpy(&h, bytes, sizeof(h));
	return h.size >= sizeof(h) && h.size <= left ? h.size : 0;
}

bool
perf_record_read(struct perf_record *k, const struct perf_record_form *form,
    const unsigned char *bytes, size_t size)
{
	struct perf_event_header h;
	struct entry_cursor r = { bytes, size, false };

	memset(k, 0, sizeof(*k));
	take_raw(&r, &h, sizeof(h));
	if (r.bad || h.size < sizeof(h) || h.size > size)
		return false;
	r.left = h.size - sizeof(h);
	k->type = h.type;
	k->misc = h.misc;
	if (h.type == PERF_RECORD_SAMPLE)
		read_sample(k, form, &r);
	else
		read_other(k, &r);
	if (r.bad)
		memset(k, 0, sizeof(*k));
	return !r.bad;
}
