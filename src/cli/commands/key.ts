import { SCOPES } from '../../domain/identifiers/scope.js';
import { endOfDay } from '../../server/config/value-types.js';
import { createApiKey, createRedcapKey, hashApiKey } from '../../services/access/api-key.js';
import { defineCommand, subcommand } from '../command.js';
import { choice, flag, needed, text } from '../options/option.js';
import { JSON_ON_STDOUT, JSON_OPTION } from '../options/shared-options.js';
import { columnsOf, printRows } from '../printing/table.js';
import { keysIn, revokeCommand } from './key-revoke.js';

/** Prints the key to stdout, and its entries for API_KEYS and for PROJECTS_FILE to stderr. */
const createCommand = subcommand({
  usage: 'create',
  describe: 'Create an API key. It is shown once: the service stores only its SHA-256',
  args: {
    name: needed('Who the key is for; appears in the log'),
    scope: choice('Scope of the key; can be repeated', SCOPES, {
      type: 'string',
      array: true,
      demandOption: true,
      coerce: (scopes: readonly string[]): string[] => scopes.flatMap((scope) => scope.split(/[,+]/)),
    }),
    redcap: flag("In the form of a token of REDCap, for PyCap, REDCapR and whatever else calls REDCap's API"),
    expires: text('Last day on which the key is valid, YYYY-MM-DD (UTC)'),
    ...JSON_ON_STDOUT,
  },
  examples: {
    '$0 key create --name portal --scope project:read records:read': 'A key for a portal',
    '$0 key create --redcap --name stats --scope project:read records:read':
      "A key for a client of REDCap's API",
  },
  check: ({ name, expires }) => {
    if (!/^[A-Za-z0-9._-]{1,64}$/.test(name))
      throw new Error('--name must have 1 to 64 letters, digits, dots, underscores and hyphens');
    if (expires !== undefined && !isTodayOrLater(expires))
      throw new Error('--expires must be today or later, as YYYY-MM-DD');
  },
  readsSettings: false,
  run: ({ name, scope, redcap, expires, project = 'NAME' }, io) => {
    const key = redcap ? createRedcapKey() : createApiKey();
    const [sha256, scopes] = [hashApiKey(key), [...new Set(scope)]];
    const entry = [name, sha256, scopes.join('+'), ...(expires === undefined ? [] : [expires])].join(':');
    io.stderr.write(
      `Give the key to its owner; it is not shown again. Add this entry to API_KEYS:
${entry}
Or, with the names of its projects, this one to keys of PROJECTS_FILE:
- ${JSON.stringify({ name, sha256, projects: [project], scopes, expires })}
`,
    );
    return Promise.resolve({ data: { key, name, sha256, scopes, expires, entry }, text: key });
  },
});

const listCommand = subcommand({
  usage: 'list',
  describe: 'List the API keys that the service reads, and where each stands',
  args: JSON_OPTION,
  run: ({ json }, io) => {
    const listed = keysIn(io.env).keys.map(({ name, scopes, projects, expiresAt, from }) => {
      // The key is valid to the end of its last day.
      const expires = expiresAt && new Date(expiresAt.getTime() - 1).toISOString().slice(0, 10);
      return { name, scopes, projects, expires, from };
    });
    const columns = columnsOf<(typeof listed)[number]>('name', 'from', 'projects', 'expires', 'scopes');
    printRows(listed, columns, { json, csv: false }, io);
    return Promise.resolve();
  },
});

function isTodayOrLater(day: string): boolean {
  const end = endOfDay(day);
  return end !== undefined && end.getTime() > Date.now();
}

export const command = defineCommand({
  subcommands: [createCommand, listCommand, revokeCommand],
});
