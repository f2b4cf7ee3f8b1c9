"""The five roles, one folder each. A role never imports another."""
