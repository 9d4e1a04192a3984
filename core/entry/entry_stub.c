/*
 * Context: P.  Writes the stub of an entry; see entry_stub.h.
 */
#include "entry_stub.h"

#include <string.h>

#define RED_ZONE	128

/* lea -128(%rsp), %rsp; pushf */
static const uint8_t keep[] = { 0x48, 0x8d, 0x64, 0x24, 0x80, 0x9c };
/* popf; lea 128(%rsp), %rsp */
static const uint8_t give_back[] = {
	0x9d, 0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0,
};
/* call *distance(%rip), without the distance */
static const uint8_t call[] = { 0xff, 0x15 };

static void
append_bytes(struct entry_stub *s, const void *bytes, size_t n)
{
	memcpy(s->code + s->bytes, bytes, n);
	s->bytes = (uint8_t)(s->bytes + n);
}

/*
 * Appends the distance from its own end to the address.  Returns whether it
 * fits.
 */
static bool
append_distance(struct entry_stub *s, uint64_t at, uint64_t address)
{
	const int64_t distance = (int64_t)(address - (at + s->bytes + 4));
	const int32_t field = (int32_t)distance;

	append_bytes(s, &field, sizeof(field));
	return field == distance;
}

/* Appends a call of the address in the word at `word`. */
static bool
append_call(struct entry_stub *s, uint64_t at, uint64_t word)
{
	bool fits;

	append_bytes(s, call, sizeof(call));
	fits = append_distance(s, at, word);
	s->returns = s->bytes;
	return fits;
}

static bool
append_jump(struct entry_stub *s, uint64_t at, uint64_t target)
{
	const uint8_t jump = 0xe9;

	append_bytes(s, &jump, sizeof(jump));
	return append_distance(s, at, target);
}

bool
entry_stub_write_call(struct entry_stub *s, const struct entry_place *p,
    uint64_t target, uint64_t at, uint64_t counters)
{
	/* nopl depth(%rax): a place for the depth */
	const uint8_t depth[] = { 0x0f, 0x1f, 0x40, p->call_depth };

	s->bytes = 0;
	s->counter = ENTRY_STUB_DEEP;
	s->displaced.count = 0;
	if (!append_call(s, at, counters + s->counter * sizeof(uint64_t)))
		return false;
	append_bytes(s, depth, sizeof(depth));
	s->displaced_at = s->bytes;
	return append_jump(s, at, target);
}

bool
entry_stub_write(struct entry_stub *s, const struct entry_place *p,
    const uint8_t *code, uint64_t entry, uint64_t at, uint64_t counters)
{
	const bool careful = p->flags_live;

	s->bytes = 0;
	s->counter = careful ? ENTRY_STUB_CAREFUL : ENTRY_STUB_PLAIN;
	if (careful)
		append_bytes(s, keep, sizeof(keep));
	if (!append_call(s, at, counters + s->counter * sizeof(uint64_t)))
		return false;
	if (careful)
		append_bytes(s, give_back, sizeof(give_back));
	s->displaced_at = s->bytes;
	if (!displaced_code_write(&s->displaced, code, p->displaced, entry,
	    at + s->bytes))
		return false;
	append_bytes(s, s->displaced.code, s->displaced.bytes);
	return true;
}

/* Returns what the code before the displaced one has pushed at offset `at`. */
static unsigned
bytes_pushed(const struct entry_stub *s, unsigned at)
{
	if (s->counter != ENTRY_STUB_CAREFUL || at == 0)
		return 0;
	if (at == sizeof(keep) - 1 || at == s->returns + 1u)
		return RED_ZONE;
	return ENTRY_STUB_KEPT;
}

unsigned
entry_stub_origin(const struct entry_stub *s, unsigned at, unsigned *pushed)
{
	const struct displaced_code *d = &s->displaced;
	unsigned i = d->count - 1u;

	*pushed = 0;
	if (at < s->displaced_at || d->count == 0) {
		*pushed = bytes_pushed(s, at);
		return 0;
	}
	at -= s->displaced_at;
	if (at >= d->to_end)
		return d->from_end;
	while (at < d->to[i])
		i--;
	return d->from[i];
}
