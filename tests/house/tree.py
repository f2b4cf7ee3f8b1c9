"""The files of this repository as the house tests see them.

Rules: ignored files (virtual environment, data, caches) are not seen; new files count before they are committed, files
removed from the working tree do not. It does not know any rule of the house.
"""

import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GENERATED = "shared/gen/"
CODE_ROOTS = ("shared/", "services/", "gateway/")
UNTRACKED_FOLDERS = (".git", ".venv", ".candor", "__pycache__")


@cache
def files() -> tuple[str, ...]:
    """List every file of the repository as a path relative to its root, sorted."""
    if (ROOT / ".git").exists():
        git = ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(git, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
        found = {name for name in names if name and (ROOT / name).is_file()}
    else:  # an exported copy without history
        paths = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
        found = {path.as_posix() for path in paths if not set(path.parts) & set(UNTRACKED_FOLDERS)}
    return tuple(sorted(found))


def written(*suffixes: str) -> list[str]:
    """List the files with these suffixes that people write, generated and third-party ones left out."""
    return [name for name in files() if name.endswith(suffixes) and not name.startswith((GENERATED, "protos/google/"))]


def read(name: str) -> str:
    """Read a file of the repository as UTF-8."""
    return (ROOT / name).read_text(encoding="utf-8")
