"""The format of archives: a tenant's memory as lines of JSON, and what each part of one must be to be written.

Rules: a line has a part and a record, one flat JSON object; the first line says which format it is, the last one how
many came before. A record is read strictly: no field twice, none that its part does not have, every value of its own
kind. JSON that callers wrote, exact numbers and bytes are strings. The order of lines is archive_order.py.
Source: REQUIREMENTS F6; docs/moving.md.
"""

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from shared.domain.archive_values import KINDS, WrongValue, refuse_constant
from shared.domain.errors import InvalidArgument

FORMAT = "candor-archive"
VERSION = 1  # of the format: changes when an older import could not read what is exported

Record: TypeAlias = dict[str, Any]
"""The fields of a line as values of Python; an absent one is not there."""

# A field is `name:kind`, with `!` where it must be there.
_PARTS = {
    "archive": "format:text! version:int!",
    "end": "lines:long!",
    "setting": """
        version:int! settings:object! actor:text! reason:text! operation_id:uuid! recorded_at:instant!""",
    "memory": """
        memory_id:uuid! revision:int! current:bool! recorded_at:instant! ended_at:instant state:state!
        state_reason:text superseded_by:uuid kind:kind! content:text! company:text period:text record:text
        source_ref:text counterparty:text speaker:text session:text tags:texts! metadata:object! memory_type:type!
        importance:float pinned:bool! protection:guard! refs:texts! derived_from:uuids! source_memory_ids:uuids!
        valid_from:instant valid_to:instant expires_at:instant operation_id:uuid!""",
    "event": """
        memory_id:uuid! event_id:uuid! action:text! revision:int! actor:text! reason:text! operation_id:uuid!
        recorded_at:instant! changes:object!""",
    "assertion": """
        memory_id:uuid! attribute:text! revision:int! company_key:text! record_key:text! kind:kind! raw:scalar!
        canonical:text! value_type:value! number:number currency:text unit:text counterparty_key:text period:text
        valid_from:instant valid_to:instant recorded_at:instant! ended_at:instant ended_reason:text
        operation_id:uuid! decision_id:text decided_importance:float decided_at:instant""",
    "use": """
        memory_id:uuid! recall_count:long! last_used_at:instant scored_importance:float mentioned_at:instant""",
    "entry": """
        memory_id:uuid! ordinal:int! revision:int! side:side! dedup_key:hex! currency:text! amount:number!
        cash:number cash_status:cash! gross:number employer_social_security:number employee_social_security:number
        tax:number employee_count:int company:text company_key:text! period:text period_start:date period_end:date
        party:text invoice_number:text dated:date decided_from:uuids! valid_from:instant valid_to:instant
        written_at:instant! recorded_at:instant! ended_at:instant operation_id:uuid!""",
    "operation": """
        operation_id:uuid! action:text! actor:text! reason:text! request_id:text! recorded_at:instant!""",
    "decision": """
        number:int! decision_id:text! action:decision! finding_id:text company:text company_key:text subject:text
        record_key:text attribute:text selected_memory_id:uuid effect:object! operation_id:uuid! actor:text!
        reason:text! recorded_at:instant! undone_at:instant undone_by:text undone_reason:text undo_operation_id:uuid""",
    "decision_memory": "decision_id:text! memory_id:uuid! role:text!",
    "decision_assertion": """
        decision_id:text! memory_id:uuid! attribute:text! revision:int! ended:bool! before_decision:text
        before_importance:float before_decided_at:instant""",
    "finding": """
        finding_id:text! kind:finding! state:standing! company:text company_key:text! subject:text attribute:text
        values_hash:hex! detail:hex! first_seen_at:instant! last_seen_at:instant! changed_at:instant!
        changed_by:text reason:text decision_id:text unjudged_at:instant""",
    "finding_memory": "finding_id:text! memory_id:uuid!",
}


def read(part: str, text: str) -> Record:
    """Return the fields of a line's record; those that are not there are left out.

    Raises: InvalidArgument PART_UNKNOWN, RECORD_INVALID, FIELD_UNKNOWN, FIELD_MISSING, FIELD_INVALID.
    """
    fields = PARTS.get(part)
    if fields is None:
        raise InvalidArgument.of("part", "PART_UNKNOWN", f"must be one of {', '.join(PARTS)}")
    try:
        pairs = json.loads(text, object_pairs_hook=tuple, parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        raise InvalidArgument.of("record", "RECORD_INVALID", "is not JSON") from None
    if not isinstance(pairs, tuple) or len(dict(pairs)) < len(pairs):
        raise InvalidArgument.of("record", "RECORD_INVALID", "must be a JSON object with no field twice")
    record: Record = {}
    for name, value in pairs:
        if name not in fields:
            raise InvalidArgument.of(f"record.{name}"[:100], "FIELD_UNKNOWN", f"is no field of {part}")
        if value is not None:
            try:
                record[name] = fields[name][0](value)
            except WrongValue as error:
                raise InvalidArgument.of(f"record.{name}", "FIELD_INVALID", str(error)) from None
    for name, (_, is_needed) in fields.items():
        if is_needed and name not in record:
            raise InvalidArgument.of(f"record.{name}", "FIELD_MISSING", "must be there")
    return record


def _fields(spec: str) -> Mapping[str, tuple[Callable[[object], Any], bool]]:
    found = {}
    for word in spec.split():
        name, kind = word.rstrip("!").split(":")
        found[name] = (KINDS[kind], word.endswith("!"))
    return MappingProxyType(found)


PARTS = MappingProxyType({part: _fields(spec) for part, spec in _PARTS.items()})
"""The fields of each part: how a value is read, and whether it must be there."""
