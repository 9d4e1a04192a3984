/*
 * Context: O.  Runs prof with the command lines of System V and BSD, for main()
 * of prof; see classic_main.h.  Uses getopt(3), whose state no other part of
 * prof uses.
 */
#include "classic/classic_main.h"

#include "listing_source.h"
#include "classic/classic_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLASSIC		"--classic"
#define MON_OUT		"mon.out"
#define LETTERS		"canthsglzoxT:m:VC"
#define LETTERS_BSD	"alnzsv0123456789"

/* The parsed command line. */
struct classic_main {
	struct classic_list list;
	bool sorted;		/* a sort option was given */
	bool version, other;	/* -V was given; another option was given */
};

static int
print_classic_usage(const struct classic_main *p)
{
	fputs(p->list.set.style == LISTING_BSD ?
	    "usage: prof --classic=bsd [-a] [-l | -n] [-z] [-s] "
	    "[prog [mdata ...]]\n" :
	    "usage: prof [--classic] [-ChsVz] [-a | c | n | t] [-o | x] "
	    "[-g | l]\n\t[-m mdata] ... [prog [mdata ...]]\n", stderr);
	return LISTING_SYSTEM;
}

/*
 * Reports an unknown option.  next: the argument that getopt(3) is reading, if
 * the option is a long one.
 */
static int
reject_letter(const struct classic_main *p, const char *next)
{
	if (optopt == '-' && next != NULL)
		fprintf(stderr, "prof: %s: not with --classic\n", next);
	else
		fprintf(stderr, "prof: illegal option -- %c\n", optopt);
	return print_classic_usage(p);
}

static int
reject_no_argument(const struct classic_main *p)
{
	fprintf(stderr, "prof: option requires an argument -- %c\n", optopt);
	return print_classic_usage(p);
}

static void
set_classic_sort(struct classic_main *p, int letter, enum listing_sort sort)
{
	/*
	 * In the original -a was no sort option: it warned only of sort options
	 * before it.
	 */
	if (p->sorted && p->list.set.sort != sort &&
	    p->list.set.sort != LISTING_ADDRESS)
		fprintf(stderr, "prof: Warning: %c overrides previous "
		    "specification\n", letter);
	p->list.set.sort = sort;
	p->sorted = true;
}

/* Handles an option of System V.  p->list.files has room.  Returns 0. */
static int
parse_svr4_letter(struct classic_main *p, int letter)
{
	struct listing_options *o = &p->list.set;

	p->version |= letter == 'V';
	p->other |= letter != 'V';
	switch (letter) {
	case 't':
		set_classic_sort(p, letter, LISTING_TIME);
		break;
	case 'c':
		set_classic_sort(p, letter, LISTING_CALLS);
		break;
	case 'a':
		set_classic_sort(p, letter, LISTING_ADDRESS);
		break;
	case 'n':
		set_classic_sort(p, letter, LISTING_NAME);
		break;
	case 'o':
	case 'x':
		o->address = (char)letter;
		break;
	case 'g':
	case 'l':
		o->local = letter == 'g';
		break;
	case 'm':
		p->list.files[p->list.file_count++] = optarg;
		break;
	default:		/* -T traced the original prof and is ignored */
		break;
	}
	o->zero |= letter == 'z';
	o->no_header |= letter == 'h';
	o->statistics |= letter == 's';
	o->demangle |= letter == 'C';
	return 0;
}

/*
 * Handles an option of 4.2BSD.  Returns 0, or LISTING_SYSTEM after a line on
 * standard error.
 */
static int
parse_bsd_letter(struct classic_main *p, int letter)
{
	struct listing_options *o = &p->list.set;

	switch (letter) {
	case 'l':
		o->sort = LISTING_ADDRESS;
		break;
	case 'n':
		if (o->sort == LISTING_TIME)
			o->sort = LISTING_CALLS;
		break;
	case 'v':
		fputs("prof: -v: there is no plotter\n", stderr);
		return LISTING_SYSTEM;
	default:
		break;
	}
	o->local |= letter == 'a';
	o->zero |= letter == 'z';
	o->statistics |= letter == 's';
	return 0;
}

/*
 * Parses the options and names.  p->list.files must have room for all words.
 * Returns 0, or LISTING_SYSTEM after a line on standard error.
 */
static int
parse_classic_options(struct classic_main *p, int argc, char **argv)
{
	const bool bsd = p->list.set.style == LISTING_BSD;
	int letter, ret = 0;

	/* All words behind the first name are names. */
	while (ret == 0 && (letter = getopt(argc, argv, bsd ?
	    "+:" LETTERS_BSD : "+:" LETTERS)) != -1) {
		if (letter == '?')
			ret = reject_letter(p, argv[optind]);
		else if (letter == ':')
			ret = reject_no_argument(p);
		else
			ret = bsd ? parse_bsd_letter(p, letter) :
			    parse_svr4_letter(p, letter);
	}
	if (ret == 0 && optind < argc)
		p->list.program = argv[optind++];
	while (ret == 0 && optind < argc)
		p->list.files[p->list.file_count++] = argv[optind++];
	if (p->list.file_count == 0)
		p->list.files[p->list.file_count++] = MON_OUT;
	return ret;
}

/* Returns the --classic among the options; NULL if there is none. */
static char **
find_classic(char **argv)
{
	for (char **at = argv + 1; *at != NULL && strcmp(*at, "--") != 0; at++)
		if (strcmp(*at, CLASSIC) == 0 ||
		    strncmp(*at, CLASSIC "=", sizeof(CLASSIC)) == 0)
			return at;
	return NULL;
}

/*
 * Sets the style by --classic or --classic=STYLE.  Returns 0, or LISTING_SYSTEM
 * after a line on standard error.
 */
static int
parse_classic_style(struct classic_main *p, const char *classic)
{
	const char *style = strchr(classic, '=');

	if (style == NULL || strcmp(style, "=svr4") == 0)
		return 0;
	if (strcmp(style, "=bsd") == 0) {
		p->list.set.style = LISTING_BSD;
		return 0;
	}
	fprintf(stderr, "prof: %s: use svr4, bsd\n", classic);
	return LISTING_SYSTEM;
}

/*
 * Removes --classic from argv, sets the style by its value, and parses the
 * rest.  Returns as parse_classic_options().
 */
static int
parse_classic_args(struct classic_main *p, int argc, char **argv)
{
	char **classic = find_classic(argv);
	int ret = classic == NULL ? 0 : parse_classic_style(p, *classic);

	if (classic != NULL) {
		memmove(classic, classic + 1, (size_t)(argv + argc - classic) *
		    sizeof(*classic));
		argc--;
	}
	return ret != 0 ? ret : parse_classic_options(p, argc, argv);
}

/*
 * Returns whether there are classic options.  -o is no evidence, nor what
 * stands behind it in one word: libmon's prof has -oFILE.  But -ox beside a
 * word with another letter is -o and -x, because libmon's prof has none of the
 * letters.  Sets *program (NULL: none) and *file to what the classic prof would
 * read.  restart_getopt() comes first.
 */
static bool
has_classic_letters(int argc, char **argv, const char **program,
    const char **file)
{
	const char *word = argc > 1 ? argv[1] : NULL;
	bool any = false;
	int letter;

	*program = *file = NULL;
	while ((letter = getopt(argc, argv, "+:" LETTERS)) != -1) {
		if (letter == '?')
			return false;
		if (letter == 'm' && *file == NULL)
			*file = optarg;
		any |= strncmp(word, "-o", 2) != 0;
		word = argv[optind];	/* that of the next letter */
	}
	if (optind < argc)
		*program = argv[optind];
	if (*file == NULL)
		*file = optind + 1 < argc ? argv[optind + 1] : MON_OUT;
	return any;
}

static void
restart_getopt(void)
{
	opterr = 0;
	optind = 0;	/* glibc: start again from the beginning */
}

enum classic_main_match
classic_main_match(int argc, char **argv, const char **file)
{
	const char *program;

	if (find_classic(argv) != NULL)
		return CLASSIC_MAIN_YES;
	restart_getopt();
	if (!has_classic_letters(argc, argv, &program, file))
		return CLASSIC_MAIN_NO;
	if (argc == 2 && strcmp(argv[1], "-V") == 0)
		return CLASSIC_MAIN_YES;
	return listing_source_is(*file, program) ? CLASSIC_MAIN_YES :
	    CLASSIC_MAIN_OTHER_FILE;
}

int
classic_main(int argc, char **argv)
{
	struct classic_main p = { 0 };
	int ret;

	/* Room for all words of the command line. */
	p.list.files = calloc((size_t)argc + 1, sizeof(*p.list.files));
	if (p.list.files == NULL) {
		fputs("prof: out of memory\n", stderr);
		return LISTING_MEMORY;
	}
	restart_getopt();
	ret = parse_classic_args(&p, argc, argv);
	if (p.version && ret == 0)
		fputs("prof: libmon " PACKAGE_VERSION "\n", stderr);
	if (ret == 0 && (!p.version || p.other || p.list.program != NULL))
		ret = classic_list(&p.list);
	free(p.list.files);
	return ret;
}
