"""Steps of a scenario: each prints one line of JSON, {"step", "ok", "error"?}."""
import asyncio
import inspect
import json

steps = []


def step(name):
    def add(work):
        steps.append((name, work))
        return work

    return add


def run_all():
    # Asynchronous steps share a loop; it does not run during the others, because some libraries refuse to work inside of one.
    loop = asyncio.new_event_loop()
    for name, work in steps:
        try:
            result = work()
            if inspect.isawaitable(result):
                loop.run_until_complete(result)
            print(json.dumps({"step": name, "ok": True}), flush=True)
        except Exception as error:  # every failure is a line of the report
            print(json.dumps({"step": name, "ok": False, "error": f"{type(error).__name__}: {error}"[:300]}), flush=True)
    loop.close()
