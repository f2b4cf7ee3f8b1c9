"""The generated code is what the contracts give."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.tree import ROOT, files


def test_the_generated_code_is_current() -> None:
    if importlib.util.find_spec("grpc_tools") is None:
        pytest.skip("grpcio-tools is not installed here; `make lint` installs it and makes the same check")
    # The tools are there, so their stamp is taken as made: a test installs nothing.
    venv = Path(sys.prefix)
    make = ["make", "gen-check", f"VENV={venv}", "--assume-old", f"{venv}/lint.stamp"]
    run = subprocess.run(make, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_nothing_but_generated_code_lies_in_its_folder() -> None:
    kinds = ("_pb2.py", "_pb2.pyi", "_pb2_grpc.py", "_pb2_grpc.pyi", "candor.binpb")
    assert [name for name in files() if name.startswith("shared/gen/") and not name.endswith(kinds)] == []
