/*
 * Context: T.  Hooks of calls that begin and end threads: a new thread begins
 * in thread_run().
 */
#include "base/profiling.h"
#include "hook.h"
#include "life/thread.h"

#include <stdint.h>

/* Returns the size of a stack of libc without an attribute, or 0. */
static size_t
default_stack_bytes(void)
{
	pthread_attr_t attr;
	size_t bytes = 0;
	void *begin;

	if (REAL(pthread_getattr_default_np)(&attr) != 0)
		return 0;
	REAL(pthread_attr_getstack)(&attr, &begin, &bytes);
	REAL(pthread_attr_destroy)(&attr);
	return bytes;
}

/*
 * Returns the size of a stack that libc makes, or 0 for one of the program's,
 * parts of which the program may have protected.  In an attribute libc keeps
 * the end of the stack, which is 0 for a stack that libc makes, and a size,
 * which is 0 if the program has not set it.
 */
static size_t
stack_bytes(const pthread_attr_t *attr)
{
	size_t bytes = 0;
	void *begin = NULL;

	if (attr == NULL)
		return default_stack_bytes();
	if (REAL(pthread_attr_getstack)(attr, &begin, &bytes) != 0 ||
	    (uintptr_t)begin + bytes != 0)
		return 0;
	return bytes != 0 ? bytes : default_stack_bytes();
}

MON_EXPORT int
pthread_create(pthread_t *thread, const pthread_attr_t *attr,
    void *(*fn)(void *), void *argument)
{
	struct thread_slot *s = NULL;
	int ret;

	real_begin();
	if (profiling_is_active())
		s = thread_prepare(fn, argument, stack_bytes(attr));
	if (s == NULL)
		return REAL(pthread_create)(thread, attr, fn, argument);
	ret = REAL(pthread_create)(thread, attr, thread_run, s);
	if (ret != 0)
		thread_abandon(s);
	return ret;
}

/* The function of a C11 thread. */
struct c11_call {
	thrd_start_t fn;
	void *argument;
};

/*
 * libc calls the function by its C11 type, while thread_run() has the type of
 * pthread_create().
 */
static int
run_c11_thread(void *slot)
{
	struct thread_slot *s = slot;
	/* thread_run() may give the slot back before it calls the function. */
	struct c11_call call = {
		(thrd_start_t)s->birth.thrd.fn, s->birth.thrd.argument,
	};

	s->birth.argument = &call;
	return (int)(intptr_t)thread_run(slot);
}

/* Runs in a thread of thrd_create(), by thread_run(). */
static void *
call_c11_function(void *argument)
{
	const struct c11_call *call = argument;

	return (void *)(intptr_t)call->fn(call->argument);
}

MON_EXPORT int
thrd_create(thrd_t *thread, thrd_start_t fn, void *argument)
{
	struct thread_slot *s = NULL;
	int ret;

	real_begin();
	if (profiling_is_active())
		s = thread_prepare(call_c11_function, NULL, stack_bytes(NULL));
	if (s == NULL)
		return REAL(thrd_create)(thread, fn, argument);
	s->birth.thrd.fn = (void (*)(void))fn;
	s->birth.thrd.argument = argument;
	ret = REAL(thrd_create)(thread, run_c11_thread, s);
	if (ret != thrd_success)
		thread_abandon(s);
	return ret;
}

MON_EXPORT void
pthread_exit(void *value)
{
	real_begin();
	if (profiling_is_active())
		thread_end();
	REAL(pthread_exit)(value);
	__builtin_unreachable();
}

MON_EXPORT void
thrd_exit(int value)
{
	real_begin();
	if (profiling_is_active())
		thread_end();
	REAL(thrd_exit)(value);
	__builtin_unreachable();
}
