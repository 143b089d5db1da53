import type { Exception } from '../outcome.js';

/** Tests of REDCapR's suite that do not pass here. */
export const REDCAPR_EXCEPTIONS: readonly Exception[] = [
  { test: 'test-dag-read.R: no-dag-default', reason: 'refused with 403 here: open' },
  {
    test: 'test-event-instruments.R: Bad URI',
    reason: 'fails before any call with the R packages of this run: not looked into',
  },
  {
    test: 'test-file-repo-list-oneshot.R: smoke test',
    reason: 'the files were put into the repository by hand on the server; the harness does not yet',
  },
  {
    test: 'test-file-repo-list-oneshot.R: default',
    reason: 'the files were put into the repository by hand on the server; the harness does not yet',
  },
  {
    test: 'test-file-repo-list-oneshot.R: first-subdirectory',
    reason: 'the files were put into the repository by hand on the server; the harness does not yet',
  },
  {
    test: 'test-file-repo-list-oneshot.R: download w/ bad token -Error',
    reason: 'fails before any call with the R packages of this run: not looked into',
  },
  {
    test: 'test-instruments-metadata.R: Bad URI',
    reason: 'fails before any call with the R packages of this run: not looked into',
  },
  { test: 'test-log-read.R: 2024-10-11', reason: 'asks for the log of one day of one server' },
  {
    test: 'test-metadata-read.R: super-wide 3',
    reason: 'its project is made by a script of the client on a server, and is not in its folder',
  },
  {
    test: 'test-metadata-read.R: super-wide 3 -subset',
    reason: 'its project is made by a script of the client on a server, and is not in its folder',
  },
  {
    test: 'test-project-info-read.R: all-test-projects',
    reason: 'asks when one server made each of its projects',
  },
  { test: 'test-read-errors.R: One Shot: Bad Uri -Not HTTPS', reason: 'skipped by the client itself' },
  { test: 'test-read-errors.R: Batch: Bad Uri -Not HTTPS', reason: 'skipped by the client itself' },
  { test: 'test-read-oneshot-eav.R: raw-and-dag', reason: 'skipped by the client itself' },
  { test: 'test-read-oneshot-eav.R: label-and-dag', reason: 'skipped by the client itself' },
  {
    test: 'test-read-oneshot-eav.R: blank-for-gray-status-false',
    reason: 'an experimental function of the client on one project: open',
  },
  { test: 'test-retrieve-credential-mssql.R: Missing DSN', reason: 'asks for a SQL Server through ODBC' },
  { test: 'test-retrieve-credential-mssql.R: Bad project ID', reason: 'asks for a SQL Server through ODBC' },
  {
    test: 'test-retrieve-credential-mssql.R: Bad instance name',
    reason: 'asks for a SQL Server through ODBC',
  },
  {
    test: 'test-retrieve-credential-mssql.R: pid wrong length',
    reason: 'asks for a SQL Server through ODBC',
  },
  {
    test: 'test-retrieve-credential-mssql.R: instance wrong length',
    reason: 'asks for a SQL Server through ODBC',
  },
  {
    test: 'test-retrieve-credential-mssql.R: dsn wrong length',
    reason: 'asks for a SQL Server through ODBC',
  },
  {
    test: 'test-retrieve-credential-mssql.R: bad type: project_id',
    reason: 'asks for a SQL Server through ODBC',
  },
  {
    test: 'test-retrieve-credential-mssql.R: bad type: instance',
    reason: 'asks for a SQL Server through ODBC',
  },
  {
    test: 'test-retrieve-credential-mssql.R: bad type: DSN name',
    reason: 'asks for a SQL Server through ODBC',
  },
  {
    test: 'test-retrieve-credential-mssql.R: bad type: channel ',
    reason: 'asks for a SQL Server through ODBC',
  },
  {
    test: 'test-users-export.R: without DAGs',
    reason: 'one right of the role on the server differs from the project file',
  },
  {
    test: 'test-write-dag.R: default',
    reason: 'a last name that is written by a user in a group does not come back: open',
  },
  {
    test: 'test-write-dag.R: default w/ batching',
    reason: 'a last name that is written by a user in a group does not come back: open',
  },
  {
    test: 'test-report.R: default',
    reason: 'line breaks of values are two blanks in a report of the server: open',
  },
  {
    test: 'test-report.R: col_types',
    reason: 'line breaks of values are two blanks in a report of the server: open',
  },
  {
    test: 'test-report.R: force-character-type',
    reason: 'line breaks of values are two blanks in a report of the server: open',
  },
  {
    test: 'test-report.R: raw',
    reason: 'line breaks of values are two blanks in a report of the server: open',
  },
  {
    test: 'test-report.R: export_checkbox_label',
    reason: 'line breaks of values are two blanks in a report of the server: open',
  },
];
