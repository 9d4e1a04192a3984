/*
 * Context: O.  Parses the options of tprof analyze and tpfmt, reads the file,
 * and has core/view list it; see analyze_command.h.
 */
#include "common/analyze_command.h"

#include "common/option.h"
#include "common/print_fault.h"
#include "read_file.h"
#include "report/tprof_analysis.h"
#include "tprof/tprof_commands.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	ANALYZE_CPUS, ANALYZE_THREADS, ANALYZE_PROCESSES, ANALYZE_KERNEL,
	ANALYZE_SYMBOLS, ANALYZE_PID, ANALYZE_EVENT, ANALYZE_HELP,
};

#define ANALYZE_SHOWN	1	/* --help was printed */

static const struct option_row table[] = {
	{"merge-cpus", 'C', NULL, ANALYZE_CPUS,
	    "do not tell processors apart"},
	{"merge-threads", 'L', NULL, ANALYZE_THREADS,
	    "do not tell threads apart"},
	{"merge-processes", 'P', NULL, ANALYZE_PROCESSES,
	    "do not tell processes apart"},
	{"kernel", 'k', NULL, ANALYZE_KERNEL,
	    "list samples of the kernel alone"},
	{"symbols", 's', NULL, ANALYZE_SYMBOLS,
	    "print a line for each function"},
	{"pid", 'p', "PID", ANALYZE_PID,
	    "list samples of that process alone"},
	{"event", 'e', "EVENT", ANALYZE_EVENT,
	    "list samples of that event alone"},
	{"help", 'h', NULL, ANALYZE_HELP, "print this text"},
};

#define ANALYZE_ROWS	(sizeof(table) / sizeof(table[0]))

/* The options while they are parsed. */
struct analyze_parser {
	struct tprof_analysis_options to;
	const char *program, *file;
};

/* Returns 0, or OPTION_USAGE after a line on standard error. */
static int
parse_pid_value(struct tprof_analysis_options *o, const char *value)
{
	struct fault f;
	char *end;
	const long pid = strtol(value, &end, 10);

	if (*value >= '0' && *value <= '9' && *end == '\0' &&
	    pid <= INT32_MAX) {
		o->one = true;
		o->pid = (uint32_t)pid;
		return 0;
	}
	fault_set(&f, "is not a process number", FAULT_NO_OFFSET, 0);
	f.file = value;
	f.remedy = "use -p NUMBER";
	print_fault(&f);
	return OPTION_USAGE;
}

static int
print_analyze_help(const struct analyze_parser *p)
{
	printf("usage: %s [OPTION...] [FILE]\n"
	    "Lists the samples of tprof monitor, as NetBSD does.\n"
	    "Without FILE, %s is read.\n\n", p->program,
	    strcmp(p->file, "-") == 0 ? "standard input" : p->file);
	option_help(table, ANALYZE_ROWS);
	puts("\nSee tpfmt(1).");
	return ANALYZE_SHOWN;
}

static int
handle_analyze_option(void *arg, int tag, const char *value)
{
	struct analyze_parser *p = arg;
	struct tprof_analysis_options *o = &p->to;

	switch (tag) {
	case ANALYZE_CPUS:
		o->merge_cpus = true;
		return 0;
	case ANALYZE_KERNEL:
		o->kernel = true;
		return 0;
	case ANALYZE_THREADS:
		o->merge_lwps = true;
		return 0;
	case ANALYZE_PROCESSES:
		o->merge_processes = true;
		return 0;
	case ANALYZE_SYMBOLS:
		o->symbols = true;
		return 0;
	case ANALYZE_PID:
		return parse_pid_value(o, value);
	case ANALYZE_EVENT:
		o->event = value;
		return 0;
	default:
		return print_analyze_help(p);
	}
}

/*
 * Reads the whole file that file->name names; "-": standard input.  *bytes: the
 * contents, which the caller frees in any case.  Returns 0, or -errno with *f
 * set.
 */
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

/*
 * Lists a file on standard output, up to where it is damaged or truncated.
 * Reports a fault.  Returns the exit status.
 */
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
analyze_command_run(char **argv, const char *program, const char *file)
{
	struct analyze_parser p = { .program = program, .file = file };
	const char **words = (const char **)argv + 1;
	size_t rest;
	const int ret = option_parse(program, table, ANALYZE_ROWS, words,
	    &rest, handle_analyze_option, &p);

	if (ret == ANALYZE_SHOWN)
		return TPROF_GOOD;
	if (ret == 0 && rest > 1)
		fprintf(stderr, "%s: %s: one file at a time\n",
		    program, words[1]);
	if (ret != 0 || rest > 1)
		return TPROF_WRONG_USE;
	return list_tprof_file(rest == 1 ? words[0] : file, &p.to);
}
