# Context: O.  One file a command.
