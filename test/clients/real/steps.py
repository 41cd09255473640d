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


async def _run():
    for name, work in steps:
        try:
            result = work()
            if inspect.isawaitable(result):
                await result
            print(json.dumps({"step": name, "ok": True}), flush=True)
        except BaseException as error:  # noqa: BLE001
            print(json.dumps({"step": name, "ok": False, "error": f"{type(error).__name__}: {error}"}), flush=True)


def run_all():
    asyncio.run(_run())
