# The man pages.
dist_man_MANS += man/mon.3 man/mon.7 man/mon_format.5 man/mon_tell.3 man/prof.1 man/prof-doctor.1 man/prof-record.1 man/proffs.1 man/tpfmt.1 man/tprof.8
