// Context: load.  Calls of C++: exceptions through frames that are called again,
// virtual functions, constructors and destructors, templates, lambdas.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#define WHOLE __attribute__((noinline))

namespace {

int ended;

struct Guard {
	WHOLE explicit Guard(int n) : n(n) {}
	WHOLE ~Guard() { ended += n; }
	int n;
};

struct Shape {
	virtual ~Shape() {}
	virtual int area(int n) const = 0;
};

struct Square : Shape {
	WHOLE ~Square() { ended++; }
	WHOLE int area(int n) const override { return n * n; }
};

struct Box : Square {
	WHOLE int area(int n) const override { return Square::area(n) * n; }
};

WHOLE int
thrower(int n)
{
	if (n % 3 == 0)
		throw std::runtime_error("a text " + std::to_string(n));
	if (n % 3 == 1)
		throw n;
	return n;
}

WHOLE int
middle(int n)
{
	Guard guard(n);

	return thrower(n) + guard.n;
}

/* Caught here, thrown on, and caught again. */
WHOLE int
again(int n)
{
	try {
		return middle(n);
	} catch (int) {
		Guard guard(1);

		throw;
	}
}

template <class T> WHOLE T
sum(const std::vector<T> &v)
{
	T all = T();

	for (const T &x : v)
		all += x;
	return all;
}

WHOLE bool
above(int a, int b)
{
	return a > b;
}

}

int
main()
{
	int caught = 0, all = 0;

	for (int i = 0; i < 60; i++)
		try {
			all += again(i);
		} catch (const std::exception &e) {
			caught += *e.what() == 'a';
		} catch (int n) {
			caught += n;
		}
	std::unique_ptr<Shape> shapes[] = {
	    std::unique_ptr<Shape>(new Square), std::unique_ptr<Shape>(new Box)};
	for (int i = 0; i < 21; i++)
		all += shapes[i % 2]->area(i);
	std::vector<int> v(50, 3);
	std::sort(v.begin(), v.end(), above);
	std::function<int(int)> f = [&](int n) { return sum(v) + n; };
	for (int i = 0; i < 5; i++)
		all += f(i);
	all += (int)sum(std::vector<double>(4, 1.5));
	std::printf("%d %d %d\n", caught, all, ended);
	return 0;
}
