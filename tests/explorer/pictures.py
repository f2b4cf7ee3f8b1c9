"""The pictures of the documents, taken from the running product: `make pictures`.

Rules: a Candor of its own with the demonstration in it; each picture is what a visitor sees, at most 150 kB. It does
not know what the pages show.
"""

import asyncio
import io
import os
import shutil
import tempfile
from pathlib import Path

from PIL import Image
from playwright.async_api import Browser, Page, ViewportSize, async_playwright

from gateway.explorer import tour
from tests.e2e.stack import Stack, started

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "images"
MOST_BYTES = 150_000
WIDE, PHONE = ViewportSize(width=1200, height=800), ViewportSize(width=375, height=800)
ASKED = f"/ask?q={tour.QUESTION.replace(' ', '+').replace('?', '%3F')}"
SHOTS = (
    ("explorer-ask", WIDE, "light", ASKED),
    ("explorer-conflicts", WIDE, "light", "/conflicts"),
    ("explorer-conflicts-phone", PHONE, "dark", "/conflicts"),
    ("explorer-timeline", WIDE, "dark", "/timeline"),
)


async def _take(browser: Browser, stack: Stack) -> None:
    base = f"http://{stack.own.explorer_listen}"
    for name, size, theme, path in SHOTS:
        context = await browser.new_context(
            base_url=base, viewport=size, color_scheme="dark" if theme == "dark" else "light", device_scale_factor=1.5
        )
        page = await context.new_page()
        await page.goto("/sign-in")
        await page.get_by_label("Your key").fill(stack.key)
        await page.get_by_role("button", name="Sign in").click()
        await page.wait_for_url("**/")
        await page.goto(path)
        _keep(name, await _seen(page))
        await context.close()


async def _seen(page: Page) -> bytes:
    return await page.screenshot()


def _keep(name: str, png: bytes) -> None:
    path = FOLDER / f"{name}.webp"
    Image.open(io.BytesIO(png)).convert("RGB").save(path, quality=82, method=6)
    size = path.stat().st_size
    print(f"{path.name}: {size:,} bytes")
    if size > MOST_BYTES:
        raise SystemExit(f"{path.name} is larger than {MOST_BYTES:,} bytes")


async def _main(stack: Stack) -> None:
    executable = os.environ.get("PLAYWRIGHT_CHROMIUM") or shutil.which("chromium")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=executable, args=[] if os.geteuid() else ["--no-sandbox"]
        )
        await _take(browser, stack)
        await browser.close()


def main() -> None:
    """Start, seed, look, stop."""
    with tempfile.TemporaryDirectory() as folder, started(Path(folder)) as stack:
        with stack.client() as api:
            api.post("/v1/demo:seed", json={}).raise_for_status()
        asyncio.run(_main(stack))


if __name__ == "__main__":
    main()
