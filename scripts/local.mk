# The checks of what no compiler sees, and what shows that they can fail.
TESTS += \
	scripts/check-layers \
	scripts/check-context \
	scripts/check-exports \
	scripts/check-limits \
	scripts/check-units \
	scripts/check-words \
	scripts/check-pages \
	scripts/check-style \
	scripts/test-checks
EXTRA_DIST += \
	scripts/bench \
	scripts/build \
	scripts/check \
	scripts/check-context \
	scripts/check-exports \
	scripts/check-layers \
	scripts/check-limits \
	scripts/check-pages \
	scripts/check-style \
	scripts/check-units \
	scripts/check-words \
	scripts/context.allow \
	scripts/deps \
	scripts/metrics \
	scripts/quickstart \
	scripts/test-checks
