# The man pages.
dist_man_MANS +=
