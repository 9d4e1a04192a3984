/*
 * Context: load.  A service in C++ whose time is known by name: threads that
 * hash, look up, split and sort texts through the templates of the library, and
 * one that waits for them.  store [ROUNDS].
 */
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
#include <cstdio>
#include <cstdlib>

struct Session {
	std::string user;
	long hits = 0;
};

static inline unsigned long
slow_hash(const std::string &s)
{
	unsigned long h = 5381;

	for (int r = 0; r < 40; r++)
		for (char c : s)
			h = h * 33 ^ (unsigned char)c;
	return h;
}

class SessionStore {
public:
	void touch(const std::string &k)
	{
		unsigned long h = slow_hash(k);
		std::lock_guard<std::mutex> hold(lock_);
		Session &s = sessions_[k + std::to_string(h % 64)];

		s.user = k;
		s.hits++;
	}
	size_t size() const { return sessions_.size(); }
private:
	std::mutex lock_;
	std::map<std::string, Session> sessions_;
};

__attribute__((noinline)) static std::vector<std::string>
split(const std::string &line)
{
	std::vector<std::string> out;
	size_t at = 0, end;

	while ((end = line.find(' ', at)) != std::string::npos) {
		out.push_back(line.substr(at, end - at));
		at = end + 1;
	}
	out.push_back(line.substr(at));
	return out;
}

__attribute__((noinline)) static void
sort_words(std::vector<std::string> &w)
{
	std::sort(w.begin(), w.end(), [](const std::string &a,
	    const std::string &b) { return a > b; });
}

__attribute__((noinline)) static long
handle_request(SessionStore &store, int n)
{
	std::string line = "GET /item/" + std::to_string(n % 997) +
	    " HTTP/1.1 host example.org accept text/html agent libmon";
	std::vector<std::string> words = split(line);

	sort_words(words);
	for (const auto &w : words)
		store.touch(w);
	return (long)words.size();
}

int
main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 30000;
	SessionStore store;
	std::vector<std::thread> all;

	for (int t = 0; t < 2; t++)
		all.emplace_back([&store, rounds] {
			long sum = 0;
			for (int i = 0; i < rounds; i++)
				sum += handle_request(store, i);
			if (sum == 0)
				abort();
		});
	for (auto &t : all)
		t.join();
	printf("%zu\n", store.size());
	return 0;
}
