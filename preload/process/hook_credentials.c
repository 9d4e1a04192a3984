/*
 * Context: T.  Hooks of calls after which a file may be out of reach: other
 * root, user, groups, capabilities or limits.  The functions of precreate.h
 * check whether libmon may work in the calling process.
 */
#include "base/profiling.h"
#include "base/sys.h"
#include "base/user_memory.h"
#include "hook.h"
#include "life/precreate.h"

#include <grp.h>
#include <sys/fsuid.h>
#include <sys/resource.h>

MON_EXPORT int
chroot(const char *path)
{
	real_begin();
	precreate_before_chroot();
	return hook_return((int)SYS(chroot, path, 0, 0, 0, 0, 0));
}

MON_EXPORT int pivot_root(const char *fresh, const char *old);

MON_EXPORT int
pivot_root(const char *fresh, const char *old)
{
	real_begin();
	precreate_before_chroot();
	return hook_return((int)SYS(pivot_root, fresh, old, 0, 0, 0, 0));
}

MON_EXPORT int
setuid(uid_t user)
{
	real_begin();
	precreate_before_setuid(user);
	return REAL(setuid)(user);
}

MON_EXPORT int
seteuid(uid_t user)
{
	real_begin();
	precreate_before_setuid(user);
	return REAL(seteuid)(user);
}

MON_EXPORT int
setreuid(uid_t user, uid_t effective)
{
	real_begin();
	precreate_before_setuid(effective);
	return REAL(setreuid)(user, effective);
}

MON_EXPORT int
setresuid(uid_t user, uid_t effective, uid_t saved)
{
	real_begin();
	precreate_before_setuid(effective);
	return REAL(setresuid)(user, effective, saved);
}

MON_EXPORT int
setfsuid(uid_t user)
{
	real_begin();
	precreate_before_setuid(user);
	return REAL(setfsuid)(user);
}

MON_EXPORT int
setgid(gid_t group)
{
	real_begin();
	precreate_before_setgid();
	return REAL(setgid)(group);
}

MON_EXPORT int
setegid(gid_t group)
{
	real_begin();
	precreate_before_setgid();
	return REAL(setegid)(group);
}

MON_EXPORT int
setregid(gid_t group, gid_t effective)
{
	real_begin();
	precreate_before_setgid();
	return REAL(setregid)(group, effective);
}

MON_EXPORT int
setresgid(gid_t group, gid_t effective, gid_t saved)
{
	real_begin();
	precreate_before_setgid();
	return REAL(setresgid)(group, effective, saved);
}

MON_EXPORT int
setfsgid(gid_t group)
{
	real_begin();
	precreate_before_setgid();
	return REAL(setfsgid)(group);
}

MON_EXPORT int
setgroups(size_t count, const gid_t *groups)
{
	real_begin();
	precreate_before_setgid();
	return REAL(setgroups)(count, groups);
}

MON_EXPORT int
initgroups(const char *user, gid_t group)
{
	real_begin();
	precreate_before_setgid();
	return REAL(initgroups)(user, group);
}

MON_EXPORT int capset(void *header, const void *data);

MON_EXPORT int
capset(void *header, const void *data)
{
	real_begin();
	precreate_before_capset();
	return hook_return((int)SYS(capset, header, data, 0, 0, 0, 0));
}

void
hook_before_setrlimit(pid_t pid, int resource, const struct rlimit *next)
{
	struct rlimit copy;

	if (next != NULL &&
	    (resource == RLIMIT_NOFILE || resource == RLIMIT_FSIZE ||
	    resource == RLIMIT_AS) &&
	    profiling_is_active() && !profiling_is_frozen() &&
	    (pid == 0 || pid == sys_getpid()) &&
	    user_memory_read(&copy, next, sizeof(copy)))
		precreate_before_setrlimit(resource, copy.rlim_cur);
}

static int
call_prlimit(pid_t pid, int resource, const struct rlimit *next,
    struct rlimit *old)
{
	real_begin();
	hook_before_setrlimit(pid, resource, next);
	return hook_return((int)SYS(prlimit64, pid, resource, next, old, 0, 0));
}

MON_EXPORT int
setrlimit(__rlimit_resource_t resource, const struct rlimit *next)
{
	return call_prlimit(0, (int)resource, next, NULL);
}

MON_EXPORT int
prlimit(pid_t pid, enum __rlimit_resource resource, const struct rlimit *next,
    struct rlimit *old)
{
	return call_prlimit(pid, (int)resource, next, old);
}

/* Limits have 64 bits on all supported machines. */
MON_EXPORT int setrlimit64(__rlimit_resource_t resource,
    const struct rlimit64 *next) __attribute__((alias("setrlimit")));
MON_EXPORT int prlimit64(pid_t pid, enum __rlimit_resource resource,
    const struct rlimit64 *next, struct rlimit64 *old)
    __attribute__((alias("prlimit")));
