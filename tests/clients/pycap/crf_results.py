"""A pytest plugin that writes down, as JSON, how each test ended and which public methods of PyCap succeeded."""

import functools
import inspect
import json
import os

import redcap

_succeeded = set()
_methods = {}
_outcomes = {}


def _recorded(name, method):
    @functools.wraps(method)
    def call(*args, **kwargs):
        answer = method(*args, **kwargs)
        _succeeded.add(name)
        return answer

    return call


def pytest_configure(config):
    del config
    for owner in redcap.Project.__mro__[:-1]:
        for name, method in list(vars(owner).items()):
            if not name.startswith("_") and inspect.isfunction(method):
                _methods[name] = True
                setattr(owner, name, _recorded(name, method))


def pytest_runtest_logreport(report):
    state = "skipped" if report.skipped else report.outcome
    before = _outcomes.get(report.nodeid, {"state": "passed"})
    if before["state"] == "passed":
        detail = "" if state == "passed" else str(report.longreprtext)[-2000:]
        _outcomes[report.nodeid] = {"state": state, "detail": detail}


def pytest_collectreport(report):
    if not report.passed:
        _outcomes[report.nodeid] = {
            "state": "skipped" if report.skipped else "failed",
            "detail": str(report.longreprtext)[-2000:],
        }


def pytest_sessionfinish(session):
    del session
    with open(os.environ["CRF_RESULTS"], "w", encoding="utf-8") as file:
        json.dump(
            {
                "outcomes": [{"test": test, **found} for test, found in _outcomes.items()],
                "methods": {name: name in _succeeded for name in sorted(_methods)},
            },
            file,
        )
