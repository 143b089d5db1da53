import type { VariableTopic } from './environment-variable.js';

/** Who may call the service, and with which scopes. */
export const ACCESS: VariableTopic = {
  topic: 'Access',
  variables: [
    {
      name: 'API_KEYS',
      description:
        'API keys, separated by commas or spaces: `name:sha256:scope+scope[:YYYY-MM-DD]`. Create one with `crf key create`.',
      default: 'none',
      example:
        'portal:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08:project:read+records:read',
      isSecret: true,
    },
    {
      name: 'ALLOW_ANONYMOUS',
      description:
        '`true`: everyone who can reach the service may read and import records, and read project and users. `false`: every call needs a credential. Unset: calls from this machine need none until `API_KEYS` or `APPWRITE_*` is set; refused in production and with `TRUST_PROXY`.',
      default: 'unset',
      example: 'false',
    },
    {
      name: 'ALLOWED_ORIGINS',
      description:
        'Origins whose pages may call the API with an API key (CORS), separated by commas or spaces. A session never counts there.',
      default: 'none',
      example: 'https://app.example.org',
    },
    {
      name: 'POLICY_FILE',
      description:
        'A YAML file that says what each caller sees of the project ([rights](rights.md)), with its lock beside it (`policy.lock` for `policy.yaml`). Read again on SIGHUP. Without it every caller sees all that the scopes allow.',
      default: 'none',
      example: '/etc/crf/policy.yaml',
    },
    {
      name: 'PSEUDONYM_KEY',
      description:
        'Key of the pseudonyms and date shifts of a policy that [de-identifies](deidentification.md), 64 hexadecimal digits, as from `openssl rand -hex 32`. Whoever has it can get record ids and dates back; with another one all of them change.',
      default: 'none',
      example: '2f6d0c9b4a7e81350d5c1f9ea3b86472c0914be7d2a5f3681e9b70c4d85a3f16',
      isSecret: true,
    },
    {
      name: 'SESSION_SCOPES',
      description: 'Scopes of a signed-in person, separated by commas or spaces; the README lists them all.',
      example: 'project:read,records:read',
    },
  ],
};
