/* Context: load.  Masks, actions and waits, for pointers.c. */
#include "pointers.h"

#include "load.h"

#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>

#define BIT(sig) (1ull << ((sig) - 1))

unsigned long long pointers_none[16];
unsigned long long pointers_usr1[16] = {BIT(SIGUSR1)};
unsigned long long pointers_prof[16] = {BIT(SIGPROF) | BIT(SIGHUP)};
unsigned long long pointers_all[16] = {~(3ull << 31)};

static struct sigaction act = {.sa_handler = SIG_IGN}, act_room;
static siginfo_t info;
static int number;
static struct timespec brief = {0, 1000000};
static struct pollfd fds[2] = {{-1, POLLIN, 0}, {-1, POLLIN, 0}};
static fd_set files;
static struct epoll_event events[2];

#define MASK(name, fn, how)						\
static long								\
name(void *const *p)							\
{									\
	return fn(how, p[0], p[1]);					\
}
MASK(block, sigprocmask, SIG_BLOCK)
MASK(unblock, sigprocmask, SIG_UNBLOCK)
MASK(setmask, sigprocmask, SIG_SETMASK)
MASK(odd_how, sigprocmask, 99)
MASK(pthread_block, pthread_sigmask, SIG_BLOCK)
MASK(pthread_setmask, pthread_sigmask, SIG_SETMASK)
MASK(action_usr2, sigaction, SIGUSR2)
MASK(action_prof, sigaction, SIGPROF)
MASK(action_bus, sigaction, SIGBUS)
MASK(action_stkflt, sigaction, SIGSTKFLT)
MASK(action_kill, sigaction, SIGKILL)
MASK(action_libc, sigaction, 32)
MASK(action_none, sigaction, 1000)

static long
pending(void *const *p)
{
	return sigpending(p[0]);
}

static long
raw_action(void *const *p)
{
	return syscall(SYS_rt_sigaction, SIGHUP, p[0], p[1], 8);
}

static long
raw_mask(void *const *p)
{
	return syscall(SYS_rt_sigprocmask, SIG_BLOCK, p[0], p[1], 8);
}

#define OLD {pointers_none, 8, 8, false}
/* Shows the action alone, because libc does not clear what follows its mask. */
#define ACTION {LIKE(act), GOOD(act_room, 16)}

const struct pointers_call pointers_signals[] = {
	{"block", block, {SET(pointers_usr1), OLD}},
	{"block_prof", block, {SET(pointers_prof), OLD}},
	{"unblock", unblock, {SET(pointers_usr1), OLD}},
	{"unblock_all", unblock, {SET(pointers_all), OLD}},
	{"setmask", setmask, {SET(pointers_usr1), OLD}},
	{"setmask_all", setmask, {SET(pointers_all), OLD}},
	{"query", block, {{0}, OLD}},
	{"odd_how", odd_how, {SET(pointers_prof), OLD}},
	{"odd_query", odd_how, {{0}, OLD}},
	{"pthread_block", pthread_block, {SET(pointers_prof), OLD}},
	{"pthread_setmask", pthread_setmask, {SET(pointers_usr1), OLD}},
	{"sigpending", pending, {OLD}},
	{"action_usr2", action_usr2, ACTION},
	{"action_prof", action_prof, ACTION},
	{"action_bus", action_bus, ACTION},
	{"action_stkflt", action_stkflt, ACTION},
	{"action_kill", action_kill, ACTION},
	{"action_libc", action_libc, ACTION},
	{"action_none", action_none, ACTION},
	{"raw_action", raw_action, {{0}, {pointers_none, 32, 8, false}}},
	{"raw_mask", raw_mask, {SET(pointers_usr1), OLD}},
	{NULL, NULL, {{0}}},
};

static long
suspend(void *const *p)
{
	return sigsuspend(p[0]);
}

static long
timedwait(void *const *p)
{
	return sigtimedwait(p[0], p[1], p[2]);
}

static long
waitinfo(void *const *p)
{
	return sigwaitinfo(p[0], p[1]);
}

static long
wait_one(void *const *p)
{
	return sigwait(p[0], p[1]);
}

static long
poll_p(void *const *p)
{
	return ppoll(p[0], 2, p[1], p[2]);
}

static long
poll_none(void *const *p)
{
	return ppoll(NULL, 0, p[0], p[1]);
}

static long
select_p(void *const *p)
{
	return pselect(1, p[0], p[1], p[2], p[3], p[4]);
}

static long
epoll_p(void *const *p)
{
	return epoll_pwait(epoll_create1(0), p[0], 2, 1, p[1]);
}

static long
epoll_p_bad(void *const *p)
{
	return epoll_pwait(-1, p[0], 2, 1, p[1]);
}

static long
epoll_p2(void *const *p)
{
	return epoll_pwait2(epoll_create1(0), p[0], 2, p[1], p[2]);
}

static long
signal_fd(void *const *p)
{
	return signalfd(-1, p[0], SFD_CLOEXEC) < 0 ? -1 : 0;
}

static long
signal_fd_bad(void *const *p)
{
	return signalfd(-1, p[0], 0x7777);
}

#define INFO GOOD(info, 12)
#define BRIEF {&brief, sizeof(brief), 0, true}

const struct pointers_call pointers_waits[] = {
	{"sigsuspend", suspend, {SET(pointers_none)}},
	{"sigtimedwait", timedwait, {SET(pointers_usr1), INFO, BRIEF}},
	{"sigtimedwait_prof", timedwait,
	    {SET(pointers_prof), INFO, BRIEF}},
	{"sigtimedwait_all", timedwait, {SET(pointers_all), INFO, BRIEF}},
	{"sigwaitinfo", waitinfo, {SET(pointers_usr1), INFO}},
	{"sigwaitinfo_all", waitinfo, {SET(pointers_all), INFO}},
	{"sigwait", wait_one, {SET(pointers_usr1), GOOD(number, 4)}},
	{"sigwait_all", wait_one, {SET(pointers_all), GOOD(number, 4)}},
	{"ppoll", poll_p, {GOOD(fds, sizeof(fds)), BRIEF,
	    SET(pointers_none)}},
	{"ppoll_all", poll_p, {GOOD(fds, sizeof(fds)), BRIEF,
	    SET(pointers_all)}},
	{"ppoll_none", poll_none, {BRIEF, SET(pointers_all)}},
	{"pselect", select_p, {LIKE(files), LIKE(files), LIKE(files),
	    BRIEF, SET(pointers_all)}},
	{"epoll_pwait", epoll_p, {LIKE(events), SET(pointers_all)}},
	{"epoll_pwait_bad", epoll_p_bad, {LIKE(events), SET(pointers_all)}},
	{"epoll_pwait2", epoll_p2, {LIKE(events), BRIEF,
	    SET(pointers_all)}},
	{"signalfd", signal_fd, {SET(pointers_usr1)}},
	{"signalfd_prof", signal_fd, {SET(pointers_prof)}},
	{"signalfd_bad", signal_fd_bad, {SET(pointers_prof)}},
	{NULL, NULL, {{0}}},
};
