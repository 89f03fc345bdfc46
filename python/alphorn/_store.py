"""The files of a distributed solution: each written by one task, completely or not at all.

A file is a list of tables of Arrow with the same columns, and a task reads only the tables that it needs. A task
whose result stands in the folder is not carried out again, so a solution that was interrupted goes on where it
stopped, and a task that is repeated changes nothing.
"""

from __future__ import annotations

import json
import os
import shutil
import uuid
from pathlib import Path
from typing import Any, Callable, Iterable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.ipc

COMPRESSED = pa.ipc.IpcWriteOptions(compression="lz4")
"""Positions resemble each other, so files are much smaller with little work."""


class Store:
    """A folder that all tasks reach. ``lasting``: the files must outlive a machine that loses its power."""

    def __init__(self, folder: str | os.PathLike[str], lasting: bool = True) -> None:
        self.folder = Path(folder)
        self._lasting = lasting

    def _write(self, name: str, write: Callable[[Any], object]) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.{uuid.uuid4().hex}.part")
        with open(part, "wb") as file:
            write(file)
            if self._lasting:
                file.flush()
                os.fsync(file.fileno())
        os.replace(part, path)

    def tables(self, name: str, tables: Sequence[Iterable[Any]]) -> None:
        """Writes tables, each in as many batches as every other."""
        # The C interface of Arrow loses the memory of an empty slice, so a batch of pyarrow does not go through it.
        taken = lambda batch: batch if isinstance(batch, pa.RecordBatch) else pa.record_batch(batch)
        rows = [[taken(batch) for batch in table] for table in tables]

        def write(file: Any) -> None:
            with pa.ipc.new_file(file, rows[0][0].schema, options=COMPRESSED) as writer:
                for table in rows:
                    for batch in table:
                        writer.write_batch(batch)

        self._write(f"{name}.arrow", write)

    def table(self, name: str, number: int = 0, tables: int = 1) -> pa.Table:
        """Reads the table with this number in a file of so many tables. The data stays in the file until it is used."""
        with pa.memory_map(str(self.folder / f"{name}.arrow")) as source:
            reader = pa.ipc.open_file(source)
            each = reader.num_record_batches // tables
            found = [reader.get_batch(at) for at in range(each * number, each * (number + 1))]
            return pa.Table.from_batches(found, reader.schema)

    def arrays(self, name: str, **arrays: np.ndarray) -> None:
        """Writes a table of named arrays of one length."""
        self.tables(name, [[pa.record_batch(arrays)]])

    def load(self, name: str, number: int = 0, tables: int = 1) -> dict[str, np.ndarray]:
        """Reads named arrays, which cannot be changed."""
        table = self.table(name, number, tables)
        return {key: table.column(key).to_numpy() for key in table.column_names}

    def drop(self, name: str) -> None:
        """Removes a folder of files that no task needs any more."""
        shutil.rmtree(self.folder / name, ignore_errors=True)

    def once(self, name: str, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The result of a task: it is carried out unless its result stands in the folder."""
        path = self.folder / "done" / f"{name}.json"
        if path.exists():
            return json.loads(path.read_text())
        result = work()
        self._write(f"done/{name}.json", lambda file: file.write(json.dumps(result).encode()))
        return result
