"""A memory's life, measured: generated conversations of half a year, probes with answer keys, a deterministic grader.

    python -m tests.bench.life --agents naive-turns,naive-facts --seeds 5

Rules: nothing here imports the code it will measure; every part takes its randomness and its embedder from the caller.
It does not know how an agent remembers (agents.py names the interface).
"""
