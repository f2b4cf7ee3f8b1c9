"""SettingsService: what a tenant declares of its data, version by version.

Rules: a change that changes nothing makes no version. Who declared what, when and why stays readable. It does not know
what follows from a declaration.
Source: REQUIREMENTS C2, C3.
"""

from functools import partial

from candor.ingest.v1 import settings_pb2 as pb
from candor.ingest.v1.settings_pb2_grpc import SettingsServiceServicer

from services.ingest import refreshing
from services.ingest.asking import Means, ask_of
from shared.domain import retention_setting, setting
from shared.domain.errors import Conflict, InvalidArgument, NotFound
from shared.domain.setting import Change
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Connection, run
from shared.store.reads import settings as versions
from shared.store.reads.settings import Version
from shared.store.writes import settings

FIELDS = (setting.STATEFUL, setting.MULTI_VALUED, setting.TOLERANCES, *retention_setting.FIELDS)


class SettingsServicer(SettingsServiceServicer):
    """Serves SettingsService."""

    def __init__(self, means: Means) -> None:
        self._means = means

    async def GetSettings(self, request: pb.GetSettingsRequest, context: Context) -> pb.GetSettingsResponse:
        """Read a version, or the one in force."""
        tenant_id = wire.tenant(request)
        if request.version < 0:
            raise InvalidArgument.of("version", "SETTINGS_VERSION_INVALID", "must not be negative")

        async def read(connection: Connection) -> Version | None:
            if not request.version:
                return await versions.in_force(connection, tenant_id)
            found = await versions.page(connection, tenant_id, min(request.version + 1, versions.NEWEST), 1)
            return next((one for one in found if one.version == request.version), None)

        found = await run(self._means.pool, tenant_id, read, read_only=True)
        if found is None:
            named = {"version": str(request.version)}
            raise NotFound("SETTINGS_VERSION_NOT_FOUND", "there is no such version", metadata=named)
        return pb.GetSettingsResponse(settings=_message(found))

    async def UpdateSettings(self, request: pb.UpdateSettingsRequest, context: Context) -> pb.UpdateSettingsResponse:
        """Declare a new version."""
        ask = ask_of(request, self._means.request_key)
        names = _names(request)
        change, asked = _change(request, names), wire.declared_of(request.settings)
        if request.expected_version < 0:
            raise InvalidArgument.of("expected_version", "SETTINGS_VERSION_INVALID", "must not be negative")
        now = self._means.now()
        operation = ask.operation(self._means.new_id(), "update-settings", now)
        respond = partial(pb.UpdateSettingsResponse.SerializeToString, deterministic=True)

        async def work(connection: Connection) -> bytes:
            await settings.serialise(connection, ask.tenant_id)
            former = await versions.in_force(connection, ask.tenant_id)
            if request.expected_version not in (0, former.version):
                raise Conflict(
                    "SETTINGS_VERSION_MISMATCH",
                    f"version {former.version} is in force, not {request.expected_version}",
                    metadata={"current_version": str(former.version)},
                )
            policy = setting.changed(former.policy, change, "settings.")
            before = retention_setting.of_json(former.settings)
            declared = retention_setting.changed(before, asked, names, "settings.")
            if (policy, declared) == (former.policy, before):
                return respond(pb.UpdateSettingsResponse(settings=_message(former)))
            text = retention_setting.to_json(declared, setting.to_json(policy, former.settings))
            made = Version(former.version + 1, text, ask.actor, ask.reason, now)
            await settings.insert(connection, operation, made.version, text)
            if declared.rules() != before.rules():
                await refreshing.ask(connection, ask.tenant_id, self._means.real_now(), self._means.new_id)
            return respond(pb.UpdateSettingsResponse(settings=_message(made), operation_id=str(operation.operation_id)))

        return pb.UpdateSettingsResponse.FromString((await self._means.once(ask, now, work)).answer)


def _names(request: pb.UpdateSettingsRequest) -> tuple[str, ...]:
    mask = tuple(request.update_mask.paths)
    for path in mask:
        if path not in FIELDS:
            raise InvalidArgument.of("update_mask", "UPDATE_MASK_INVALID", f"{path[:64]!r} is no field of settings")
    names = mask or tuple(field.name for field, _ in request.settings.ListFields())
    if not names:
        raise InvalidArgument.of("settings", "SETTINGS_EMPTY", "declares nothing; name what to empty in update_mask")
    return names


def _change(request: pb.UpdateSettingsRequest, names: tuple[str, ...]) -> Change:
    given = request.settings
    tolerances = [(tolerance.attribute, tolerance.value) for tolerance in given.tolerances]
    return Change(
        stateful=list(given.stateful_attributes) if setting.STATEFUL in names else None,
        multi_valued=list(given.multi_valued_attributes) if setting.MULTI_VALUED in names else None,
        tolerances=tolerances if setting.TOLERANCES in names else None,
    )


def _message(version: Version) -> pb.SettingsVersion:
    return pb.SettingsVersion(
        version=version.version,
        settings=wire.to_settings(version.policy, retention_setting.of_json(version.settings)),
        actor=version.actor,
        reason=version.reason,
        recorded_at=wire.to_timestamp(version.recorded_at),
    )
