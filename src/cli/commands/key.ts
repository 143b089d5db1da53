import { SCOPES } from '../../domain/identifiers/scope.js';
import { endOfDay } from '../../server/config/value-types.js';
import { createApiKey, hashApiKey } from '../../services/access/api-key.js';
import { defineCommand, subcommand } from '../command.js';
import { choice, needed, text } from '../options/option.js';

/** Prints the key to stdout and its entry for API_KEYS to stderr. */
const createCommand = subcommand({
  usage: 'create',
  describe: 'Create an API key. It is shown once: the service stores only its SHA-256',
  args: {
    name: needed('Who the key is for; appears in the log'),
    scope: choice('Scope of the key; can be repeated', SCOPES, {
      type: 'string',
      array: true,
      demandOption: true,
    }),
    expires: text('Last day on which the key is valid, YYYY-MM-DD (UTC)'),
  },
  examples: { '$0 key create --name portal --scope project:read records:read': 'A key for a portal' },
  check: ({ name, expires }) => {
    if (!/^[A-Za-z0-9._-]{1,64}$/.test(name))
      throw new Error('--name must have 1 to 64 letters, digits, dots, underscores and hyphens');
    if (expires !== undefined && !isTodayOrLater(expires))
      throw new Error('--expires must be today or later, as YYYY-MM-DD');
  },
  readsSettings: false,
  run: ({ name, scope, expires }, io) => {
    const key = createApiKey();
    const entry = [
      name,
      hashApiKey(key),
      [...new Set(scope)].join('+'),
      ...(expires === undefined ? [] : [expires]),
    ].join(':');
    io.stdout.write(`${key}\n`);
    io.stderr.write(
      `Give the key to its owner; it is not shown again. Add this entry to API_KEYS:\n${entry}\n`,
    );
    return Promise.resolve();
  },
});

function isTodayOrLater(day: string): boolean {
  const end = endOfDay(day);
  return end !== undefined && end.getTime() > Date.now();
}

export const command = defineCommand({
  subcommands: [createCommand],
});
