"""The files of a distributed solution: each written by one task, completely or not at all.

A task whose result stands in the folder is not carried out again, so a solution that was interrupted goes on
where it stopped, and a task that is repeated changes nothing.
"""

from __future__ import annotations

import json
import os
import uuid
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pyarrow as pa
import pyarrow.ipc


class Store:
    """A folder that all tasks reach."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)

    def _place(self, name: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def _write(self, name: str, write: Callable[[Any], object]) -> None:
        path = self._place(name)
        part = path.with_name(f"{path.name}.{uuid.uuid4().hex}.part")
        with open(part, "wb") as file:
            write(file)
        os.replace(part, path)

    def arrays(self, name: str, **arrays: np.ndarray) -> None:
        """Writes named arrays."""
        self._write(name, lambda file: np.savez(file, **arrays))

    def load(self, name: str) -> dict[str, np.ndarray]:
        """Reads named arrays."""
        with np.load(self.folder / name) as found:
            return dict(found)

    def table(self, name: str, table: pa.Table) -> None:
        """Writes a table."""

        def write(file: Any) -> None:
            with pa.ipc.new_file(file, table.schema) as writer:
                writer.write_table(table)

        self._write(name, write)

    def read(self, name: str) -> pa.Table:
        """Reads a table."""
        with pa.memory_map(str(self.folder / name)) as source:
            return pa.ipc.open_file(source).read_all()

    def once(self, name: str, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The result of a task: it is carried out unless its result stands in the folder."""
        path = self.folder / "done" / f"{name}.json"
        if path.exists():
            return json.loads(path.read_text())
        result = work()
        self._write(f"done/{name}.json", lambda file: file.write(json.dumps(result).encode()))
        return result
