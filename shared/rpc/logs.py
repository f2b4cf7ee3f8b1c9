"""One JSON object per line on standard output, for our own lines and for those of libraries.

Rules: no content of memories, requests or answers is ever logged: names, numbers, ids and reasons only; tracebacks
without local variables. Retries are not logged: the line of the retrying library repeats
the words of the provider that failed, and with them the request. It does not know where the lines go.
"""

import logging
import sys

import stamina
import structlog

_SHARED: tuple[structlog.types.Processor, ...] = (
    structlog.contextvars.merge_contextvars,
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
)


def configure(level: str) -> None:
    """Set up logging for the process."""
    stamina.instrumentation.set_on_retry_hooks(())
    threshold = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    render = structlog.processors.JSONRenderer(ensure_ascii=False)
    structlog.configure(
        processors=[*_SHARED, render],
        wrapper_class=structlog.make_filtering_bound_logger(threshold),
        logger_factory=structlog.WriteLoggerFactory(sys.stdout),
        cache_logger_on_first_use=True,
    )
    lines = logging.StreamHandler(sys.stdout)
    strip = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    lines.setFormatter(structlog.stdlib.ProcessorFormatter(processors=[strip, render], foreign_pre_chain=_SHARED))
    logging.basicConfig(level=max(threshold, logging.WARNING), handlers=[lines], force=True)
