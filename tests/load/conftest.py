"""The Candor of the end-to-end tests, for the load tests."""

from tests.e2e.conftest import stack as stack
