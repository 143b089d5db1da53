import type { VariableTopic } from './environment-variable.js';

/** The identity backend, sign-in links and sessions. */
export const SIGN_IN: VariableTopic = {
  topic: 'Sign-in',
  variables: [
    {
      name: 'APPWRITE_ENDPOINT',
      description:
        'Appwrite endpoint, ending in `/v1`. Requires `APPWRITE_PROJECT_ID`, `APPWRITE_API_KEY`, `LOGIN_URL` and `ALLOWED_DOMAINS_REGEXP`.',
      default: 'sandbox, or no sign-in',
      example: 'https://cloud.appwrite.io/v1',
    },
    {
      name: 'APPWRITE_PROJECT_ID',
      description: 'Appwrite project id.',
      default: '',
      example: 'my-project',
    },
    {
      name: 'APPWRITE_API_KEY',
      description: 'Appwrite API key with the scopes `sessions.write`, `users.read` and `users.write`.',
      default: '',
      example: 'standard_0123456789abcdef',
      isSecret: true,
    },
    {
      name: 'LOGIN_URL',
      description:
        'Public URL of `/login`, used in sign-in links. Must be https, except on loopback in development.',
      default: '',
      example: 'https://crf.example.org/login',
    },
    {
      name: 'ALLOWED_DOMAINS_REGEXP',
      description:
        'Email domains that may sign in: a regular expression that must match the whole domain (no look-around, no backreferences), or `any`.',
      default: '`example\\.org` on the sandbox only',
      example: 'example\\.org|.*\\.example\\.org',
    },
    {
      name: 'SHOW_ALLOWED_DOMAINS',
      description:
        'Name the allowed domains to people whose address is of another one. Requires that `ALLOWED_DOMAINS_REGEXP` only lists domains: `a\\.org|b\\.org`.',
      example: 'true',
    },
    {
      name: 'SIGNED_LINKS_ONLY',
      description:
        'Accept only sign-in links signed by this service (`st`). `false` also accepts links requested elsewhere.',
      example: 'false',
    },
    {
      name: 'LOGIN_CONFIRM',
      description:
        'When a sign-in link shows a confirmation button first: `never`, `unbound` (in browsers that did not request the link) or `always`.',
      example: 'unbound',
    },
    {
      name: 'SESSION_MAX_AGE_SECONDS',
      description: 'Maximum lifetime of a session.',
      example: '28800',
    },
    {
      name: 'SESSION_IDLE_SECONDS',
      description: 'Idle timeout of a session; at least 300.',
      example: '900',
    },
  ],
};
