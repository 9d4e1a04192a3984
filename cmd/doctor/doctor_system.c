/*
 * Context: O.  Checks what the kernel, the system and this build allow, for
 * doctor.c; see doctor.h.  No result decides whether programs can be recorded:
 * each is "ok" or "less".
 */
#include "doctor/doctor.h"

#include "event/perf_open.h"
#include "symbol/kallsyms.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"
#define MAY_ALL		"be root, or set sysctl kernel.perf_event_paranoid=-1"

/* Reads the number in a file; `none` if there is none. */
static int
read_number(const char *path, int none)
{
	FILE *in = fopen(path, "re");
	int number;

	if (in == NULL)
		return none;
	if (fscanf(in, "%d", &number) != 1)
		number = none;
	fclose(in);
	return number;
}

/* Returns whether a seccomp filter is on, as in most containers. */
static bool
has_seccomp(void)
{
	FILE *in = fopen("/proc/self/status", "re");
	char line[256];
	int mode = 0;

	while (in != NULL && fgets(line, sizeof(line), in) != NULL)
		if (sscanf(line, "Seccomp: %d", &mode) == 1)
			break;
	if (in != NULL)
		fclose(in);
	return mode != 0;
}

/*
 * Opens and closes an event of the CPU clock.  pid: 0: of this process; -1: of
 * all processes on processor 0.  Returns 0 or -errno.
 */
static int
try_event(pid_t pid, bool kernel)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK, .disabled = 1,
		.exclude_kernel = !kernel, .exclude_hv = 1,
		.sample_period = 1000000,
	};
	const int fd = perf_open_exact(&attr, pid, pid < 0 ? 0 : -1);

	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

/*
 * Checks perf_event_open(2): for the whole machine, for own processes with the
 * kernel, or for their user mode alone.
 */
static void
check_events(FILE *out)
{
	const int refused = try_event(0, false);
	const int paranoid = read_number(PARANOID, -99);
	const char *remedy = MAY_ALL;
	char found[256];

	if (refused == 0) {
		const bool kernel = try_event(0, true) == 0;
		const bool all = try_event(-1, true) == 0;

		snprintf(found, sizeof(found), "%s", all ?
		    "of the whole machine, with the kernel" : kernel ?
		    "of own processes, with the kernel" :
		    "of own processes, in user mode alone");
		doctor_print(out, all ? DOCTOR_GOOD : DOCTOR_LESS,
		    "perf_event_open", found, remedy);
		return;
	}
	snprintf(found, sizeof(found), "is refused: %s", strerror(-refused));
	if (refused == -ENOSYS)
		remedy = "this kernel has none, or a sandbox hides it";
	else if (paranoid > 2)
		remedy = "set sysctl kernel.perf_event_paranoid=2 or less";
	else if (has_seccomp())
		remedy = "a seccomp filter is on: let it allow the call "
		    "(docker run --cap-add=PERFMON, or a profile of your own)";
	doctor_print(out, DOCTOR_LESS, "perf_event_open", found, remedy);
}

static void
check_kernel_names(FILE *out)
{
	struct kallsyms k = { 0 };
	const bool good = kallsyms_read(&k, "/proc/kallsyms") == 0;

	kallsyms_free(&k);
	doctor_print(out, good ? DOCTOR_GOOD : DOCTOR_LESS, "kernel names",
	    good ? "/proc/kallsyms shows them" :
	    "/proc/kallsyms is missing, or shows this user no addresses",
	    "be root, or set sysctl kernel.kptr_restrict=0");
}

static void
check_proc(FILE *out)
{
	const bool good = access("/proc/self/maps", R_OK) == 0;

	doctor_print(out, good ? DOCTOR_GOOD : DOCTOR_LESS, "/proc", good ?
	    "is mounted" : "is not mounted: programs that run cannot be found "
	    "by their number", "mount -t proc proc /proc");
}

/* Checks whether debug files of libraries can be found, here or by servers. */
static void
check_debug_files(FILE *out)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	const bool local = access("/usr/lib/debug/.build-id", R_OK | X_OK) == 0;
	const bool net = PROF_DEBUGINFOD && urls != NULL && *urls != '\0';

	doctor_print(out, local || net ? DOCTOR_GOOD : DOCTOR_LESS,
	    "debug files", local && net ?
	    "in /usr/lib/debug, and by prof --debuginfod=SECONDS" : local ?
	    "in /usr/lib/debug" : net ? "by prof --debuginfod=SECONDS" :
	    "none for the libraries of the system",
	    PROF_DEBUGINFOD ? "install -dbgsym packages, or set "
	    "DEBUGINFOD_URLS and use prof --debuginfod=SECONDS" :
	    "install -dbgsym packages");
}

static void
check_fuse(FILE *out)
{
	const bool device = access("/dev/fuse", R_OK | W_OK) == 0;
	const char *remedy = !PROF_FUSE ? "install libfuse3 and build libmon "
	    "again" : "load the module fuse, or run the container with "
	    "--device=/dev/fuse --cap-add=SYS_ADMIN";

	doctor_print(out, device && PROF_FUSE ? DOCTOR_GOOD : DOCTOR_LESS,
	    "proffs", !PROF_FUSE ? "was not built" : device ?
	    "/dev/fuse can be opened" : "/dev/fuse cannot be opened", remedy);
}

static void
check_build(FILE *out)
{
	static const char off[] = PROF_SWITCHED_OFF;

	doctor_print(out, *off == '\0' ? DOCTOR_GOOD : DOCTOR_LESS, "build",
	    *off == '\0' ? "has all features" : off,
	    "install those libraries, and build libmon again");
}

void
doctor_check_system(FILE *out)
{
	check_events(out);
	check_kernel_names(out);
	check_proc(out);
	check_debug_files(out);
	check_fuse(out);
	check_build(out);
}
