import { endOfDay } from '../../server/config/api-keys.js';
import { SCOPES } from '../../domain/identifiers/scope.js';
import { defineCommand } from '../define-command.js';

/** Prints the key to stdout and its entry for API_KEYS to stderr. */
const createCommand = defineCommand({
  name: 'create',
  describe: 'Create an API key. It is shown once: the service stores only its SHA-256',
  args: {
    name: { type: 'string', demandOption: true, describe: 'Who the key is for; appears in the log' },
    scope: {
      type: 'string',
      array: true,
      choices: SCOPES,
      demandOption: true,
      describe: 'Scope of the key; can be repeated',
    },
    expires: { type: 'string', describe: 'Last day on which the key is valid, YYYY-MM-DD (UTC)' },
  },
  examples: [['$0 key create --name portal --scope project:read records:read', 'A key for a portal']],
  check: ({ name, expires }) => {
    if (!/^[A-Za-z0-9._-]{1,64}$/.test(name))
      throw new Error('--name must have 1 to 64 letters, digits, dots, underscores and hyphens');
    if (expires !== undefined && !isTodayOrLater(expires))
      throw new Error('--expires must be today or later, as YYYY-MM-DD');
  },
  readsSettings: false,
  handler: async ({ name, scope, expires }) => {
    const { createApiKey, hashApiKey } = await import('../../services/access/api-key.js');
    const key = createApiKey();
    const entry = [
      name,
      hashApiKey(key),
      [...new Set(scope)].join('+'),
      ...(expires === undefined ? [] : [expires]),
    ].join(':');
    process.stdout.write(`${key}\n`);
    process.stderr.write(
      `Give the key to its owner; it is not shown again. Add this entry to API_KEYS:\n${entry}\n`,
    );
  },
});

function isTodayOrLater(day: string): boolean {
  const end = endOfDay(day);
  return end !== undefined && end.getTime() > Date.now();
}

export const keyCommand = defineCommand({
  name: 'key',
  describe: 'Manage the API keys of this service',
  subcommands: [createCommand],
});
