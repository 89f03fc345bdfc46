"""``python -m alphorn`` is the program ``alphorn``."""

from alphorn._program import main

main()
