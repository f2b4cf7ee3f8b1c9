"""Documents and money: evidence of payrolls and invoices, what it adds up to, and the ledger that follows from it."""
