# Context: -.  Completion of the commands in bash, zsh and fish.  Each shell
# looks for a file by the name of the command.
EXTRA_DIST += completions/prof.bash completions/_prof completions/prof.fish
BASH_COMPLETIONS = $(datadir)/bash-completion/completions
ZSH_COMPLETIONS = $(datadir)/zsh/site-functions
FISH_COMPLETIONS = $(datadir)/fish/vendor_completions.d
COMPLETED = prof tprof tpfmt proffs

if TOOLS
install-data-local:
	$(MKDIR_P) '$(DESTDIR)$(BASH_COMPLETIONS)' \
	    '$(DESTDIR)$(ZSH_COMPLETIONS)' '$(DESTDIR)$(FISH_COMPLETIONS)'
	$(INSTALL_DATA) $(srcdir)/completions/_prof \
	    '$(DESTDIR)$(ZSH_COMPLETIONS)/_prof'
	for name in $(COMPLETED); do \
		$(INSTALL_DATA) $(srcdir)/completions/prof.bash \
		    '$(DESTDIR)$(BASH_COMPLETIONS)'/$$name && \
		$(INSTALL_DATA) $(srcdir)/completions/prof.fish \
		    '$(DESTDIR)$(FISH_COMPLETIONS)'/$$name.fish || exit 1; \
	done

uninstall-local:
	rm -f '$(DESTDIR)$(ZSH_COMPLETIONS)/_prof'
	for name in $(COMPLETED); do \
		rm -f '$(DESTDIR)$(BASH_COMPLETIONS)'/$$name \
		    '$(DESTDIR)$(FISH_COMPLETIONS)'/$$name.fish; \
	done
endif
