import type { Exception } from '../outcome.js';

/** The tests of REDCapR's suite that do not pass here. */
export const REDCAPR_EXCEPTIONS: readonly Exception[] = [
  {
    test: 'test-event-instruments.R: Bad URI',
    reason: 'calls testthat::skip() without a reason, which testthat refuses before any call',
  },
  {
    test: 'test-file-repo-list-oneshot.R: download w/ bad token -Error',
    reason: 'calls testthat::skip() without a reason, which testthat refuses before any call',
  },
  {
    test: 'test-instruments-metadata.R: Bad URI',
    reason: 'calls testthat::skip() without a reason, which testthat refuses before any call',
  },
  { test: 'test-log-read.R: 2024-10-11', reason: 'asks for the log of one day of one server' },
  {
    test: 'test-project-info-read.R: all-test-projects',
    reason: 'asks when one server made each of its projects',
  },
  { test: 'test-read-errors.R: One Shot: Bad Uri -Not HTTPS', reason: 'skipped by the client itself' },
  { test: 'test-read-errors.R: Batch: Bad Uri -Not HTTPS', reason: 'skipped by the client itself' },
  { test: 'test-read-oneshot-eav.R: raw-and-dag', reason: 'skipped by the client itself' },
  { test: 'test-read-oneshot-eav.R: label-and-dag', reason: 'skipped by the client itself' },
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
];
