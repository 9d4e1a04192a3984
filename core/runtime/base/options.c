/*
 * Context: T.  Reads the options from the environment: PROFDIR as monitor(3C)
 * specifies it, PROFOPTS by a table.
 */
#include "base/options.h"

#include "base/mmap_area.h"
#include "base/program_list.h"
#include "base/state.h"
#include "base/stderr_note.h"
#include "base/str.h"
#include "heap/alloc_sample.h"
#include "module/proc_info.h"
#include "store/profile_name.h"

#include <sys/auxv.h>

#define SIZE_DEFAULT	(64u << 20)
#define HEAP_DEFAULT	(1u << 30)	/* some 60 million live blocks */
#define DEPTH_DEFAULT	512u
#define DEPTH_LEAST	8u
#define DEPTH_MOST	65536u
#define SIZE_LEAST	(256u << 10)
#define SIZE_MOST	(16ull << 30)

/*
 * The table of live blocks takes 1 MiB for each range of 4 GiB that holds
 * blocks (a program has two), and grows by 1 MiB.
 */
#define HEAP_LEAST	(4u << 20)
#define HZ_MOST		20000u
#define VALUE_MOST	256
#define PROFDIR		"PROFDIR="

struct words {
	const char *const *names;	/* NULL-ended; the value is the index */
};

static const char *const no_yes[] = {"no", "yes", NULL};
static const char *const off_on[] = {"off", "on", NULL};
static const char *const clocks[] = {"cpu", "wall", NULL};
static const char *const tiers[] = {"auto", "perf", "timer", "process", NULL};
static const char *const details[] = {"plain", "detail", NULL};
static const char *const stacks[] = {"off", "auto", "fp", "cfi", NULL};
static const char *const modes[] = {"time", "heap", "time+heap", NULL};
static const char *const formats[] = {"native", "gmon", "monout", "prof", NULL};

/* An option.  set() stores the value, or returns false if it is not valid. */
struct option {
	const char *key;
	bool (*set)(const struct option *o, const char *value);
	const char *const *words;
	void *place;
	const char *wanted;	/* text for users: the values that are valid */
};

static char dir_value[PATH_MAX] STATE_SECTION("2.cold");
static char file_value[VALUE_MOST] STATE_SECTION("2.cold");
static char exclude_value[VALUE_MOST] STATE_SECTION("2.cold");
static char only_value[VALUE_MOST] STATE_SECTION("2.cold");
static unsigned tier_value, clock_value, mode_value;
static bool dir_given;

static bool
set_bool(const struct option *o, const char *value)
{
	unsigned i;

	for (i = 0; i < 2; i++)
		if (str_equal(value, o->words[i])) {
			*(bool *)o->place = i == 1;
			return true;
		}
	return false;
}

static bool
set_keyword(const struct option *o, const char *value)
{
	unsigned i;

	for (i = 0; o->words[i] != NULL; i++)
		if (str_equal(value, o->words[i])) {
			*(unsigned *)o->place = i;
			return true;
		}
	return false;
}

static bool
set_hz(const struct option *o, const char *value)
{
	uint64_t n;

	(void)o;
	if (str_equal(value, "auto")) {
		config.hz = 0;
		return true;
	}
	n = str_decimal(&value);
	if (*value != '\0' || n < 1 || n > HZ_MOST)
		return false;
	config.hz = (unsigned)n;
	return true;
}

/* Reads a size as "512k".  Returns false if it is not in the range. */
static bool
read_size(const char *value, uint64_t least, uint64_t most, uint64_t *bytes)
{
	uint64_t n = str_decimal(&value);
	unsigned shift = 0;

	if (*value == 'k' || *value == 'K')
		shift = 10;
	else if (*value == 'm' || *value == 'M')
		shift = 20;
	else if (*value == 'g' || *value == 'G')
		shift = 30;
	if (shift != 0)
		value++;
	if (*value != '\0' || n > most >> shift || n << shift < least)
		return false;
	*bytes = n << shift;
	return true;
}

static bool
set_size(const struct option *o, const char *value)
{
	return read_size(value, SIZE_LEAST, SIZE_MOST, o->place);
}

static bool
set_heap_size(const struct option *o, const char *value)
{
	return read_size(value, HEAP_LEAST, SIZE_MOST, o->place);
}

static bool
add_heap_word(const char *word)
{
	const bool all = str_equal(word, "all");

	config.maps |= all || str_equal(word, "mmap");
	if (str_equal(word, "mmap"))
		return true;
	config.blocks = true;
	return all || str_equal(word, "malloc") || read_size(word,
	    ALLOC_SAMPLE_MIN, ALLOC_SAMPLE_MAX, &config.heap_period);
}

/* Reads words with a + between them. */
static bool
set_heap(const struct option *o, const char *value)
{
	char word[32];
	size_t n;

	(void)o;
	config.heap_period = 0;
	config.blocks = config.maps = false;
	for (;; value += n + 1) {
		for (n = 0; value[n] != '\0' && value[n] != '+'; n++)
			;
		if (n >= sizeof word)
			return false;
		mem_copy(word, value, n);
		word[n] = '\0';
		if (!add_heap_word(word))
			return false;
		if (value[n] == '\0')
			return true;
	}
}

/*
 * Takes a signal of the classic set that nothing else needs.  Real-time signals
 * are refused: past RLIMIT_SIGPENDING the kernel sends SIGIO in their place,
 * which kills.
 */
static bool
set_signal(const struct option *o, const char *value)
{
	static const struct { const char *name; int sig; } names[] = {
		{"PROF", SIGPROF}, {"VTALRM", SIGVTALRM}, {"ALRM", SIGALRM},
		{"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"PWR", SIGPWR},
		{"STKFLT", SIGSTKFLT}, {"XCPU", SIGXCPU}, {"URG", SIGURG},
	};
	const char *p = value;
	uint64_t n = str_decimal(&p);
	size_t i;

	(void)o;
	if (str_begins(value, "SIG"))
		value += 3;
	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (str_equal(value, names[i].name) ||
		    (*p == '\0' && n == (uint64_t)names[i].sig)) {
			config.signal = names[i].sig;
			return true;
		}
	return false;
}

static bool
set_text(const struct option *o, const char *value)
{
	size_t room = o->place == dir_value ? sizeof dir_value : VALUE_MOST;

	if (*value == '\0' || str_length(value) >= room ||
	    (o->place == file_value && !profile_name_is_pattern(value)))
		return false;
	str_copy(o->place, value, room);
	if (o->place == dir_value)
		dir_given = true;
	return true;
}

static bool
set_depth(const struct option *o, const char *value)
{
	uint64_t n = str_decimal(&value);

	(void)o;
	if (*value != '\0' || n < DEPTH_LEAST || n > DEPTH_MOST)
		return false;
	config.depth = (unsigned)n;
	return true;
}

static const struct option options[] = {
	{"clock", set_keyword, clocks, &clock_value, "cpu or wall"},
	{"depth", set_depth, NULL, NULL, "8 to 65536"},
	{"dir", set_text, NULL, dir_value, "a directory"},
	{"empty", set_bool, no_yes, &config.empty, "yes or no"},
	{"exclude", set_text, NULL, exclude_value, "program names, a:b*"},
	{"file", set_text, NULL, file_value, "a file name, %p %n %h %t %%"},
	{"follow", set_bool, no_yes, &config.follow, "yes or no"},
	{"format", set_keyword, formats, &config.format,
	    "native, gmon, monout or prof"},
	{"heap", set_heap, NULL, NULL,
	    "malloc, mmap, all or 1k to 1g, with + between"},
	{"heapsize", set_heap_size, NULL, &config.heap_size, "4m to 16g"},
	{"hz", set_hz, NULL, NULL, "auto or 1 to 20000"},
	{"kernel", set_keyword, details, &config.kernel, "plain or detail"},
	{"log", set_bool, no_yes, &config.log, "yes or no"},
	{"mode", set_keyword, modes, &mode_value, "time, heap or time+heap"},
	{"msg", set_bool, no_yes, &config.message, "yes or no"},
	{"only", set_text, NULL, only_value, "program names, a:b*"},
	{"sig", set_signal, NULL, NULL,
	    "PROF, STKFLT, VTALRM, PWR, URG, XCPU, USR1, USR2 or ALRM"},
	{"size", set_size, NULL, &config.size, "256k to 16g"},
	{"stack", set_keyword, stacks, &config.stack, "auto, fp, cfi or off"},
	{"start", set_bool, off_on, &config.start, "on or off"},
	{"tier", set_keyword, tiers, &tier_value,
	    "auto, perf, timer or process"},
};

static bool
is_child_of_profiled(void)
{
	int parent = (int)SYS(getppid, 0, 0, 0, 0, 0, 0);
	char maps[4096];

	return proc_info_has_libmon(parent, maps, sizeof maps);
}

/*
 * Reports a bad option in one process of a run, not in each of its ten thousand
 * children.
 */
static void
report_bad_option(const char *key, const char *value, const char *wanted)
{
	if (is_child_of_profiled())
		return;
	if (wanted == NULL)
		stderr_note("PROFOPTS: unknown key \"", key,
		    "\" ignored; mon(7) lists them", NULL);
	else
		stderr_note("PROFOPTS: ", key, "=", value, " ignored; wanted ",
		    wanted, NULL);
}

static void
apply_option(const char *key, const char *value, bool cut)
{
	size_t i;

	for (i = 0; i < sizeof options / sizeof *options; i++) {
		if (!str_equal(key, options[i].key))
			continue;
		if (cut || !options[i].set(&options[i], value))
			report_bad_option(key, value, options[i].wanted);
		return;
	}
	report_bad_option(key, value, NULL);
}

/* Reads key=value,key=value; a value ends at the comma. */
static void
parse_profopts(const char *text)
{
	char item[PATH_MAX];
	size_t n;

	while (*text != '\0') {
		char *equal;

		for (n = 0; text[n] != '\0' && text[n] != ','; n++)
			if (n + 1 < sizeof item)
				item[n] = text[n];
		item[n < sizeof item ? n : sizeof item - 1] = '\0';
		text += text[n] == ',' ? n + 1 : n;
		if (item[0] == '\0')
			continue;
		for (equal = item; *equal != '\0' && *equal != '='; equal++)
			;
		if (*equal == '=')
			*equal++ = '\0';
		apply_option(item, equal, n >= sizeof item);
	}
}

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
	    sizeof config.progname);
}

bool
options_make_absolute(char *to, const char *path)
{
	struct str s;
	long n = 0;

	if (path[0] != '/') {
		n = SYS(getcwd, to, PATH_MAX, 0, 0, 0, 0);
		if (n <= 0 || to[0] != '/') {
			str_copy(to, path, PATH_MAX);
			return false;	/* the directory was removed */
		}
		n--;
	}
	str_init(&s, to + n, PATH_MAX - (size_t)n);
	if (path[0] != '/' && path[0] != '\0' && n > 1)
		str_add(&s, "/");
	str_add(&s, path);
	while (s.at > to + 1 && s.at[-1] == '/')
		*--s.at = '\0';
	if (to[0] == '/' && to[1] == '\0')
		to[0] = '\0';	/* the file's name adds the slash */
	return !s.full;
}

/*
 * Does not call libc's getenv, which finds nothing before libc's constructor
 * has run.  There is no environment at all after clearenv(3), if a program
 * loads the library later.
 */
static char **
find_env_entry(char **environment, const char *head)
{
	char **e;

	for (e = environment; e != NULL && *e != NULL; e++)
		if (str_begins(*e, head))
			return e;
	return NULL;
}

const char *
options_getenv(char **environment, const char *head)
{
	char **e = find_env_entry(environment, head);

	return e == NULL ? NULL : *e + str_length(head);
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
	    !options_make_absolute(config.directory, profdir))
		return;
	entry = mmap_area_alloc(sizeof PROFDIR + PATH_MAX);
	if (entry == NULL)
		return;
	str_init(&s, entry, sizeof PROFDIR + PATH_MAX);
	str_add(&s, PROFDIR);
	str_add(&s, config.directory);
	*find_env_entry(environment, PROFDIR) = entry;
}

static void
choose_profile_place(const char *profdir)
{
	const char *directory = dir_given ? dir_value :
	    profdir != NULL ? profdir : "";
	const char *file = file_value;

	config.place = *file != '\0' ? CONFIG_PLACE_FILE :
	    directory[0] != '\0' ? CONFIG_PLACE_DIR : CONFIG_PLACE_PLAIN;
	/* An absolute file name is below the root, whose name is empty here. */
	if (*file == '/')
		directory = "/";
	while (*file == '/')
		file++;
	str_copy(config.pattern, file, sizeof config.pattern);
	if (options_make_absolute(config.directory, directory))
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

static void
read_profopts(const char *text)
{
	set_option_defaults();
	find_program_name();
	if (text != NULL) {
		str_copy(config.options, text, sizeof config.options);
		parse_profopts(text);
	}
	config.tier = tier_value;
	config.clock = clock_value;
	config.time = mode_value != 1;
	config.heap = mode_value != 0;
}

void
options_read_linked(char **environment)
{
	config.place = CONFIG_PLACE_OFF;
	if (is_under_valgrind(options_getenv(environment, "LD_PRELOAD=")))
		return;
	read_profopts(getauxval(AT_SECURE) != 0 ? NULL :
	    options_getenv(environment, "PROFOPTS="));
	config.start = config.follow = true;
	config.clock = FORMAT_CLOCK_CPU;
	config.time = true;
	config.heap = false;
	config.place = CONFIG_PLACE_MEMORY;
}

void
options_read(char **environment)
{
	const char *profdir = options_getenv(environment, PROFDIR);
	const char *text = options_getenv(environment, "PROFOPTS=");

	config.place = CONFIG_PLACE_OFF;
	if ((profdir != NULL && *profdir == '\0') ||
	    getauxval(AT_SECURE) != 0 ||
	    is_under_valgrind(options_getenv(environment, "LD_PRELOAD=")))
		return;
	export_profdir(environment, profdir);
	read_profopts(text);
	if (!config.follow && is_child_of_profiled())
		return;
	if (only_value[0] != '\0' &&
	    !program_list_matches(only_value, config.progname))
		return;
	if (program_list_matches(exclude_value, config.progname))
		return;
	choose_profile_place(profdir);
}
