# The checks of what no compiler sees, and what shows that they can fail.
TESTS += \
	scripts/check-layers \
	scripts/check-context \
	scripts/check-exports \
	scripts/check-units \
	scripts/test-checks
EXTRA_DIST += \
	scripts/bench \
	scripts/build \
	scripts/check \
	scripts/check-context \
	scripts/check-exports \
	scripts/check-layers \
	scripts/check-units \
	scripts/context.allow \
	scripts/deps \
	scripts/quickstart \
	scripts/test-checks
