"""The OpenAPI document generates TypeScript types that compile, accept a right request and refuse a wrong one.

Rules: it needs Node, npm and a package registry, and skips, saying so, where one is missing. What the types are for is
checked by the compiler, not by their text.
Source: REQUIREMENTS F1; openapi-typescript.
"""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from gateway import contracts, openapi

PACKAGES = ("openapi-typescript@7.13.0", "typescript@5.9.3")  # what was tried; newer ones may differ
INSTALL_SECONDS, RUN_SECONDS = 120, 60  # 3 s and 3 s (measured) with a wide margin
RIGHT = """
import type { paths } from "./candor";
type Body<P extends keyof paths> =
  paths[P] extends { post: { requestBody: { content: { "application/json": infer B } } } } ? B : never;
type Answer<P extends keyof paths> =
  paths[P] extends { post: { responses: { 200: { content: { "application/json": infer A } } } } } ? A : never;
export const memory: Body<"/v1/memories"> = {
  kind: "note", content: "The lease ends in June.", metadata: { ends: "2027-06-30" },
};
export const query: Body<"/v1/recall"> = { query: "lease", limit: 5 };
export const values = (found: Answer<"/v1/recall">): string[] =>
  found.conflicts.flatMap((conflict) => conflict.values.map((value) => value.memoryId));
"""
WRONG = {
    "an unknown kind": ('kind: "note"', 'kind: "teapot"'),
    "a missing field": ('{ query: "lease", limit: 5 }', "{ limit: 5 }"),
    "a number as text": ("limit: 5", 'limit: "5"'),
    "a field that an answer does not have": ("value.memoryId", "value.teapot"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the compiler and the generated types."""
    if not (shutil.which("npm") and shutil.which("node")):
        pytest.skip("there is no Node with npm to generate TypeScript with")
    made = tmp_path_factory.mktemp("typescript")
    install = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", *PACKAGES]
    try:
        subprocess.run(install, cwd=made, check=True, capture_output=True, timeout=INSTALL_SECONDS)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        pytest.skip(f"npm cannot install {' and '.join(PACKAGES)}: {type(error).__name__}")
    (made / "openapi.json").write_text(json.dumps(openapi.document(contracts.bindings())))
    generate = [str(made / "node_modules/.bin/openapi-typescript"), "openapi.json", "-o", "candor.d.ts"]
    done = subprocess.run(generate, cwd=made, check=False, capture_output=True, text=True, timeout=RUN_SECONDS)
    assert done.returncode == 0, done.stdout + done.stderr
    return made


def compiled(folder: Path, source: str) -> "subprocess.CompletedProcess[str]":
    (folder / "use.ts").write_text(source)
    command = [str(folder / "node_modules/.bin/tsc"), "--noEmit", "--strict", "--lib", "es2022", "use.ts"]
    return subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True, timeout=RUN_SECONDS)


def test_the_types_compile_and_fit(folder: Path) -> None:
    done = compiled(folder, RIGHT)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("case", WRONG)
def test_the_types_refuse(folder: Path, case: str) -> None:
    right, wrong = WRONG[case]
    assert right in RIGHT
    done = compiled(folder, RIGHT.replace(right, wrong))
    assert done.returncode != 0
    assert "use.ts" in done.stdout
