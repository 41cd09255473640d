"""A plugin of pytest that writes one line of JSON for each test to the file that SANDPIPER_RESULTS names."""
import json
import os

outcomes = {}


def pytest_runtest_logreport(report):
    known = outcomes.get(report.nodeid)
    if report.failed:
        # A failed teardown after a failed call is the same failure.
        if known is None or known["status"] != "failed":
            outcomes[report.nodeid] = {"status": "failed", "message": last_line(report)}
    elif report.skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else "expected to fail"
        outcomes[report.nodeid] = {"status": "skipped", "message": reason}
    elif report.when == "call" and known is None:
        outcomes[report.nodeid] = {"status": "passed", "message": ""}


def pytest_collectreport(report):
    if report.failed:
        outcomes[report.nodeid] = {"status": "failed", "message": last_line(report)}


def pytest_sessionfinish():
    with open(os.environ["SANDPIPER_RESULTS"], "w") as file:
        for test, outcome in outcomes.items():
            file.write(json.dumps({"test": test, **outcome}) + "\n")


def last_line(report):
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash is not None else str(report.longrepr)
    return " ".join(text.split())[:600]
