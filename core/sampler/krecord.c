/* Context: O.  Records of the kernel's buffers, each checked as it is read. */
#include "krecord.h"

#include <string.h>

/* What is left of a record; `bad` once it had not what was wanted. */
struct rest {
	const unsigned char *at;
	size_t left;
	bool bad;
};

static void
take(struct rest *r, void *to, size_t bytes)
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
take64(struct rest *r)
{
	uint64_t v;

	take(r, &v, sizeof(v));
	return v;
}

static uint32_t
take32(struct rest *r)
{
	uint32_t v;

	take(r, &v, sizeof(v));
	return v;
}

static const unsigned char *
take_bytes(struct rest *r, uint64_t count, size_t each)
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

static void
take_stack(struct krecord *k, const struct krecord_form *form,
    struct rest *r)
{
	if ((form->sample_type & PERF_SAMPLE_REGS_USER) != 0)
		k->abi = take64(r);
	for (uint64_t mask = k->abi == 0 ? 0 : form->regs; mask != 0;
	    mask &= mask - 1)
		if (k->reg_count < KRECORD_REGS)
			k->regs[k->reg_count++] = take64(r);
	if ((form->sample_type & PERF_SAMPLE_STACK_USER) == 0)
		return;
	k->stack_bytes = take64(r);
	k->stack = take_bytes(r, k->stack_bytes, 1);
	/* Behind the room for it stands how much of that was filled. */
	if (k->stack_bytes != 0) {
		const uint64_t filled = take64(r);

		if (filled < k->stack_bytes)
			k->stack_bytes = filled;
	}
}

static void
read_sample(struct krecord *k, const struct krecord_form *form,
    struct rest *r)
{
	k->id = take64(r);
	k->ip = take64(r);
	k->pid = (int32_t)take32(r);
	k->tid = (int32_t)take32(r);
	k->time = take64(r);
	k->cpu = take32(r);
	take32(r);
	k->period = take64(r);
	if ((form->sample_type & PERF_SAMPLE_CALLCHAIN) != 0) {
		k->chain_count = take64(r);
		k->chain = take_bytes(r, k->chain_count, 8);
	}
	take_stack(k, form, r);
}

/* What stands behind all other records, as sample_id_all has it. */
static void
read_trailer(struct krecord *k, struct rest *r)
{
	const size_t bytes = 4 * sizeof(uint64_t);
	struct rest tail;

	if (r->left < bytes) {
		r->bad = true;
		return;
	}
	r->left -= bytes;
	tail = (struct rest) { r->at + r->left, bytes, false };
	k->pid = (int32_t)take32(&tail);
	k->tid = (int32_t)take32(&tail);
	k->time = take64(&tail);
	k->cpu = take32(&tail);
	take32(&tail);
	k->id = take64(&tail);
}

static void
take_text(struct krecord *k, struct rest *r)
{
	if (r->bad || memchr(r->at, '\0', r->left) == NULL)
		r->bad = true;
	else
		k->text = (const char *)r->at;
}

static void
read_mapping(struct krecord *k, struct rest *r)
{
	const uint32_t exec = 4;	/* PROT_EXEC */
	unsigned char file[24];
	uint32_t number[2];

	k->pid = (int32_t)take32(r);
	k->tid = (int32_t)take32(r);
	k->start = take64(r);
	k->length = take64(r);
	k->offset = take64(r);
	take(r, file, sizeof(file));
	if ((k->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) != 0) {
		k->build_id_bytes = file[0] <= sizeof(k->build_id) ?
		    file[0] : 0;
		memcpy(k->build_id, file + 4, k->build_id_bytes);
	} else {
		memcpy(number, file, sizeof(number));
		k->device = (uint64_t)number[0] << 32 | number[1];
		memcpy(&k->inode, file + 8, sizeof(k->inode));
	}
	k->executable = (take32(r) & exec) != 0;
	take32(r);
	take_text(k, r);
}

static void
read_other(struct krecord *k, struct rest *r)
{
	read_trailer(k, r);
	switch (k->type) {
	case PERF_RECORD_MMAP2:
		read_mapping(k, r);
		break;
	case PERF_RECORD_COMM:
		k->pid = (int32_t)take32(r);
		k->tid = (int32_t)take32(r);
		take_text(k, r);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		k->pid = (int32_t)take32(r);
		k->ppid = (int32_t)take32(r);
		k->tid = (int32_t)take32(r);
		k->ptid = (int32_t)take32(r);
		break;
	case PERF_RECORD_LOST:
		take64(r);
		k->lost = take64(r);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		k->lost = take64(r);
		break;
	}
}

size_t
krecord_size(const unsigned char *bytes, size_t left)
{
	struct perf_event_header h;

	if (left < sizeof(h))
		return 0;
	memcpy(&h, bytes, sizeof(h));
	return h.size >= sizeof(h) && h.size <= left ? h.size : 0;
}

bool
krecord_read(struct krecord *k, const struct krecord_form *form,
    const unsigned char *bytes, size_t size)
{
	struct perf_event_header h;
	struct rest r = { bytes, size, false };

	memset(k, 0, sizeof(*k));
	take(&r, &h, sizeof(h));
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
