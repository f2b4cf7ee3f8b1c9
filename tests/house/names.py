"""The dotted names that a Python file imports and uses, resolved through its own imports.

Rules: an import counts wherever it stands (in a function, under TYPE_CHECKING) and however it is spelled (`import a.b`,
`from a import b`, `importlib.import_module("a.b")`). A name reached in another way (getattr, a string) is not seen.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Names:
    """What one file imports and which dotted names it uses, each with the line of its first occurrence."""

    imports: dict[str, int]
    uses: dict[str, int]


def names_of(source: str, path: str) -> Names:
    """Resolve the imports and the attribute chains of a file.

    Raises: SyntaxError when the source does not parse.
    """
    tree = ast.parse(source, path)
    imports: dict[str, int] = {}
    aliases: dict[str, str] = {}
    for name, bound, line in _imports(tree, path):
        imports.setdefault(name, line)
        if bound:
            aliases[bound] = name
    uses: dict[str, int] = {}
    for node in ast.walk(tree):
        dotted = _dotted(node)
        if dotted is not None:
            first, *rest = dotted
            uses.setdefault(".".join([aliases.get(first, first), *rest]), getattr(node, "lineno", 0))
    return Names(imports, uses)


def _imports(tree: ast.AST, path: str) -> Iterator[tuple[str, str | None, int]]:
    """Yield (imported name, the local name bound to exactly it or None, line)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, alias.asname, node.lineno
        elif isinstance(node, ast.ImportFrom):
            module = _absolute(node, path)
            for alias in node.names:
                yield (
                    (f"{module}.{alias.name}" if alias.name != "*" else module),
                    alias.asname or alias.name,
                    node.lineno,
                )
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = _dotted(node.func)
            if called and called[-1] in {"import_module", "__import__"}:
                yield str(node.args[0].value), None, node.lineno


def _absolute(node: ast.ImportFrom, path: str) -> str:
    """Name the module of a `from` import, a relative one by the file's own package."""
    if not node.level:
        return node.module or ""
    package = path.split("/")[: -node.level]
    return ".".join([*package, *([node.module] if node.module else [])])


def _dotted(node: ast.AST) -> list[str] | None:
    """Read `a.b.c` as its parts; None for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return [node.id, *reversed(parts)]
