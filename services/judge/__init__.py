"""Makes every generative call. Holds no database."""
