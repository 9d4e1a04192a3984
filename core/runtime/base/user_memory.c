/*
 * Context: T.  Checks memory that the program passes to a call, for hooks; see
 * user_memory.h.
 *
 * Two system calls that touch 8 bytes and change nothing else make the kernel
 * check: rt_sigprocmask(2) copies a set before it refuses an unknown `how`, and
 * rt_sigpending(2) stores one.
 */
#include "base/user_memory.h"

#include "base/profiling.h"
#include "base/state.h"
#include "base/str.h"
#include "thread/thread_slot.h"
#include "unwind/stack_read.h"

#define WORD	sizeof(uint64_t)

/*
 * Returns whether the bytes are in the live part of the calling thread's stack:
 * its callers' frames.
 */
static bool
is_on_callers_stack(uintptr_t at)
{
	const struct thread_slot *s = thread_slot_self;
	uintptr_t frame = (uintptr_t)__builtin_frame_address(0);

	if (s == NULL || at < frame || at >= s->stack.high ||
	    s->stack.high - at < WORD)
		return false;
	return s->stack.grows ? s->stack.high - frame <= STACK_READ_GROWTH :
	    frame >= s->stack.low;
}

/* Returns whether the bytes can be read, or that cannot be checked. */
static bool
is_user_readable(const void *eight_bytes)
{
	return is_on_callers_stack((uintptr_t)eight_bytes) ||
	    profiling_is_frozen() ||
	    sys_sigprocmask(~0, eight_bytes, NULL) != -EFAULT;
}

bool
user_memory_read_set(const sigset_t *from, uint64_t *bits)
{
	if (!is_user_readable(from))
		return false;
	mem_copy(bits, from, sizeof(*bits));
	return true;
}

bool
user_memory_read(void *to, const void *from, size_t n)
{
	const char *bytes = from;

	if (!is_user_readable(bytes) || !is_user_readable(bytes + n - WORD))
		return false;
	mem_copy(to, from, n);
	return true;
}

/* Returns whether 8 bytes can be written.  The kernel overwrites them. */
static bool
is_user_writable(char *eight_bytes)
{
	return SYS(rt_sigpending, eight_bytes, WORD, 0, 0, 0, 0) != -EFAULT;
}

bool
user_memory_write(void *to, const void *from, size_t n)
{
	char *bytes = to;

	if (!profiling_is_frozen() &&
	    (!is_user_writable(bytes) || !is_user_writable(bytes + n - WORD)))
		return false;
	mem_copy(bytes, from, n);
	return true;
}
