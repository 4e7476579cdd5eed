"""Becomes the embedded server, after asking the kernel to end it with its parent.

Run as a program of its own: `launch.py <parent's pid> <program> <arguments...>`. Doing this between
fork and exec of a process with threads is not safe; in a fresh interpreter it is.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main(arguments: list[str]) -> None:
    """Take the parent's pid and a command line, and turn into that command."""
    parent, *command = arguments
    # The log of events holds what players hide from each other: nobody else may read it.
    os.umask(0o077)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        # The parent may have gone before the kernel was told.
        if os.getppid() != int(parent):
            sys.exit("the parent is gone")
    os.execv(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
