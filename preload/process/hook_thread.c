/* Context: T.  Threads begin in our wrapper, and say when they end. */
#include "hook.h"
#include "life/start.h"
#include "life/thread.h"

#include <stdint.h>

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
 * Of a stack that libc makes; 0 of one of the program's, who may have forbidden
 * parts of it.  Where that is libc keeps by its end, which is nowhere for its
 * own, as is the size that nobody asked for.
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
	if (start_active())
		s = thread_prepare(fn, argument, stack_bytes(attr));
	if (s == NULL)
		return REAL(pthread_create)(thread, attr, fn, argument);
	ret = REAL(pthread_create)(thread, attr, thread_run, s);
	if (ret != 0)
		thread_abandon(s);
	return ret;
}

/* libc calls the function as it is; ours has pthread's type behind a cast. */
static int
run_c11_thread(void *slot)
{
	return (int)(intptr_t)thread_run(slot);
}

static void *
call_c11_function(void *slot)
{
	struct thread_slot *s = slot;
	thrd_start_t fn = (thrd_start_t)s->thrd.fn;

	return (void *)(intptr_t)fn(s->thrd.argument);
}

MON_EXPORT int
thrd_create(thrd_t *thread, thrd_start_t fn, void *argument)
{
	struct thread_slot *s = NULL;
	int ret;

	real_begin();
	if (start_active())
		s = thread_prepare(call_c11_function, NULL, stack_bytes(NULL));
	if (s == NULL)
		return REAL(thrd_create)(thread, fn, argument);
	s->thrd.fn = (void (*)(void))fn;
	s->thrd.argument = argument;
	s->argument = s;
	ret = REAL(thrd_create)(thread, run_c11_thread, s);
	if (ret != thrd_success)
		thread_abandon(s);
	return ret;
}

MON_EXPORT void
pthread_exit(void *value)
{
	real_begin();
	if (start_active())
		thread_end();
	REAL(pthread_exit)(value);
	__builtin_unreachable();
}

MON_EXPORT void
thrd_exit(int value)
{
	real_begin();
	if (start_active())
		thread_end();
	REAL(thrd_exit)(value);
	__builtin_unreachable();
}
