/* Context: O.  Tests of core/hot/store/cpu_quota.c: the group's figures. */
#include "store/cpu_quota.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

static char path[64];

Test(cpu_quota, finds_the_group_of_the_controller)
{
	cr_expect_eq(cpu_quota_path("0::/user.slice/a\n", path, sizeof(path)),
	    0);
	cr_expect_str_eq(path, "/sys/fs/cgroup/user.slice/a/cpu.stat");
	cr_expect_eq(cpu_quota_path("9:name=systemd:/x\n2:cpuacct:/y\n"
	    "1:cpuset,cpu,cpuacct:/z\n0::/w\n", path, sizeof(path)), 0);
	cr_expect_str_eq(path, "/sys/fs/cgroup/cpu/z/cpu.stat");
	cr_expect_eq(cpu_quota_path("0::/w\n1:cpu:/z\n", path, sizeof(path)),
	    0);
	cr_expect_str_eq(path, "/sys/fs/cgroup/cpu/z/cpu.stat");
}

Test(cpu_quota, says_where_there_is_none)
{
	cr_expect_eq(cpu_quota_path("", path, sizeof(path)), -ENOENT);
	cr_expect_eq(cpu_quota_path("3:cpuset:/a\n2:cpuacct:/b\n", path,
	    sizeof(path)), -ENOENT);
	cr_expect_eq(cpu_quota_path("0", path, sizeof(path)), -ENOENT);
	cr_expect_eq(cpu_quota_path("0::/a-group-whose-name-does-not-fit-into-"
	    "the-buffer-of-the-caller\n", path, sizeof(path)), -ENOENT);
}

Test(cpu_quota, reads_both_versions)
{
	struct cpu_quota q;

	cr_expect_eq(cpu_quota_parse(&q, "usage_usec 9\nnr_periods 12\n"
	    "nr_throttled 7\nthrottled_usec 812345\n"), 0);
	cr_expect_eq(q.throttles, 7);
	cr_expect_eq(q.throttled_ns, 812345000u);
	cr_expect_eq(cpu_quota_parse(&q, "nr_periods 12\nnr_throttled 8\n"
	    "throttled_time 812345\n"), 0);
	cr_expect_eq(q.throttles, 8);
	cr_expect_eq(q.throttled_ns, 812345u);
	/* no quota can be set there */
	cr_expect_eq(cpu_quota_parse(&q, "usage_usec 9\nuser_usec 3\n"),
	    -ENOENT);
	cr_expect_eq(cpu_quota_parse(&q, "nr_throttled 8\n"), -ENOENT);
	cr_expect_eq(cpu_quota_parse(&q, ""), -ENOENT);
}
