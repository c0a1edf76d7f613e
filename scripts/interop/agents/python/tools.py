"""The two tools of the small agents that stand for Python programs, and how such a program begins and ends."""

import os
import sys
from pathlib import Path

api, prompt = sys.argv[1:3]
base = os.environ["SLUICE_BASE_URL"]
token = os.environ["SLUICE_TOKEN"]

# Long sessions have some dozens of turns.
turns_max = 80


def read_file(path: str) -> str:
    """Reads a file."""
    return Path(path).read_text()


# A parameter named "from" is none that Python can have.
def edit_file(path: str, old: str, new: str) -> str:
    """Replaces a text in a file."""
    before = Path(path).read_text()
    if old not in before:
        return "The file does not have this text."
    Path(path).write_text(before.replace(old, new, 1))
    return "Edited."


functions = {tool.__name__: tool for tool in (read_file, edit_file)}


def schema(*names: str) -> dict:
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}, "required": list(names)}


# Name, description and JSON schema of each.
described = [
    ("read_file", "Reads a file.", schema("path")),
    ("edit_file", "Replaces a text in a file.", schema("path", "old", "new")),
]


def run_tool(name: str, args: dict) -> str:
    return functions[name](**args) if name in functions else f'There is no tool "{name}".'


def main(agent) -> None:
    """Runs an agent; an error is shown as a program shows it that does nothing about it."""
    try:
        print(agent())
    except Exception as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(1)
