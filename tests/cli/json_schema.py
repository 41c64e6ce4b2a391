"""The subset of JSON Schema used by the service's description. Unknown keywords are rejected."""
IGNORED = {"description", "default", "contentEncoding"}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "number": (int, float), "integer": int,
         "null": type(None)}


def is_of_type(value, name):
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, TYPES[name])


def findings(value, schema, document, place="answer"):
    """One line per violation of `schema` by `value`; references point into `document`."""
    if "$ref" in schema:
        target = document
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        return findings(value, target, document, place)
    found = []
    for keyword, wanted in schema.items():
        if keyword not in IGNORED:
            found += CHECKS[keyword](value, wanted, schema, document, place)
    return found


def check_type(value, wanted, _schema, _document, place):
    names = wanted if isinstance(wanted, list) else [wanted]
    return [] if any(is_of_type(value, name) for name in names) else [f"{place}: {value!r} is no {wanted}"]


def check_any(value, wanted, _schema, document, place):
    every = [findings(value, schema, document, place) for schema in wanted]
    return [] if not all(every) else min(every, key=len)


def check_properties(value, wanted, _schema, document, place):
    return [line for name, schema in wanted.items() if name in value
            for line in findings(value[name], schema, document, f"{place}.{name}")]


def check_additional(value, wanted, schema, _document, place):
    assert wanted is False
    return [f"{place}: {name} is not described" for name in value if name not in schema["properties"]]


def check_items(value, wanted, _schema, document, place):
    return [line for i, item in enumerate(value) for line in findings(item, wanted, document, f"{place}[{i}]")]


def condition(holds, words):
    return lambda value, wanted, _schema, _document, place: (
        [] if holds(value, wanted) else [f"{place}: {value!r} {words} {wanted!r}"])


CHECKS = {
    "type": check_type,
    "anyOf": check_any,
    "properties": check_properties,
    "additionalProperties": check_additional,
    "items": check_items,
    "required": condition(lambda value, names: all(name in value for name in names), "lacks some of"),
    "enum": condition(lambda value, known: value in known, "is none of"),
    "const": condition(lambda value, known: value == known, "is not"),
    "minimum": condition(lambda value, limit: value >= limit, "is below"),
    "maximum": condition(lambda value, limit: value <= limit, "is above"),
    "minItems": condition(lambda value, limit: len(value) >= limit, "has fewer items than"),
    "maxItems": condition(lambda value, limit: len(value) <= limit, "has more items than"),
}
