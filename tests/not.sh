#!/usr/bin/env bash
# not.sh COMMAND...: succeeds if the command reports an error (exit status 1), and only then.
"$@"
[ $? = 1 ]
