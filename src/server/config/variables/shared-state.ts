import type { VariableTopic } from './environment-variable.js';

/** The store that several processes share. */
export const SHARED_STATE: VariableTopic = {
  topic: 'More than one process',
  variables: [
    {
      name: 'REDIS_URL',
      description:
        'Redis or Valkey (6.2 or later) through which replicas share their state: `redis://` or, with TLS, `rediss://`, with user and password if it has them. When unset, every process has its own limits, keys and used links.',
      default: 'none: one process',
      example: 'rediss://crf:password@redis.example.org:6379/0',
      isSecret: true,
    },
    {
      name: 'REDIS_KEY_PREFIX',
      description: 'Prefix of every key in Redis; the rights of an ACL user can be limited to it.',
      example: 'crf:',
    },
    {
      name: 'REDIS_TIMEOUT_MS',
      description:
        'How long a command of Redis may take. After that Redis counts as away until it answers again.',
      example: '500',
    },
  ],
};
