/* Context: O.  Runs tprof analyze and tpfmt; see analyze_command.h. */
#include "common/analyze_command.h"

#include "common/print_fault.h"
#include "read_file.h"
#include "report/tprof_analysis.h"
#include "tprof/tprof_commands.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPT_HELP = 256 };

static const struct option long_options[] = {
	{ "event", required_argument, NULL, 'e' },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

static bool
parse_pid_value(struct tprof_analysis_options *o, const char *value)
{
	struct fault f;
	char *end;
	const long pid = strtol(value, &end, 10);

	if (*value >= '0' && *value <= '9' && *end == '\0' &&
	    pid <= INT32_MAX) {
		o->one = true;
		o->pid = (uint32_t)pid;
		return true;
	}
	fault_set(&f, "is not a process number", FAULT_NO_OFFSET, 0);
	f.file = value;
	f.remedy = "use -p NUMBER";
	print_fault(&f);
	return false;
}

/*
 * Handles one option.  Returns 0, or the exit status + 1 if the command is to
 * end.
 */
static int
parse_analyze_letter(struct tprof_analysis_options *o, int letter,
    const char *usage)
{
	switch (letter) {
	case 'C':
		o->merge_cpus = true;
		return 0;
	case 'k':
		o->kernel = true;
		return 0;
	case 'L':
		o->merge_lwps = true;
		return 0;
	case 'P':
		o->merge_processes = true;
		return 0;
	case 's':
		o->symbols = true;
		return 0;
	case 'p':
		return parse_pid_value(o, optarg) ? 0 : TPROF_WRONG_USE + 1;
	case 'e':
		o->event = optarg;
		return 0;
	case OPT_HELP:
		fputs(usage, stdout);
		return TPROF_GOOD + 1;
	default:
		fputs(usage, stderr);
		return TPROF_WRONG_USE + 1;
	}
}

static int
read_tprof_file(struct tprof_analysis_file *file, unsigned char **bytes,
    struct fault *f)
{
	const bool standard = strcmp(file->name, "-") == 0;
	const int fd = standard ? STDIN_FILENO :
	    open(file->name, O_RDONLY | O_CLOEXEC);
	int ret;

	*bytes = NULL;
	if (fd < 0)
		return fault_set(f, "cannot be opened", FAULT_NO_OFFSET,
		    errno);
	if (standard)
		file->name = "standard input";
	ret = read_file_stream(fd, bytes, &file->size, f);
	if (!standard)
		close(fd);
	file->bytes = *bytes;
	return ret;
}

static int
list_tprof_file(const char *name, const struct tprof_analysis_options *o)
{
	struct tprof_analysis_file file = { .name = name };
	struct fault f = { .offset = FAULT_NO_OFFSET };
	unsigned char *bytes;
	bool cut = false, damaged;
	int ret = read_tprof_file(&file, &bytes, &f);

	if (ret == 0)
		ret = tprof_analysis_print(stdout, &file, o, &cut, &f);
	damaged = ret == 0 && f.what != NULL;
	if (ret == 0 && fflush(stdout) != 0 && errno != EPIPE)
		ret = fault_set(&f, "cannot be written", FAULT_NO_OFFSET,
		    errno);
	free(bytes);
	if (ret == 0 && cut && !damaged) {
		fault_set(&f, "is truncated: its samples up to the end "
		    "are listed",
		    FAULT_NO_OFFSET, 0);
		f.remedy = "tprof was killed, or the disk was full";
	}
	f.file = file.name;
	if (f.what != NULL)
		print_fault(&f);
	return ret == 0 && !damaged ? TPROF_GOOD : TPROF_DATA;
}

int
analyze_command_run(int argc, char **argv, const char *file, const char *usage)
{
	struct tprof_analysis_options o = { 0 };
	int letter, ret;

	while ((letter = getopt_long(argc, argv, "CkLPsp:e:", long_options,
	    NULL)) != -1) {
		ret = parse_analyze_letter(&o, letter, usage);
		if (ret != 0)
			return ret - 1;
	}
	if (argc - optind > 1) {
		fputs(usage, stderr);
		return TPROF_WRONG_USE;
	}
	return list_tprof_file(optind < argc ? argv[optind] : file, &o);
}
