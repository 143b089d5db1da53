import { chmod, chown, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { isMap, isSeq, parseDocument } from 'yaml';
import { nearestName } from '../../domain/identifiers/nearest-name.js';
import { configuredProjects } from '../../server/config/projects-file.js';
import { loadSettings } from '../../server/config/settings.js';
import { CliError, EXIT_CODES } from '../cli-error.js';
import { subcommand } from '../command.js';
import { unwritableFile } from '../files/refused-file.js';
import type { Io } from '../io.js';
import { confirm } from '../options/confirm.js';
import { needed } from '../options/option.js';
import { JSON_ON_STDOUT, YES } from '../options/shared-options.js';
import { counted } from '../printing/table.js';

/** Returns the API keys that the service reads, each with the setting it stands in, and the file of that setting. */
export function keysIn(env: Io['env']) {
  const { app, appwrite, projects, secretFiles } = loadSettings(env);
  const keyFile = secretFiles.find(({ name }) => name === 'API_KEYS')?.path;
  const place = { from: keyFile === undefined ? 'API_KEYS' : 'API_KEYS_FILE', path: keyFile } as const;
  const ofAll = projects?.default === undefined ? [] : [projects.default];
  const listed = { from: 'PROJECTS_FILE', path: projects && configuredProjects(env).path } as const;
  const keys = [
    ...app.access.apiKeys.map((key, at) => ({ ...key, ...place, at, projects: ofAll })),
    ...(projects?.keys ?? []).map((key, at) => ({ ...key, ...listed, at })),
  ];
  return { keys, hasSignIn: appwrite !== undefined };
}

/** When a running service knows of a change. */
const LEARNS = {
  API_KEYS_FILE: 'A running service reads the file every two seconds, and then refuses the key.',
  PROJECTS_FILE: 'Send SIGHUP to each process of a running service, which then refuses the key.',
} as const;

export const revokeCommand = subcommand({
  usage: 'revoke <name>',
  describe: 'Take every entry of an API key out of the file in which it stands',
  args: { name: needed('The name of the key, as crf key list shows it'), ...YES, ...JSON_ON_STDOUT },
  examples: { '$0 key revoke portal': 'The service refuses the key named portal' },
  epilogue:
    'Other entries and comments stay. What stands in API_KEYS itself is not changed: the command says which entry to take out. Exit codes: 0 the key stands nowhere any more, 1 it does, or there is none of this name.',
  run: async ({ name, yes }, io) => {
    const { keys, hasSignIn } = keysIn(io.env);
    const own = keys.filter((key) => key.name === name);
    if (own.length === 0) {
      const meant = nearestName(name, new Set(keys.map((key) => key.name)));
      const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
      throw new CliError(`${name} is not an API key of this service${hint}`);
    }
    const isEmptied = own.some(
      ({ from }) => from === 'API_KEYS_FILE' && keys.every((key) => key.from !== from || key.name === name),
    );
    // Without any key a service is open, or does not start; an empty file of keys revokes nothing.
    if (isEmptied || (own.length === keys.length && !hasSignIn))
      throw new CliError(
        `${name} is the last key there: make another with crf key create first, or stop the service. Nothing was changed.`,
      );
    const revoked: string[] = [];
    const remaining: string[] = [];
    for (const [from, path] of new Map(own.map((key) => [key.from, key.path]))) {
      const entries = own.filter((key) => key.from === from);
      if (from === 'API_KEYS' || path === undefined) {
        const places = entries.map(({ at }) => at + 1).join(' and ');
        io.stderr.write(
          `API_KEYS is not in a file: take out entry ${places}, which begins with ${name}:, where the service gets its environment, and restart it.\n`,
        );
        remaining.push(from);
        continue;
      }
      const count = counted(entries.length, 'entry', 'entries');
      await confirm(`Take ${count} of the key ${name} out of ${path}`, yes, io);
      const text = await readFile(path, 'utf8');
      const rest = from === 'PROJECTS_FILE' ? withoutListed(text, name) : withoutEntries(text, name);
      await replaceFile(path, rest, from);
      io.stderr.write(`${path} does not have the key ${name} any more. ${LEARNS[from]}\n`);
      revoked.push(from);
    }
    const exitCode = remaining.length === 0 ? EXIT_CODES.ok : EXIT_CODES.failed;
    return { data: { name, revoked, remaining }, text: '', exitCode };
  },
});

/** Removes entries of `API_KEYS`, each with what separates it from the next. */
function withoutEntries(text: string, name: string): string {
  return text.replace(/([^\s,;]+)[\s,;]*/g, (all, entry: string) =>
    entry.startsWith(`${name}:`) ? '' : all,
  );
}

/** Removes keys of a file of projects by their lines; where that would not do, as in a list in one line, formats it anew. */
function withoutListed(text: string, name: string): string {
  const document = parseDocument(text);
  const keys = document.get('keys');
  if (!isSeq(keys)) return text;
  const isNamed = (item: unknown) => isMap(item) && item.get('name') === name;
  let rest = text;
  for (const item of keys.items.filter(isNamed).reverse()) {
    const [start = 0, end = 0] = (isMap(item) && item.range) || [];
    const from = text.lastIndexOf('\n', text.lastIndexOf('-', start)) + 1;
    const to = text.indexOf('\n', text.slice(0, end).trimEnd().length);
    rest = rest.slice(0, from) + (to < 0 ? '' : rest.slice(to + 1));
  }
  keys.items = keys.items.filter((item) => !isNamed(item));
  const isMeant = isDeepStrictEqual(parseDocument(rest).toJS(), document.toJS());
  return isMeant ? rest : document.toString({ lineWidth: 0 });
}

/** Replaces a file as a whole, so that nobody reads half of it. Whose it is, and who may read it, stays. */
async function replaceFile(link: string, text: string, setting: string): Promise<void> {
  const path = await realpath(link);
  const { mode, uid, gid } = await stat(path);
  const part = `${path}.${process.pid}.new`;
  try {
    await writeFile(part, text, { flag: 'wx', mode: 0o600 });
    await chown(part, uid, gid);
    await chmod(part, mode);
    await rename(part, path);
  } catch (cause) {
    await rm(part, { force: true });
    throw unwritableFile(setting, cause);
  }
}
