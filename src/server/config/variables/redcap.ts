import type { VariableTopic } from './environment-variable.js';

/** The project, and where its users are found. */
export const REDCAP: VariableTopic = {
  topic: 'REDCap',
  variables: [
    {
      name: 'CAPTURE_API_URL',
      description:
        'URL of the REDCap API. When neither this nor the token is set, the service runs on the sandbox.',
      default: 'sandbox',
      example: 'https://redcap.example.org/api/',
    },
    {
      name: 'CAPTURE_API_TOKEN',
      description: 'API token of the REDCap project: 32 hexadecimal characters.',
      default: 'sandbox',
      example: '0123456789ABCDEF0123456789ABCDEF',
      isSecret: true,
    },
    {
      name: 'PROJECTS_FILE',
      description:
        'YAML file that lists projects by name, in place of `CAPTURE_API_URL` and `CAPTURE_API_TOKEN` ([projects](projects.md)).',
      default: 'one project',
      example: 'projects.yaml',
    },
    {
      name: 'CAPTURE_PROJECT',
      description:
        'Name of the project in `PROJECTS_FILE` that commands work with, or the only one to serve.',
      default: 'the `default` of the file',
      example: 'cohort',
    },
    {
      name: 'CAPTURE_TIME_ZONE',
      description:
        "Time zone of REDCap's server, which REDCap does not report. With it, times of the log and of surveys have an offset, times with an offset are accepted, and pages and reports show times in this zone instead of UTC.",
      default: 'times without an offset',
      example: 'Europe/Paris',
    },
    {
      name: 'SANDBOX_STUDY',
      description:
        'Study in the sandbox: `classic`, a cohort, or `longitudinal`, a trial with arms, events, sites and surveys.',
      example: 'longitudinal',
    },
    {
      name: 'RECORD_ID_MIN_LENGTH',
      description:
        'Minimum length of the id of a new record. It does not apply if REDCap numbers the records, nor to records that exist.',
      example: '1',
    },
    {
      name: 'CRF_UNDO_KEY',
      description:
        'Key with which `crf import` encrypts its undo files, and `crf undo` reads them, 32 to 256 characters, as from `openssl rand -hex 32`.',
      default: 'undo files are not encrypted',
      example: '4826d0e5a1b7c3f94826d0e5a1b7c3f94826d0e5a1b7c3f94826d0e5a1b7c3f9',
      isSecret: true,
    },
    {
      name: 'USER_SOURCE',
      description:
        "Where to look up users: `records` (fields of the project), `project-users` (REDCap's user list), or `auto`: `records` if the data dictionary has both fields, else `project-users`.",
      example: 'records',
    },
    {
      name: 'USER_EMAIL_FIELD',
      description: "Field that holds a user's email address.",
      example: 'email',
    },
    {
      name: 'USER_ID_FIELD',
      description: "Field that holds a user's id.",
      example: 'userid',
    },
  ],
};
