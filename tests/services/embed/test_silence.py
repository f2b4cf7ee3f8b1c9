"""The local model keeps to itself: it leaves no identity of this machine and no report to be sent."""

import os
import subprocess
import sys
from pathlib import Path

LOAD = "import services.embed.onnx_provider as p; import onnxruntime; onnxruntime.SessionOptions()"


def test_the_local_models_runtime_reports_nothing(tmp_path: Path) -> None:
    # The runtime is silent on its own where CI is set; here it must be we who silence it.
    kept = {name: value for name, value in os.environ.items() if name not in ("CI", "ORT_DISABLE_TELEMETRY")}
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run((sys.executable, "-c", LOAD), env=kept | home, check=True, timeout=60)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
