/* Context: O.  prof(1) as it was called on System V and BSD. */
#include "oldprof.h"

#include "complain.h"
#include "listing.h"
#include "listing_source.h"
#include "output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLASSIC		"--classic"
#define MON_OUT		"mon.out"
#define MON_SUM		"mon.sum"
#define LETTERS		"canthsglzoxT:m:VC"
#define LETTERS_BSD	"alnzsv0123456789"

struct oldprof {
	struct listing_options set;
	const char *program;	/* NULL = not named */
	const char **files;
	size_t file_count;
	bool sorted;		/* an order was given */
	bool version, other;	/* -V was, something else was */
	bool quiet;
};

static int
usage(const struct oldprof *p)
{
	if (p->quiet)
		return LISTING_SYSTEM;
	fputs(p->set.style == LISTING_BSD ?
	    "usage: prof --classic=bsd [-a] [-l | -n] [-z] [-s] "
	    "[prog [mdata ...]]\n" :
	    "usage: prof [--classic] [-ChsVz] [-a | c | n | t] [-o | x] "
	    "[-g | l]\n\t[-m mdata] ... [prog [mdata ...]]\n", stderr);
	return LISTING_SYSTEM;
}

static int
unknown(const struct oldprof *p)
{
	if (!p->quiet)
		fprintf(stderr, strchr(LETTERS, optopt) != NULL ?
		    "prof: option requires an argument -- %c\n" :
		    "prof: illegal option -- %c\n", optopt);
	return usage(p);
}

static void
take_order(struct oldprof *p, int letter, enum listing_sort sort)
{
	/* -a was no sort of its own, and warned of what came before only. */
	if (p->sorted && p->set.sort != sort &&
	    p->set.sort != LISTING_ADDRESS && !p->quiet)
		fprintf(stderr, "prof: Warning: %c overrides previous "
		    "specification\n", letter);
	p->set.sort = sort;
	p->sorted = true;
}

static int
take_letter(struct oldprof *p, int letter)
{
	struct listing_options *o = &p->set;

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
		p->files[p->file_count++] = optarg;
		break;
	case '?':
		return unknown(p);
	default:		/* -T was for its makers */
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
	struct listing_options *o = &p->set;

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
	case '?':
		return unknown(p);
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
	const bool bsd = p->set.style == LISTING_BSD;
	int letter, ret = 0;

	/* Behind the first name all are names. */
	while (ret == 0 && (letter = getopt(argc, argv, bsd ?
	    "+" LETTERS_BSD : "+" LETTERS)) != -1)
		ret = bsd ? take_bsd_letter(p, letter) :
		    take_letter(p, letter);
	if (ret == 0 && optind < argc)
		p->program = argv[optind++];
	while (ret == 0 && optind < argc)
		p->files[p->file_count++] = argv[optind++];
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
		p->set.style = LISTING_BSD;
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

/* Letters as ours are not, and no long option. */
static bool
has_letters(char **argv)
{
	bool any = false;
	char **at = argv + 1;

	for (; *at != NULL && (*at)[0] == '-' && (*at)[1] != '\0'; at++) {
		const char *letter = *at + 1;

		for (; *letter != '\0' && *letter != 'm' && *letter != 'T';
		    letter++) {
			if (*letter == ':' || strchr(LETTERS, *letter) == NULL)
				return false;
			/* Ours has -o, too. */
			any |= *letter != 'o';
		}
		any |= *letter != '\0';
		if (*letter != '\0' && letter[1] == '\0' && at[1] == NULL)
			return false;
		if (*letter != '\0' && letter[1] == '\0')
			at++;
	}
	return any;
}

static int
out_of_memory(void)
{
	fputs("prof: out of memory\n", stderr);
	return LISTING_MEMORY;
}

static void
init(struct oldprof *p, int argc, bool quiet)
{
	memset(p, 0, sizeof(*p));
	p->quiet = quiet;
	/* As many as there can be. */
	p->files = calloc((size_t)argc + 1, sizeof(*p->files));
	opterr = 0;
	optind = 0;	/* of the C library of GNU: anew */
}

static void
default_file(struct oldprof *p)
{
	if (p->file_count == 0)
		p->files[p->file_count++] = MON_OUT;
}

enum oldprof_meant
oldprof_meant(int argc, char **argv, const char **file)
{
	enum oldprof_meant is = OLDPROF_NO;
	struct oldprof p;

	if (find_classic(argv) != NULL)
		return OLDPROF_YES;
	if (!has_letters(argv))
		return OLDPROF_NO;
	init(&p, argc, true);
	if (p.files != NULL && parse(&p, argc, argv) == 0) {
		const bool alone = p.version && !p.other && p.program == NULL;

		default_file(&p);
		*file = p.files[0];
		is = alone || listing_source_is(*file, p.program) ?
		    OLDPROF_YES : OLDPROF_OTHER_FILE;
	}
	free(p.files);
	return is;
}

/* Time in what cannot be read has no names; what else there is is shown. */
static int
say_unread(const struct listing *l)
{
	int ret = 0;

	for (const struct listing_module *m = l->modules; m != NULL;
	    m = m->next) {
		struct fault f;

		if (m->error == 0 || m->path[0] == '\0')
			continue;
		fault_set(&f, "its functions cannot be named", FAULT_NO_OFFSET,
		    -m->error);
		f.file = m->path;
		complain(&f);
		ret = LISTING_SYSTEM;
	}
	return ret;
}

static int
make_listing(const struct oldprof *p, struct listing *l,
    const struct listing_source *sources, size_t count, struct fault *f)
{
	int ret = listing_begin(l, &p->set, listing_program(p->program,
	    p->files, p->file_count), f);

	if (ret == 0 && p->program != NULL)
		ret = listing_check_program(l, f);
	for (size_t i = 0; i < count && ret == 0; i++) {
		ret = listing_add(l, &sources[i].file, f);
		if (ret != 0 && f->file == NULL)
			f->file = sources[i].file.path;
	}
	return ret != 0 ? ret : listing_finish(l, f);
}

static int
show(const struct oldprof *p, const struct listing_source *sources,
    size_t count, struct fault *f)
{
	struct output shown = { .out = stdout };
	struct listing l;
	int ret = make_listing(p, &l, sources, count, f);

	if (ret == 0) {
		listing_print(stdout, stderr, &l);
		if (p->set.style == LISTING_BSD && p->set.statistics)
			ret = listing_write_sum(MON_SUM, &l, f);
		if (ret != 0)
			f->file = MON_SUM;
	}
	if (ret == 0 && output_close(&shown, f) != 0)
		ret = LISTING_SYSTEM;
	if (ret != 0)
		complain(f);
	else
		ret = say_unread(&l);
	listing_free(&l);
	return ret;
}

static int
list(struct oldprof *p)
{
	struct listing_source *sources;
	struct fault f = { 0 };
	size_t count = 0;
	int ret;

	default_file(p);
	sources = calloc(p->file_count, sizeof(*sources));
	if (sources == NULL)
		return out_of_memory();
	ret = listing_source_read(sources, &count, p->files, p->file_count,
	    p->program, &f);
	if (ret != 0)
		complain(&f);
	else
		ret = show(p, sources, count, &f);
	listing_source_free(sources, count);
	free(sources);
	return ret;
}

int
oldprof(int argc, char **argv)
{
	struct oldprof p;
	int ret;

	init(&p, argc, false);
	if (p.files == NULL)
		return out_of_memory();
	ret = parse(&p, argc, argv);
	if (p.version && ret == 0)
		fputs("prof: libmon " PACKAGE_VERSION "\n", stderr);
	if (ret == 0 && (!p.version || p.other || p.program != NULL))
		ret = list(&p);
	free(p.files);
	return ret;
}
