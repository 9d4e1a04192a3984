/*
 * Context: S.  Loads words from a stack that may not be mapped, for walks, in
 * any thread and any signal handler; see stack_read.h.
 *
 * Within the known bounds of the thread's own stack, words are loaded without a
 * check.  For any other memory (fibers, alternate stacks, a register that holds
 * something else) the kernel is asked first, page by page: a system call that
 * changes nothing tells a page that cannot be read from one that can.
 */
#include "unwind/stack_read.h"

enum { UNTRIED, WORKS, PROBE_FAILS };

/*
 * The cost of a question whose answer is no, for which the kernel takes a page
 * fault: 1.7 us were measured, 0.14 us for a yes.
 */
#define REFUSED		6u

/*
 * Asks for a page: rt_sigprocmask returns EFAULT if it cannot read
 * the page, else EINVAL, as its first argument is invalid.
 */
static long
probe_page(uintptr_t page)
{
	return SYS(rt_sigprocmask, ~0, page, NULL, sizeof(sys_sigset), 0, 0);
}

/*
 * Returns whether probe_page() works.  An emulator may check the first argument
 * before it reads: a page that no process can map shows that.
 */
static bool
can_probe_pages(void)
{
	unsigned state = atomic_load_explicit(&mon->asking,
	    memory_order_relaxed);

	if (state == UNTRIED) {
		state =
		    probe_page(~(uintptr_t)0 & ~(config.page - 1)) == -EFAULT ?
		    WORKS : PROBE_FAILS;
		atomic_store_explicit(&mon->asking, state,
		    memory_order_relaxed);
	}
	return state == WORKS;
}

bool
stack_read_is_mapped(uintptr_t at)
{
	return can_probe_pages() &&
	    probe_page(at & ~(config.page - 1)) == -EINVAL;
}

/* Asks for a page and adds up what that costs. */
static bool
ask_for_page(struct stack_read *m, uintptr_t page)
{
	const bool mapped = stack_read_is_mapped(page);

	m->asks += mapped ? 1 : REFUSED;
	return mapped;
}

bool
stack_read_probe(struct stack_read *m, uintptr_t at)
{
	const uintptr_t page = at & ~(config.page - 1);

	if (at >= m->tried && at < m->end)
		return true;
	if (m->copy != NULL)
		return false;
	if (m->frozen || !ask_for_page(m, page))
		return false;
	if (page == m->end)
		m->end += config.page;
	else if (page + config.page == m->tried)
		m->tried = page;
	else {
		m->tried = page;
		m->end = page + config.page;
	}
	return true;
}

static bool
probe_code_page(struct stack_read *m, uintptr_t page)
{
	if (page == m->code)
		return true;
	if (m->frozen || !ask_for_page(m, page))
		return false;
	m->code = page;
	return true;
}

bool
stack_read_probe_code(struct stack_read *m, uintptr_t at, size_t n)
{
	const uintptr_t page = at & ~(config.page - 1);
	const uintptr_t last = (at + n - 1) & ~(config.page - 1);

	return probe_code_page(m, page) && probe_code_page(m, last);
}

bool
stack_read_probe_table(struct stack_read *m, uintptr_t at)
{
	if (m->frozen || !can_probe_pages())
		return true;
	return ask_for_page(m, at);
}

/*
 * Extends the bounds of the first thread's stack, which is one mapping from the
 * old bound to the page of sp.
 */
static void
grow_main_stack(struct stack_read *m, struct thread_slot *s, uintptr_t sp)
{
	const uintptr_t page = sp & ~(config.page - 1);

	if (sp >= s->stack.low || s->stack.high - sp > STACK_READ_GROWTH)
		return;
	if (stack_read_probe(m, page))
		s->stack.low = page;
}

void
stack_read_begin(struct stack_read *m, struct thread_slot *s, uintptr_t sp)
{
	m->tried = m->end = m->code = 0;
	m->asks = 0;
	m->copy = NULL;
	m->frozen = atomic_load_explicit(&mon->frozen, memory_order_relaxed);
	if (s->stack.grows)
		grow_main_stack(m, s, sp);
	m->low = m->high = 0;
	/*
	 * Pages below sp are not read directly: no code had to touch them, and
	 * the program's guard zones may lie there.
	 */
	if (sp >= s->stack.low && sp < s->stack.high) {
		m->low = sp & ~(config.page - 1);
		m->high = s->stack.high;
	}
}

void
stack_read_use_copy(struct stack_read *m, uintptr_t sp, const uint64_t *copy,
    unsigned words)
{
	m->low = sp;
	m->high = sp + 8 * (uintptr_t)words;
	m->copy = copy;
}
