"""Keys over HTTP: made, listed, replaced, revoked, and nobody else's."""

import uuid
from typing import Any

import httpx2
import pytest

from tests.e2e.stack import Stack, bearer


def made(client: httpx2.Client, name: str, *scopes: str) -> dict[str, Any]:
    answer = client.post("/v1/keys", json={"name": name, "scopes": list(scopes)})
    assert answer.status_code == 200, answer.text
    key: dict[str, Any] = answer.json()
    return key


def works(stack: Stack, key: str) -> int:
    # Without the cache of the client's connection: each key is asked for anew.
    return httpx2.get(f"{stack.url}/v1/memories:count", headers=bearer(key)).status_code


def test_a_key_is_replaced_and_the_old_one_ends_by_itself(stack: Stack) -> None:
    tenant = stack.new_tenant()
    with stack.client(tenant.key) as client:
        old = made(client, "agent", "read")
        path = f"/v1/keys/{old['keyId']}:rotate"
        headers = {"idempotency-key": uuid.uuid4().hex}
        answers = [client.post(path, json={"graceSeconds": 0}, headers=headers).json() for _ in range(2)]
        assert answers[0] == answers[1]  # a repeated request gives the same key
        new = answers[0]
        assert new["key"] != old["key"]
        assert works(stack, new["key"]) == 200
        assert works(stack, old["key"]) == 401
        listed = {key["keyId"]: key for key in client.get("/v1/keys").json()["keys"]}
        assert listed[old["keyId"]]["replacedBy"] == new["keyId"]
        assert (listed[new["keyId"]]["name"], listed[new["keyId"]]["scopes"]) == ("agent", ["read"])
        again = client.post(path, json={})
        assert (again.status_code, again.json()["reason"]) == (409, "KEY_NOT_WORKING")


@pytest.mark.parametrize("seconds", [-1, 86_401])
def test_a_wrong_grace_is_refused(stack: Stack, seconds: int) -> None:
    with stack.client(stack.new_tenant().key) as client:
        answer = client.post(f"/v1/keys/{uuid.uuid4()}:rotate", json={"graceSeconds": seconds})
        assert (answer.status_code, answer.json()["reason"]) == (400, "GRACE_OUT_OF_RANGE")


def test_a_revoked_key_is_refused_and_the_last_admin_stays(stack: Stack) -> None:
    tenant = stack.new_tenant()
    with stack.client(tenant.key) as client:
        [own] = [key["keyId"] for key in client.get("/v1/keys").json()["keys"]]
        reader = made(client, "reader", "read")
        first = client.post(f"/v1/keys/{reader['keyId']}:revoke", json={})
        assert first.status_code == 200
        assert client.post(f"/v1/keys/{reader['keyId']}:revoke", json={}).json() == first.json()
        assert works(stack, reader["key"]) == 401
        last = client.post(f"/v1/keys/{own}:revoke", json={})
        assert (last.status_code, last.json()["reason"]) == (409, "LAST_ADMIN_KEY")
        second = made(client, "second", "admin")
        assert client.post(f"/v1/keys/{own}:revoke", json={}).status_code == 200
    with stack.client(second["key"]) as client:
        forced = client.post(f"/v1/keys/{second['keyId']}:revoke", json={"force": True})
        assert forced.status_code == 200


def test_only_an_admin_of_the_tenant_sees_and_ends_its_keys(stack: Stack) -> None:
    tenant, stranger = stack.new_tenant(), stack.new_tenant()
    with stack.client(tenant.key) as client:
        reader = made(client, "reader", "read")
    with stack.client(reader["key"]) as client:
        for answer in (client.get("/v1/keys"), client.post(f"/v1/keys/{reader['keyId']}:revoke", json={})):
            assert (answer.status_code, answer.json()["reason"]) == (403, "SCOPE_MISSING")
    with stack.client(stranger.key) as client:
        for action in ("revoke", "rotate"):
            answer = client.post(f"/v1/keys/{reader['keyId']}:{action}", json={})
            assert (answer.status_code, answer.json()["reason"]) == (404, "KEY_NOT_FOUND")
        assert reader["keyId"] not in client.get("/v1/keys").text
    assert works(stack, reader["key"]) == 200
