/*
 * Context: load.  Code with jumps of all kinds, for entries.py, which looks at
 * the file and does not run it: switch statements, labels whose address is
 * taken, exceptions, loops and jumps to other functions.
 */
#include <csetjmp>
#include <stdexcept>
#include <string>
#include <vector>

int jumps_other(int);
extern volatile int jumps_sink;
volatile int jumps_sink;

/* A switch whose cases do different things, so that it needs a table. */
#define CASE(n, i)							\
	case n + i:							\
		x = jumps_other(x * (n + 2 * i + 3)) ^ i;		\
		break;
#define SWITCH(name, n, step)						\
	int								\
	name(int x)							\
	{								\
		switch (x * step) {					\
		CASE(n, 0) CASE(n, 1) CASE(n, 2) CASE(n, 3)		\
		CASE(n, 4) CASE(n, 5) CASE(n, 6) CASE(n, 7)		\
		CASE(n, 8) CASE(n, 9) CASE(n, 10) CASE(n, 11)		\
		default:						\
			jumps_sink = x;					\
		}							\
		return x + jumps_sink;					\
	}
SWITCH(switch_from_zero, 0, 1)
SWITCH(switch_from_far, 1000, 1)
SWITCH(switch_of_product, 7, 3)

/* A switch in a loop: the compiler may take its table out of the loop. */
int
interpreter(const unsigned char *code, int x)
{
	for (;;) {
		switch (*code++) {
		case 0: x++; break;
		case 1: x = jumps_other(x); break;
		case 2: x <<= 1; continue;
		case 3: if (x & 1) code += x & 7; break;
		case 4: x ^= code[x & 3]; break;
		case 5: x = switch_from_zero(x); break;
		case 6: while (x > 100) x = jumps_other(x - 3); break;
		case 7: return x;
		case 8: x = -x; break;
		case 9: x /= 3; break;
		default: x = jumps_other(-1);
		}
		jumps_sink = x;
	}
}

/* As interpreters in C do it, with tables of addresses and of distances. */
int
labels(const unsigned char *code, int x)
{
	static const void *const to[] = { &&add, &&call, &&shift, &&end };
	static const int way[] = { (int)((char *)&&add - (char *)&&add),
	    (int)((char *)&&call - (char *)&&add),
	    (int)((char *)&&shift - (char *)&&add),
	    (int)((char *)&&end - (char *)&&add) };

	goto *to[*code++ & 3];
add:
	x += 5;
	goto *to[*code++ & 3];
call:
	x = jumps_other(x);
	goto *(void *)((char *)&&add + way[*code++ & 3]);
shift:
	x <<= 1;
	goto *to[*code++ & 3];
end:
	return x;
}

struct Guard {
	int *n;
	explicit Guard(int *p) : n(p) { ++*n; }
	~Guard() { *n = jumps_other(*n); }
};

int
exceptions(const std::vector<std::string> &all)
{
	int n = 0;

	for (const auto &s : all) {
		Guard g(&n);

		try {
			Guard h(&n);

			n += std::stoi(s + "1");
		} catch (const std::invalid_argument &) {
			n--;
		} catch (const std::exception &e) {
			n += e.what()[0];
			throw;
		}
	}
	return n;
}

static std::jmp_buf place;

int
long_jump(int x)
{
	if (setjmp(place) != 0)
		return jumps_other(x);
	for (int i = 0; i < x; i++)
		if (jumps_other(i) == 7)
			std::longjmp(place, 1);
	return x;
}

int
tail_call(int x)
{
	if (x > 3)
		return jumps_other(x + 1);
	return switch_from_far(x);
}

#ifdef PROGRAM
int
jumps_other(int x)
{
	return x + jumps_sink;
}

int
main()
{
	return interpreter(nullptr, labels(nullptr, exceptions({})));
}
#endif
