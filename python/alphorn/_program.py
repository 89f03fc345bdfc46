"""The program ``alphorn`` of the package."""

import sys


def main() -> None:
    """Runs the command line, and ends the process with its exit status."""
    from alphorn._alphorn import _main

    _main(["alphorn", *sys.argv[1:]])


if __name__ == "__main__":
    main()
