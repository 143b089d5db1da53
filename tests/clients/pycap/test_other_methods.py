"""Calls of PyCap's methods that its own suite leaves out, on a project that its suite describes."""

from pathlib import Path

from redcap import Project
from tests.integration.conftest import SUPER_TOKEN, create_project, redcapdemo_url


def _project():
    file = Path("tests/data/doctest_project.xml")
    return Project(redcapdemo_url(), create_project(redcapdemo_url(), SUPER_TOKEN, file))


def test_export_report():
    rows = _project().export_report(report_id="1")

    assert [row["record_id"] for row in rows][0] == "1"


def test_switch_dag():
    project = _project()
    project.import_dags([{"data_access_group_name": "One", "unique_group_name": ""}])

    assert project.switch_dag("one") == "1"
