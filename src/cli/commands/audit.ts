import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { createCrfClient } from '../../client/create-crf-client.js';
import { heard } from '../../domain/bytes/heard.js';
import { CrfError } from '../../domain/errors/crf-error.js';
import { readPolicyFile } from '../../policy/policy-file.js';
import { foldedRecord } from '../../records/import/confirmed-count.js';
import { loadCommandSettings, type Settings } from '../../server/config/settings.js';
import { pseudonymKeysOf } from '../../server/derived-keys.js';
import {
  findRecord,
  type FoundCall,
  type PolicyReach,
  type RecordReport,
} from '../../services/audit/find-record.js';
import { recordPseudonym } from '../../services/audit/record-pseudonyms.js';
import { type AuditFileLines, type ChainReport, verifyChain } from '../../services/audit/verify-chain.js';
import { Pseudonyms } from '../../services/pseudonyms.js';
import { UserFinder } from '../../services/user-finder.js';
import { CliError, EXIT_CODES } from '../cli-error.js';
import { type ArgumentsOf, defineCommand, subcommand } from '../command.js';
import { splitLines } from '../files/byte-lines.js';
import { neededTexts, value } from '../options/option.js';
import { JSON_ON_STDOUT, periodOf, periodOptions } from '../options/shared-options.js';
import { type Column, counted, firstOf, toTable } from '../printing/table.js';

/** The files of a log. */
const files = neededTexts('The log and its rotated files, oldest first; .gz is read, too');

/** Verifies an audit log and prints the result. */
const verifyCommand = subcommand({
  usage: 'verify <files..>',
  describe: 'Check that no line of an audit log was altered, removed, added or moved',
  args: { files, ...JSON_ON_STDOUT },
  examples: {
    '$0 audit verify audit.log': 'Check one file',
    '$0 audit verify audit.log.2.gz audit.log.1 audit.log': 'Check over rotated files',
  },
  epilogue:
    'Prints the number and the hash of the last line: kept elsewhere, they show later whether lines were cut off the end. Exit codes: 0 intact, also with an unfinished last line, as a crash leaves it; 1 not intact; 2 a file cannot be read.',
  run: async ({ files, json }, { stdout, stderr }) => {
    const report = await verifyChain(files.map(linesOf)).catch(refuseUnreadable);
    const isIntact = report.faults.length === 0 && report.lines > 0;
    if (json) stdout.write(`${JSON.stringify({ ok: isIntact, ...report })}\n`);
    else printChains(report, stdout, stderr);
    return isIntact ? EXIT_CODES.ok : EXIT_CODES.failed;
  },
});

function refuseUnreadable(error: unknown): never {
  const { code = 'unknown', path = '' } = error as NodeJS.ErrnoException;
  throw usage(`${path} cannot be read (${code}).`);
}

/** A mistake that is said without the usage of the command. */
function usage(message: string): CliError {
  return new CliError(message, EXIT_CODES.usage);
}

/** Opens a file of an audit log, compressed if its name ends in `.gz`. Its lines are read as they are asked for. */
function linesOf(path: string): AuditFileLines {
  return { name: path, lines: readLines(path) };
}

async function* readLines(path: string): AsyncGenerator<string, void, undefined> {
  const file = heard(createReadStream(path));
  const failure = new Promise<never>((_resolve, reject) => file.once('error', reject));
  failure.catch(() => undefined);
  try {
    await Promise.race([new Promise((resolve) => file.once('open', resolve)), failure]);
    const chunks = path.endsWith('.gz') ? file.pipe(heard(createGunzip())) : file;
    for await (const { bytes } of splitLines(chunks, MAX_LINE_BYTES))
      yield bytes === undefined ? TOO_LONG : bytes.toString('utf8').replace(/\r$/, '');
  } catch (error) {
    // The errors of a folder and of a damaged archive do not name it.
    throw Object.assign(error as Error, { path });
  }
}

/** An entry that lists many names takes some 80 KiB. */
const MAX_LINE_BYTES = 1024 * 1024;

/** Stands for a line that is no entry, whatever is in it. */
const TOO_LONG = '…';

function printChains(
  { lines, chains, firstSeq, end, torn, unfinished, faults }: ChainReport,
  stdout: Writable,
  stderr: Writable,
): void {
  for (const { file, line, message } of faults) stderr.write(`${file}, line ${line}, ${message}.\n`);
  if (lines === 0) stderr.write('There is no line in it.\n');
  if (torn > 0) stdout.write(`${counted(torn, 'line')} unfinished, as a crash leaves it.\n`);
  if (unfinished > 0)
    stdout.write(
      `Unfinished last ${unfinished === 1 ? 'line' : 'lines'}, as a crash leaves: nothing was confirmed for what it says.\n`,
    );
  if (firstSeq !== undefined && firstSeq > 1)
    stdout.write(`It begins with line ${firstSeq} of its chain: older files were not given.\n`);
  if (end === undefined || faults.length > 0) return;
  const intact = `${counted(lines - unfinished, 'line')}, intact.`;
  if (chains.length < 2) {
    stdout.write(`${intact} The last is ${end.seq}, ${end.hash}\n`);
    return;
  }
  stdout.write(`${intact} ${chains.length} chains, each of a process of its own:\n`);
  for (const { file, end } of chains) stdout.write(`${file}: the last is ${end.seq}, ${end.hash}\n`);
}

const args = {
  files,
  record: value('The id of a record'),
  actor: value('Who called: key:NAME, session:ADDRESS, or session: and a pseudonym of the log'),
  ...periodOptions('Only calls', 'in UTC'),
  ...JSON_ON_STDOUT,
} as const;

type FindArguments = ArgumentsOf<typeof args>;

/** Prints the calls in an audit log that concern a record. */
const findCommand = subcommand({
  usage: 'find <files..>',
  describe: 'List who read or changed a record, or may have, or what somebody read and changed',
  args,
  examples: {
    '$0 audit find --record 1001 --from 2026-11-01 audit.log': 'Who saw record 1001 since November',
    '$0 audit find --actor key:stats audit.a.log audit.b.log': 'What a key read, of two replicas',
  },
  epilogue:
    'Needs the key of the pseudonyms: AUDIT_PSEUDONYM_KEY, or the variables of the service from which it is derived. An export of the whole project, or by a filter, names no records: it is listed as one that may have included it. Exit codes: 0 done; 1 some calls were entered with another key, so that their records cannot be recognised; 2 a file cannot be read, or the key is missing.',
  run: async (options, { env, stdout, stderr }) => {
    const { files, record, actor, json } = options;
    if (record === undefined && actor === undefined)
      throw usage(
        'Say what to find: --record with an id, --actor with key:NAME or session:ADDRESS, or both.',
      );
    if (actor !== undefined && actor !== 'anonymous' && !/^(?:key|session):./.test(actor))
      throw usage('--actor must be key:NAME, session:ADDRESS, session: and a pseudonym, or anonymous.');
    const period = periodOf(options, 'UTC');
    const from = period.from === undefined ? undefined : new Date(`${period.from.replace(' ', 'T')}Z`);
    const until = period.until === undefined ? undefined : new Date(`${period.until.replace(' ', 'T')}.999Z`);
    const settings = loadCommandSettings(env);
    const all = pseudonymKeysOf(settings).map((key) => new Pseudonyms(key));
    if (all.length === 0) throw usage(NO_KEY);
    const pseudonyms =
      record === undefined ? undefined : new Set(all.map(({ of }) => recordPseudonym(record, of)));
    const known = await knownOf(settings, { record, actor });
    for (const notice of known.notices) stderr.write(`${notice}\n`);
    const actors = actor === undefined ? undefined : actorsOf(actor, known.userIds, all);
    const policies = await policiesOf(settings);
    const idOf = new Map(
      known.ids.flatMap((id) => all.map(({ of }) => [recordPseudonym(id, of), id] as const)),
    );
    const keyMarks = new Set(all.map(({ keyMark }) => keyMark));
    const selection = { pseudonyms, keyMarks, from, until, actors, policies };
    const report = await findRecord(files.map(linesOf), selection).catch(refuseUnreadable);
    const named = {
      ...report,
      calls: report.calls.map((call) => ({
        ...call,
        records: call.records.map((each) => idOf.get(each) ?? each),
      })),
    };
    if (json) stdout.write(`${JSON.stringify(named)}\n`);
    else printReport(named, stdout, record !== undefined);
    if (report.unreadable > 0)
      stderr.write(
        `${counted(report.unreadable, 'line')} could not be read. Check the log with crf audit verify.\n`,
      );
    if (report.unrecognised === 0) return EXIT_CODES.ok;
    stderr.write(
      `${counted(report.unrecognised, 'call')} ${report.unrecognised === 1 ? 'names' : 'name'} records by pseudonyms of another key than the one that is set: whether they concern this record is unknown. Set the AUDIT_PSEUDONYM_KEY, or the token, that the service had then.\n`,
    );
    return EXIT_CODES.failed;
  },
});

/** What the project at hand tells. */
interface Known {
  readonly ids: readonly string[];
  readonly userIds: readonly string[];
  /** What it does not. */
  readonly notices: readonly string[];
}

/** Asks REDCap which records there are, and for the user of an address, as far as it is configured and answers. */
async function knownOf(
  settings: Settings,
  { record, actor = '' }: Pick<FindArguments, 'record' | 'actor'>,
): Promise<Known> {
  if (settings.capture === undefined) return { ids: [], userIds: [], notices: [] };
  const client = createCrfClient({ ...settings.capture, ...settings.client });
  try {
    const [idField] = await client.fields.list();
    const ids: string[] = [];
    if (idField !== undefined)
      for await (const row of client.streamRecords({ fields: [idField.name] }))
        ids.push(String(row[idField.name]));
    const isGone = record !== undefined && !ids.some((id) => foldedRecord(id) === foldedRecord(record));
    const users = new UserFinder(client, settings.project.users);
    const address =
      actor.startsWith('session:') && actor.includes('@') ? actor.slice('session:'.length) : undefined;
    const userId = address === undefined ? undefined : await users.idOf(address);
    return {
      ids: [...new Set(ids)],
      userIds: userId === undefined ? [] : [userId],
      notices: [
        ...(isGone ? ['The project has no record of this id now.'] : []),
        ...(address !== undefined && userId === undefined
          ? ['The project has no user of this address now.']
          : []),
      ],
    };
  } catch (error) {
    if (!(error instanceof CrfError)) throw error;
    const notices = [`REDCap could not be asked which records and users there are. ${error.message}`];
    return { ids: [], userIds: [], notices };
  } finally {
    client.close();
  }
}

/** Returns the names that somebody may have in the log. A person has a pseudonym, for each key that was in use. */
function actorsOf(actor: string, userIds: readonly string[], keys: readonly Pseudonyms[]): Set<string> {
  if (!actor.startsWith('session:') || !actor.includes('@')) return new Set([actor]);
  const subjects = [actor.slice('session:'.length), ...userIds];
  return new Set(keys.flatMap(({ of }) => subjects.map((subject) => `session:${of(subject)}`)));
}

/** Reads how far the policies reach; undefined without a policy file at hand. */
async function policiesOf({ policyFile }: Settings): Promise<ReadonlyMap<string, PolicyReach> | undefined> {
  if (policyFile === undefined) return undefined;
  const { policies } = readPolicyFile(await readFile(policyFile));
  return new Map(
    Object.entries(policies).map(([name, { records }]) => [
      name,
      typeof records === 'string' ? records : 'some',
    ]),
  );
}

const NO_KEY =
  'The pseudonyms of the log need the key of the service: set AUDIT_PSEUDONYM_KEY, or the APPWRITE_* or CAPTURE_* variables that it has.';

const CONCERNS = {
  named: 'named',
  filter: 'may be in what was selected',
  project: 'may be in the whole project',
  policy: 'not decided: its policy shows some records',
} as const;

const COLUMNS: readonly Column<FoundCall>[] = [
  { title: 'Time (UTC)', cell: ({ at }) => at },
  { title: 'Who', cell: ({ actor = 'unknown' }) => actor },
  { title: 'Network', cell: ({ network = 'unknown' }) => network },
  { title: 'Operation', cell: ({ operation = 'unknown' }) => operation },
  { title: 'Outcome', cell: ({ outcome = 'not ended' }) => outcome },
  { title: 'Request', cell: ({ requestId = '' }) => requestId },
];

const OF_RECORD: Column<FoundCall> = {
  title: 'The record',
  cell: ({ concern }) => (concern === undefined ? '' : CONCERNS[concern]),
};
const OF_POLICY: Column<FoundCall> = { title: 'Policy', cell: ({ policy = '' }) => policy };
/** How many records a line names. */
const MOST_NAMED = 10;
const OF_ACTOR: readonly Column<FoundCall>[] = [
  {
    title: 'What',
    cell: ({ what }) =>
      Object.entries(what)
        .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(',') : String(value)}`)
        .join('; '),
  },
  { title: 'Records', cell: ({ records }) => firstOf(records, MOST_NAMED) },
];

function printReport({ calls }: RecordReport, stdout: Writable, isOfRecord: boolean): void {
  const own = [
    ...(calls.some(({ policy }) => policy !== undefined) ? [OF_POLICY] : []),
    ...(isOfRecord ? [OF_RECORD] : OF_ACTOR),
  ];
  const columns = [...COLUMNS.slice(0, 4), ...own, ...COLUMNS.slice(4)];
  if (calls.length > 0) stdout.write(toTable(calls, columns));
  if (!isOfRecord) {
    const records = new Set(calls.flatMap((call) => call.records));
    stdout.write(
      `${counted(calls.length, 'call')}, which name ${counted(records.size, 'record')}. A call of the whole project names none.\n`,
    );
    return;
  }
  const named = calls.filter(({ concern }) => concern === 'named').length;
  stdout.write(`${counted(named, 'call')} named it, ${calls.length - named} may have included it.\n`);
  const open = calls.filter(({ concern }) => concern === 'policy').length;
  if (open > 0)
    stdout.write(
      `Of these, ${open} ${open === 1 ? 'was' : 'were'} under a policy with records by dag, own or where: the log does not hold which records it showed then, so that whether this was one of them is not decided.\n`,
    );
}

export const command = defineCommand({ subcommands: [verifyCommand, findCommand] });
