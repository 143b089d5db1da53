import type { VariableTopic } from './environment-variable.js';

/** Where the service listens, what it logs, and how it stops. */
export const SERVER: VariableTopic = {
  topic: 'Server',
  variables: [
    {
      name: 'PORT',
      description: 'Port to listen on; 0 picks a free one.',
      example: '8080',
    },
    {
      name: 'HOST',
      description: 'Address to listen on.',
      example: '0.0.0.0',
    },
    {
      name: 'NODE_ENV',
      description:
        '`production` requires a real project and configured access, requires https for sign-in, and turns `/docs` off by default.',
      example: 'production',
    },
    {
      name: 'LOG_LEVEL',
      description: 'Log level: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
      example: 'warn',
    },
    {
      name: 'ADMIN_PORT',
      description:
        'Port for operators: `/live`, `/ready` and `/metrics` (Prometheus). If unset, there is no such port and nothing is counted; 0 picks a free one.',
      default: 'none',
      example: '9464',
    },
    {
      name: 'ADMIN_HOST',
      description: 'Address of the admin port. It requires no credential: keep it off public networks.',
      example: '0.0.0.0',
    },
    {
      name: 'AUDIT_LOG',
      description:
        'Where to write the audit log (`docs/audit.md`): `file:` and an absolute path, `stdout`, or `off`. Independent of `LOG_LEVEL`. While it cannot be written, calls that must be audited get 503.',
      default: '`stdout` in production, else `off`',
      example: 'file:/var/log/crf-service/audit.log',
    },
    {
      name: 'AUDIT_PSEUDONYM_KEY',
      description:
        'Key of the pseudonyms in the audit log, 32 to 256 characters, as from `openssl rand -hex 32`. Keep it as long as the log: with it, `crf audit find` recognises records and persons after the token and the API key of Appwrite were replaced.',
      default: 'derived from `APPWRITE_API_KEY` or `CAPTURE_API_TOKEN`',
      example: 'd0e5a1b7c3f94826d0e5a1b7c3f94826d0e5a1b7c3f94826d0e5a1b7c3f94826',
      isSecret: true,
    },
    {
      name: 'LOG_FORMAT',
      description: 'Log format: `json`, `pretty`, or `auto` (`pretty` in a terminal, else `json`).',
      example: 'json',
    },
    {
      name: 'TRUST_PROXY',
      description:
        'Number of trusted reverse proxies, or their addresses, separated by commas. `true` is refused because it would let any client forge its address. Needs `API_KEYS`, `APPWRITE_*` or `ALLOW_ANONYMOUS=true`.',
      example: '1',
    },
    {
      name: 'HELP_URL',
      description:
        'Where people find help, `https://` or `mailto:`; shown on the help page and in the footer.',
      default: 'none',
      example: 'mailto:crf-help@example.org',
    },
    {
      name: 'DOCS',
      description: 'Serve the API reference at `/docs`: `on`, `off`, or `auto` (off in production).',
      example: 'on',
    },
    {
      name: 'DRAIN_DELAY_MS',
      description:
        'How long the server keeps serving after SIGTERM while `/health/ready` answers 503, so that load balancers stop sending requests.',
      default: '5000 in production, else 0',
      example: '5000',
    },
    {
      name: 'SHUTDOWN_TIMEOUT_MS',
      description:
        'How long running requests may take after the drain delay before their connections are closed.',
      example: '25000',
    },
  ],
};
