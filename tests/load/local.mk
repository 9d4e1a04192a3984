# The tests of this directory, listed in TESTS or CHECK_LONG.
