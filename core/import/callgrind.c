/*
 * Context: O.  Reader of callgrind.out, of valgrind and of programs that write
 * the same: the cost of each place of a function, and of the calls from there
 * with all that was done in them.  It has no stacks.  import_read() calls
 * callgrind_read(); callgrind_is.c recognizes the format.
 *
 * The lines are: "key: value" of the header, which each part has anew;
 * "key=value", which says where the costs below belong; and costs.
 */
#include "callgrind_header.h"
#include "callgrind_line.h"

#define CALLGRIND_WRONG	"there is neither a cost nor another part of callgrind"

/* State while a file is read. */
struct callgrind {
	struct import *x;
	const struct import_sink *sink;
	struct fault *fault;
	struct callgrind_line_names files, functions, modules;
	struct callgrind_header header;
	struct import_frame from;
	struct text file;	/* file that the function began in */
	struct import_frame self;	/* called function, if `calls` is set */
	/* True if the callee's module or file was given */
	bool has_module, has_file;
	bool calls;		/* the next line of costs is that of calls */
	bool lost;		/* those calls were left out */
	uint64_t count;		/* the number of those calls */
	/* a key was not understood, and no function has begun since then */
	bool unsure;
	bool some_costs;	/* some part had costs that were read */
};

enum callgrind_key { CALLGRIND_KEY_FILE, CALLGRIND_KEY_PART,
    CALLGRIND_KEY_FUNCTION, CALLGRIND_KEY_MODULE };

/*
 * The place of a jump's target is of no use, except for the numbered names that
 * it defines.
 */
enum callgrind_target { CALLGRIND_OF_COST, CALLGRIND_OF_CALL,
    CALLGRIND_OF_JUMP };

static const struct {
	const char *key;
	enum callgrind_key what;
	enum callgrind_target whose;
} keys[] = {
	{ "fl=", CALLGRIND_KEY_FILE, CALLGRIND_OF_COST },
	{ "fi=", CALLGRIND_KEY_PART, CALLGRIND_OF_COST },
	{ "fe=", CALLGRIND_KEY_PART, CALLGRIND_OF_COST },
	{ "fn=", CALLGRIND_KEY_FUNCTION, CALLGRIND_OF_COST },
	{ "ob=", CALLGRIND_KEY_MODULE, CALLGRIND_OF_COST },
	{ "cfi=", CALLGRIND_KEY_FILE, CALLGRIND_OF_CALL },
	{ "cfl=", CALLGRIND_KEY_FILE, CALLGRIND_OF_CALL },
	{ "cfn=", CALLGRIND_KEY_FUNCTION, CALLGRIND_OF_CALL },
	{ "cob=", CALLGRIND_KEY_MODULE, CALLGRIND_OF_CALL },
	{ "jfi=", CALLGRIND_KEY_FILE, CALLGRIND_OF_JUMP },
	{ "jfn=", CALLGRIND_KEY_FUNCTION, CALLGRIND_OF_JUMP },
	{ "job=", CALLGRIND_KEY_MODULE, CALLGRIND_OF_JUMP },
};

/* Returns the name, or none for "???", which means not known. */
static struct text
unless_unknown(struct text name)
{
	return text_equal_str(name, "???") ? (struct text) { 0 } :
	    name;
}

/* Ends a call after its costs were read, or without them. */
static void
end_calls(struct callgrind *p)
{
	p->calls = p->lost = p->has_module = p->has_file = false;
	p->self = import_unknown_frame();
}

/* Drops a call that the line before began, if it did: its costs are missing. */
static void
drop_calls(struct callgrind *p)
{
	if (!p->calls)
		return;
	if (!p->lost)
		import_skip(p->x, "the cost of calls is missing");
	end_calls(p);
}

/* Begins a function: drops a callee whose calls never came. */
static void
begin_function(struct callgrind *p)
{
	p->unsure = false;
	if (p->self.name.at != NULL && !callgrind_header_is_left_out(
	    &p->header))
		import_skip(p->x, "the number of calls is missing");
	end_calls(p);
}

/* Sets a part of the place of the costs below, or of the called function. */
static void
set_key_value(struct callgrind *p, enum callgrind_key what, bool called,
    struct text name)
{
	struct import_frame *to = called ? &p->self : &p->from;

	switch (what) {
	case CALLGRIND_KEY_MODULE:
		p->has_module |= called;
		to->module.path = unless_unknown(name);
		return;
	case CALLGRIND_KEY_FUNCTION:
		if (!called)
			begin_function(p);
		to->name = name;
		if (!called)
			to->file = p->file;
		return;
	case CALLGRIND_KEY_FILE:
		if (called)
			p->has_file = true;
		else
			p->file = unless_unknown(name);
		/* fall through */
	default:
		to->file = unless_unknown(name);
	}
}

static struct callgrind_line_names *
names_of_key(struct callgrind *p, enum callgrind_key what)
{
	return what == CALLGRIND_KEY_MODULE ? &p->modules :
	    what == CALLGRIND_KEY_FUNCTION ? &p->functions : &p->files;
}

/*
 * Reads a "key=value" line.  Returns 0, 1 if it is no such line, or -errno.  An
 * unknown name is shown as its number.
 */
static int
read_key_line(struct callgrind *p, struct text line)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct text name;
		int ret;

		if (!text_skip_prefix(&line, keys[i].key))
			continue;
		ret = callgrind_line_name(names_of_key(p, keys[i].what), line,
		    &name);
		if (ret == -ENOMEM)
			return fault_set_no_memory(p->fault);
		if (ret != 0) {
			import_skip(p->x, "a number stands for a name that the "
			    "file does not give");
			name = keys[i].what == CALLGRIND_KEY_FUNCTION ?
			    text_trim(line) : text_of("???");
		}
		p->x->taken += ret == 0;
		if (keys[i].whose == CALLGRIND_OF_COST || (keys[i].whose ==
		    CALLGRIND_OF_CALL && !callgrind_header_is_left_out(
		    &p->header)))
			set_key_value(p, keys[i].what,
			    keys[i].whose == CALLGRIND_OF_CALL, name);
		return 0;
	}
	return 1;
}

/*
 * Reads "calls=3 0x1000 12"; the place where that function begins is not
 * needed.  The costs on the next line are those of the calls, even if the calls
 * cannot be attributed.
 */
static void
take_calls(struct callgrind *p, struct text line)
{
	line = text_trim(line);
	p->calls = true;
	p->lost = true;
	if (!text_parse_number(&line, 10, &p->count))
		import_skip(p->x, "the number of calls is missing");
	else if (p->self.name.at == NULL)
		import_skip(p->x, "the callee is missing");
	else
		p->lost = false;
	p->x->taken += !p->lost;
}

/*
 * Hands a line of costs to the sink: a sample, or a call if the line before was
 * "calls=".  Returns 0 or what the sink returned.
 */
static int
put_cost(struct callgrind *p, const struct callgrind_line_cost *cost)
{
	struct import_frame *from = &p->from;
	const struct import_sample s = {
		.frames = from, .depth = 1, .value = cost->value,
		.program = p->header.program, .pid = p->header.pid,
		.tid = IMPORT_NO_PID,
	};
	struct import_call c;

	from->home = p->file;
	if (p->header.columns.has[CALLGRIND_INSTR])
		from->address = cost->is_known[CALLGRIND_INSTR] ?
		    cost->at[CALLGRIND_INSTR] : IMPORT_NO_ADDRESS;
	from->line = p->header.columns.has[CALLGRIND_LINE] &&
	    cost->is_known[CALLGRIND_LINE] &&
	    cost->at[CALLGRIND_LINE] <= UINT32_MAX ?
	    (uint32_t)cost->at[CALLGRIND_LINE] : 0;
	if (!p->calls)
		p->header.missing -= (uint64_t)cost->value;
	if (!p->calls)
		return cost->value == 0 ? 0 :
		    p->sink->sample(p->sink->arg, &s);
	if (p->lost) {
		end_calls(p);
		return 0;
	}
	/* A file or module that was not given is that of the caller. */
	if (!p->has_module)
		p->self.module = from->module;
	if (!p->has_file)
		p->self.file = from->file;
	p->self.home = p->self.file;
	c = (struct import_call) { *from, p->self, p->count, cost->value };
	end_calls(p);
	return p->sink->call(p->sink->arg, &c);
}

/*
 * Reads a line of costs, or skips it if it is wrong or may be of another
 * function.  Returns as put_cost().
 */
static int
take_cost(struct callgrind *p, struct text line)
{
	struct callgrind_line_cost cost;
	const char *why = NULL;

	if (!callgrind_line_cost(&p->header.columns, line, &cost))
		why = CALLGRIND_WRONG;
	else if (p->x->unit.at == NULL)
		why = "a cost stands before the names of events";
	else if (p->from.name.at == NULL)
		why = "a cost belongs to no function";
	else if (p->unsure)
		why = "a cost follows a line that is not understood";
	else if (!p->calls && p->self.name.at != NULL)
		why = "the number of calls is missing";
	if (why != NULL) {
		import_skip(p->x, why);
		end_calls(p);
		return 0;
	}
	p->x->taken++;
	p->some_costs = true;
	return put_cost(p, &cost);
}

/*
 * Reads any line, without blanks around it.  Returns 0, what the sink returned,
 * or -errno with *p->fault set.
 */
static int
take_line(struct callgrind *p, struct text line)
{
	const bool cost = line.bytes != 0 && callgrind_line_is_cost(line);
	const bool left_out = callgrind_header_is_left_out(&p->header);
	int ret;

	if (line.bytes == 0 || *line.at == '#')
		return 0;
	if (!cost)
		drop_calls(p);
	if (text_skip_prefix(&line, "calls=")) {
		if (!left_out)
			take_calls(p, line);
		return 0;
	}
	/* The line after it says where the jump starts, and has no costs. */
	if (text_skip_prefix(&line, "jump=") || text_skip_prefix(&line,
	    "jcnd="))
		return 0;
	ret = read_key_line(p, line);
	if (ret != 1 || callgrind_header_read(&p->header, p->x, line))
		return ret == 1 ? 0 : ret;
	if (cost)
		return left_out ? 0 : take_cost(p, line);
	import_skip(p->x, CALLGRIND_WRONG);
	/* It may have said what the costs below are of. */
	p->unsure |= text_find_last(line, '=') != NULL;
	return 0;
}

int
callgrind_read(struct import *x, const struct import_sink *sink,
    struct fault *f)
{
	struct text_lines lines = import_lines(x);
	struct callgrind p = {
		.x = x, .sink = sink, .fault = f,
		.header = callgrind_header_unknown(),
		.from = import_unknown_frame(), .self = import_unknown_frame(),
	};
	struct text line;
	int ret = 0;

	x->unit.at = NULL;
	while (ret == 0 && text_next_line(&lines, &line)) {
		x->line = lines.number;
		ret = take_line(&p, text_trim(line));
	}
	/* The file may end amid a call. */
	drop_calls(&p);
	begin_function(&p);
	if (ret == 0)
		callgrind_header_end_part(&p.header, x);
	if (ret == 0 && !p.some_costs && p.header.why != NULL) {
		ret = fault_set_line(f, p.header.why, p.header.why_line);
		f->remedy = p.header.remedy;
	} else if (ret == 0 && x->unit.at == NULL) {
		ret = fault_set(f, "has no events of callgrind",
		    FAULT_NO_OFFSET, 0);
	}
	callgrind_line_names_free(&p.files);
	callgrind_line_names_free(&p.functions);
	callgrind_line_names_free(&p.modules);
	return ret;
}
