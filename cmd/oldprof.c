/* Context: O.  prof(1) as it was called on System V and BSD. */
#include "oldprof.h"

#include "listing_source.h"
#include "oldlist.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLASSIC		"--classic"
#define MON_OUT		"mon.out"
#define LETTERS		"canthsglzoxT:m:VC"
#define LETTERS_BSD	"alnzsv0123456789"

struct oldprof {
	struct oldlist list;
	bool sorted;		/* an order was given */
	bool version, other;	/* -V was, something else was */
};

static int
usage(const struct oldprof *p)
{
	fputs(p->list.set.style == LISTING_BSD ?
	    "usage: prof --classic=bsd [-a] [-l | -n] [-z] [-s] "
	    "[prog [mdata ...]]\n" :
	    "usage: prof [--classic] [-ChsVz] [-a | c | n | t] [-o | x] "
	    "[-g | l]\n\t[-m mdata] ... [prog [mdata ...]]\n", stderr);
	return LISTING_SYSTEM;
}

/* `next` is what getopt(3) is in the midst of, where that is a long one. */
static int
no_option(const struct oldprof *p, const char *next)
{
	if (optopt == '-' && next != NULL)
		fprintf(stderr, "prof: %s: not with --classic\n", next);
	else
		fprintf(stderr, "prof: illegal option -- %c\n", optopt);
	return usage(p);
}

static int
no_argument(const struct oldprof *p)
{
	fprintf(stderr, "prof: option requires an argument -- %c\n", optopt);
	return usage(p);
}

static void
take_order(struct oldprof *p, int letter, enum listing_sort sort)
{
	/* -a was no sort of its own, and warned of what came before only. */
	if (p->sorted && p->list.set.sort != sort &&
	    p->list.set.sort != LISTING_ADDRESS)
		fprintf(stderr, "prof: Warning: %c overrides previous "
		    "specification\n", letter);
	p->list.set.sort = sort;
	p->sorted = true;
}

static int
take_letter(struct oldprof *p, int letter)
{
	struct listing_options *o = &p->list.set;

	p->version |= letter == 'V';
	p->other |= letter != 'V';
	switch (letter) {
	case 't':
		take_order(p, letter, LISTING_TIME);
		break;
	case 'c':
		take_order(p, letter, LISTING_CALLS);
		break;
	case 'a':
		take_order(p, letter, LISTING_ADDRESS);
		break;
	case 'n':
		take_order(p, letter, LISTING_NAME);
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
	default:		/* -T traced prof itself, and is ignored */
		break;
	}
	o->zero |= letter == 'z';
	o->no_header |= letter == 'h';
	o->statistics |= letter == 's';
	o->demangle |= letter == 'C';
	return 0;
}

static int
take_bsd_letter(struct oldprof *p, int letter)
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

static int
take_options(struct oldprof *p, int argc, char **argv)
{
	const bool bsd = p->list.set.style == LISTING_BSD;
	int letter, ret = 0;

	/* Behind the first name all are names. */
	while (ret == 0 && (letter = getopt(argc, argv, bsd ?
	    "+:" LETTERS_BSD : "+:" LETTERS)) != -1) {
		if (letter == '?')
			ret = no_option(p, argv[optind]);
		else if (letter == ':')
			ret = no_argument(p);
		else
			ret = bsd ? take_bsd_letter(p, letter) :
			    take_letter(p, letter);
	}
	if (ret == 0 && optind < argc)
		p->list.program = argv[optind++];
	while (ret == 0 && optind < argc)
		p->list.files[p->list.file_count++] = argv[optind++];
	if (p->list.file_count == 0)
		p->list.files[p->list.file_count++] = MON_OUT;
	return ret;
}

/* NULL, or where --classic is among the options. */
static char **
find_classic(char **argv)
{
	for (char **at = argv + 1; *at != NULL && strcmp(*at, "--") != 0; at++)
		if (strcmp(*at, CLASSIC) == 0 ||
		    strncmp(*at, CLASSIC "=", sizeof(CLASSIC)) == 0)
			return at;
	return NULL;
}

static int
take_style(struct oldprof *p, const char *classic)
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

static int
parse(struct oldprof *p, int argc, char **argv)
{
	char **classic = find_classic(argv);
	int ret = classic == NULL ? 0 : take_style(p, *classic);

	if (classic != NULL) {
		memmove(classic, classic + 1, (size_t)(argv + argc - classic) *
		    sizeof(*classic));
		argc--;
	}
	return ret != 0 ? ret : take_options(p, argc, argv);
}

/* "-oFILE" is ours. */
static bool
names_output(char **argv)
{
	for (char **at = argv + 1; *at != NULL && (*at)[0] == '-'; at++)
		if ((*at)[1] == 'o' && (*at)[2] != '\0')
			return true;
	return false;
}

/* By its letters; prof's own -o is none that tells. */
static bool
has_letters(int argc, char **argv, const char **program, const char **file)
{
	bool any = false;
	int letter;

	*program = *file = NULL;
	if (names_output(argv))
		return false;
	while ((letter = getopt(argc, argv, "+:" LETTERS)) != -1) {
		if (letter == '?')
			return false;
		if (letter == 'm' && *file == NULL)
			*file = optarg;
		any |= letter != 'o';
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
	optind = 0;	/* of the C library of GNU: from the start */
}

enum oldprof_meant
oldprof_meant(int argc, char **argv, const char **file)
{
	const char *program;

	if (find_classic(argv) != NULL)
		return OLDPROF_YES;
	restart_getopt();
	if (!has_letters(argc, argv, &program, file))
		return OLDPROF_NO;
	if (argc == 2 && strcmp(argv[1], "-V") == 0)
		return OLDPROF_YES;
	return listing_source_is(*file, program) ? OLDPROF_YES :
	    OLDPROF_OTHER_FILE;
}

int
oldprof(int argc, char **argv)
{
	struct oldprof p = { .version = false };
	int ret;

	/* As many files as there can be. */
	p.list.files = calloc((size_t)argc + 1, sizeof(*p.list.files));
	if (p.list.files == NULL) {
		fputs("prof: out of memory\n", stderr);
		return LISTING_MEMORY;
	}
	restart_getopt();
	ret = parse(&p, argc, argv);
	if (p.version && ret == 0)
		fputs("prof: libmon " PACKAGE_VERSION "\n", stderr);
	if (ret == 0 && (!p.version || p.other || p.list.program != NULL))
		ret = oldlist(&p.list);
	free(p.list.files);
	return ret;
}
