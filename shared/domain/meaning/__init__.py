"""The local judge of meaning: whether two statements can hold together, by rules. `judge.judge_pair` is its door."""
