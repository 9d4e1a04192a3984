/*
 * Context: P.  Subtracts the baseline of a profile from a copy of it, for
 * load.c, and tells decode_open() the time of the baseline; see baseline.h.
 */
#include "decode/baseline.h"

#include "decode/header.h"

#include <stdbool.h>
#include <string.h>

static bool
is_within(uint64_t at, uint64_t from, uint64_t end)
{
	return at >= from && at + sizeof(uint64_t) <= end;
}

/*
 * Returns whether the 8 bytes at offset `at` of a file of `size` bytes may be
 * subtracted from: every aligned word behind the header may, and in the header
 * the fields from cost_ticks to coarse_ns and the table of losses.
 */
static bool
is_counter(uint64_t at, uint64_t size)
{
	const uint64_t cost = offsetof(struct format_header, cost_ticks);
	const uint64_t loss = offsetof(struct format_header, loss);

	if (at % sizeof(uint64_t) != 0 || at > size)
		return false;
	return is_within(at, FORMAT_HEADER, size) ||
	    is_within(at, cost, offsetof(struct format_header, pad5)) ||
	    is_within(at, loss, loss + LOSS_MAX * sizeof(uint64_t));
}

static int
baseline_fault(struct fault *f, const char *what, uint64_t at)
{
	int ret = fault_set(f, what, at, 0);

	f->remedy = "counts from before and after prof --control end cannot be "
	    "told apart; copy the original again";
	return ret;
}

/* Makes stopped_ns and cpu_birth_ns count from the time of the baseline. */
static void
restart_counting(struct format_header *h, const struct format_baseline *b)
{
	uint64_t stopped = h->stopped_ns & ~FORMAT_UNTIMED;
	uint64_t is = h->stopped_ns & FORMAT_UNTIMED;

	stopped = is != 0 ? stopped + b->stopped_ns :
	    stopped > b->stopped_ns ? stopped - b->stopped_ns : 0;
	h->stopped_ns = (stopped & ~FORMAT_UNTIMED) | is;
	h->cpu_birth_ns = b->cpu_ns;
}

/*
 * Subtracts `words` words of a baseline, which lie at offset `at`.  Returns 0,
 * or -EINVAL with *f set, after some may have been subtracted.
 */
static int
subtract_counters(unsigned char *bytes, uint64_t size, uint64_t at,
    uint32_t words, struct fault *f)
{
	for (; words > 0; words--, at += sizeof(struct format_baseline_word)) {
		struct format_baseline_word w;
		uint64_t now;

		memcpy(&w, bytes + at, sizeof(w));
		if (!is_counter(w.at, size))
			return baseline_fault(f,
			    "a baseline names a place that is no counter", at);
		memcpy(&now, bytes + w.at, sizeof(now));
		now -= w.less;
		memcpy(bytes + w.at, &now, sizeof(now));
	}
	return 0;
}

/* Result of find_baseline(): the baseline is not in the file. */
#define OUTSIDE_FILE UINT64_MAX

/*
 * Copies the header and the baseline out of the bytes.  Returns the offset of
 * the baseline, 0 if there is none, or OUTSIDE_FILE.
 */
static uint64_t
find_baseline(const unsigned char *bytes, uint64_t size,
    struct format_header *h, struct format_baseline *b)
{
	uint64_t at;

	if (size < FORMAT_HEADER)
		return 0;	/* header_read() reports it */
	memcpy(h, bytes, sizeof(*h));
	at = (uint64_t)h->base * FORMAT_UNIT;
	if (at == 0)
		return 0;
	if (at < FORMAT_HEADER || at > size || size - at < sizeof(*b))
		return OUTSIDE_FILE;
	memcpy(b, bytes + at, sizeof(*b));
	return at;
}

/*
 * Handles a peak from before the baseline, whose era is `era`: moves to the
 * next era, which no path knows, so that the peak of each path is what is live
 * now.
 */
static void
restart_peak(unsigned char *bytes, uint64_t size, uint32_t memory, uint32_t era)
{
	const uint64_t at = (uint64_t)memory * FORMAT_UNIT;
	struct format_memory m;

	if (at < FORMAT_HEADER || at > size || size - at < sizeof(m))
		return;
	memcpy(&m, bytes + at, sizeof(m));
	if ((uint32_t)m.era == era) {
		m.era++;
		memcpy(bytes + at, &m, sizeof(m));
	}
}

int
baseline_subtract(void *bytes, uint64_t size, struct fault *f)
{
	struct format_header h;
	struct format_baseline b;
	uint64_t at = find_baseline(bytes, size, &h, &b);
	int ret;

	if (at == 0)
		return 0;
	if (at == OUTSIDE_FILE)
		return baseline_fault(f, "its baseline is not in the file",
		    offsetof(struct format_header, base));
	if ((size - at - sizeof(b)) / sizeof(struct format_baseline_word) <
	    b.words)
		return baseline_fault(f, "its baseline is longer than the file",
		    at + offsetof(struct format_baseline, words));
	ret = subtract_counters(bytes, size, at + sizeof(b), b.words, f);
	if (ret != 0)
		return ret;
	memcpy(&h, bytes, sizeof(h));
	restart_counting(&h, &b);
	memcpy(bytes, &h, sizeof(h));
	restart_peak(bytes, size, h.memory, b.era[0]);
	restart_peak(bytes, size, h.maps, b.era[1]);
	return 0;
}

uint64_t
baseline_mono(const void *bytes, uint64_t size)
{
	struct format_header h;
	struct format_baseline b;
	uint64_t at = find_baseline(bytes, size, &h, &b);

	return at == 0 || at == OUTSIDE_FILE ? 0 : b.mono;
}
