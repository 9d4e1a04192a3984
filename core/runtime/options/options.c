/*
 * Context: T.  Reads the options from the environment, for the start of the
 * library (life/start.c): PROFDIR as monitor(3C) specifies it, PROFOPTS by the
 * table in option_table.c.
 */
#include "options/options.h"

#include "base/mmap_area.h"
#include "base/state.h"
#include "base/stderr_note.h"
#include "base/str.h"
#include "options/absolute_path.h"
#include "options/environment.h"
#include "options/option_table.h"
#include "options/program_list.h"

#include <sys/auxv.h>
#include <sys/stat.h>

#define SIZE_DEFAULT	(64u << 20)
#define HEAP_DEFAULT	(1u << 30)	/* some 60 million live blocks */
#define DEPTH_DEFAULT	512u
#define PROFDIR		"PROFDIR="

/*
 * Finds the name of the executed file, as ps(1) shows it; argv[0] may be any
 * text.
 */
static void
find_program_name(void)
{
	const char *p, *base;
	unsigned long execfn = getauxval(AT_EXECFN);

	p = execfn != 0 ? (const char *)execfn : "unknown";
	for (base = p; *p != '\0'; p++)
		if (*p == '/' && p[1] != '\0')
			base = p + 1;
	str_copy(config.progname, *base != '\0' ? base : "unknown",
	    sizeof(config.progname));
}

/*
 * Makes a relative PROFDIR absolute in the environment: a child that starts in
 * another directory (make does that) must use the same directory.
 */
static void
export_profdir(char **environment, const char *profdir)
{
	char *entry;
	struct str s;

	if (profdir == NULL || profdir[0] == '/' ||
	    !absolute_path_make(config.directory, profdir))
		return;
	entry = mmap_area_alloc(sizeof(PROFDIR) + PATH_MAX);
	if (entry == NULL)
		return;
	str_init(&s, entry, sizeof(PROFDIR) + PATH_MAX);
	str_add(&s, PROFDIR);
	str_add(&s, config.directory);
	*environment_find(environment, PROFDIR) = entry;
}

/*
 * Notes on standard error, in the first process of a run, that the directory
 * for its profiles does not exist: otherwise the user would look at the
 * profiles of an earlier run.
 */
static void
check_profile_directory(void)
{
	struct stat st;

	/* msg=yes says so when a profile cannot be written. */
	if (config.place != CONFIG_PLACE_DIR || config.message ||
	    (SYS(newfstatat, AT_FDCWD, config.directory, &st, 0, 0, 0) == 0 &&
	    S_ISDIR(st.st_mode)))
		return;
	/* Reading the parent's map takes far longer than all the rest. */
	if (environment_is_of_profiled())
		return;
	stderr_note(config.directory, ": is no directory, so no profile can "
	    "be written there", NULL);
}

/*
 * Sets config.place, config.directory and config.pattern.  profdir: the value
 * of PROFDIR, or NULL.
 */
static void
choose_profile_place(const char *profdir)
{
	const char *directory = option_given.dir[0] != '\0' ? option_given.dir :
	    profdir != NULL ? profdir : "";
	const char *file = option_given.file;

	config.place = *file != '\0' ? CONFIG_PLACE_FILE :
	    directory[0] != '\0' ? CONFIG_PLACE_DIR : CONFIG_PLACE_PLAIN;
	/* An absolute file name is below the root, whose name is empty here. */
	if (*file == '/')
		directory = "/";
	while (*file == '/')
		file++;
	str_copy(config.pattern, file, sizeof(config.pattern));
	if (absolute_path_make(config.directory, directory))
		return;
	config.place = CONFIG_PLACE_OFF;
	if (config.message)
		stderr_note(*directory != '\0' ? directory : ".",
		    ": no profile "
		    "could be written: the current directory is gone, or the "
		    "name is too long", NULL);
}

static void
set_option_defaults(void)
{
	config.size = SIZE_DEFAULT;
	config.heap_size = HEAP_DEFAULT;
	config.blocks = true;
	config.maps = false;
	config.stack = FORMAT_STACK_AUTO;
	config.depth = DEPTH_DEFAULT;
	config.signal = SIGPROF;
	config.start = true;
	config.follow = true;
}

/*
 * Returns whether Valgrind runs the program.  It ends the program for a
 * clone(2) like that of private_fds.c, and the code that runs is Valgrind's,
 * not the program's.
 */
static bool
is_under_valgrind(const char *p)
{
	for (; p != NULL && *p != '\0'; p++)
		if (str_begins(p, "/vgpreload_"))
			return true;
	return false;
}

/* Fills `config` from the value of PROFOPTS, which may be NULL. */
static void
read_profopts(const char *text)
{
	set_option_defaults();
	find_program_name();
	if (text != NULL) {
		str_copy(config.options, text, sizeof(config.options));
		option_table_parse(text);
	}
	config.time = option_given.mode != OPTION_MODE_HEAP;
	config.heap = option_given.mode != OPTION_MODE_TIME;
}

void
options_read_linked(char **environment)
{
	config.place = CONFIG_PLACE_OFF;
	if (is_under_valgrind(environment_get(environment, "LD_PRELOAD=")))
		return;
	read_profopts(getauxval(AT_SECURE) != 0 ? NULL :
	    environment_get(environment, "PROFOPTS="));
	config.start = config.follow = true;
	config.clock = FORMAT_CLOCK_CPU;
	config.time = true;
	config.heap = false;
	config.place = CONFIG_PLACE_MEMORY;
}

void
options_read(char **environment)
{
	const char *profdir = environment_get(environment, PROFDIR);
	const char *text = environment_get(environment, "PROFOPTS=");

	config.place = CONFIG_PLACE_OFF;
	if ((profdir != NULL && *profdir == '\0') ||
	    getauxval(AT_SECURE) != 0 ||
	    is_under_valgrind(environment_get(environment, "LD_PRELOAD=")))
		return;
	export_profdir(environment, profdir);
	read_profopts(text);
	config.chosen = option_given.only[0] != '\0' ||
	    option_given.exclude[0] != '\0';
	if (!config.follow && environment_is_of_profiled())
		return;
	if (option_given.only[0] != '\0' &&
	    !program_list_matches(option_given.only, config.progname))
		return;
	if (program_list_matches(option_given.exclude, config.progname))
		return;
	choose_profile_place(profdir);
	check_profile_directory();
}
