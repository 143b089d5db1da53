import { setTimeout } from 'node:timers/promises';
import { ChangeEngine, type ChangeSource, type Look } from '../../sync/change-engine.js';
import { onlyInstruments } from '../../sync/only-instruments.js';
import { openCopy, statusOfCopy, type CopyTarget } from '../../sync/open-copy.js';
import type { OnRemoved } from '../../sync/follow-structure.js';
import type { Difference } from '../../sync/copy-rows.js';
import type { SqlCopy } from '../../sync/sql-copy.js';
import { verifyCopy } from '../../sync/verify-copy.js';
import { UsageError } from '../cli-error.js';
import type { ChangesArguments } from './changes.js';
import type { SyncArguments, SyncStatusArguments } from './sync.js';
import { toList } from '../options/list-option.js';
import { copyTarget, intervalOf, nextPause, type Interval } from '../options/copy-options.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { interruptSignal } from '../interrupt.js';
import { withClient, type OpenedClient } from '../open-client.js';
import { counted } from '../printing/counted.js';
import { Progress } from '../printing/progress.js';

interface Updating extends Pick<
  SyncArguments,
  'sandbox' | 'quiet' | 'verbose' | 'sweep' | 'allowMassDelete' | 'as' | 'policy'
> {
  readonly target: CopyTarget;
  /** Undefined for those that the copy is limited to already. */
  readonly instruments?: readonly string[] | undefined;
  readonly onRemoved?: OnRemoved | undefined;
  /** Undefined for a single look. */
  readonly interval: Interval | undefined;
  /** Called after each look, before the copy is published. */
  readonly onLook: (
    look: Look,
    copy: SqlCopy,
    source: ChangeSource,
    signal: AbortSignal,
  ) => Promise<ExitCode> | ExitCode;
}

/** A look that finds nothing is published once an hour, since publishing copies a file. */
const PUBLISH_MS = 3_600_000;

/** Brings a copy up to date, once or until interrupted. @returns the exit code */
export async function runSync(options: SyncArguments): Promise<ExitCode> {
  return update({
    ...options,
    target: copyTarget(options.to),
    instruments: toList(options.instruments),
    interval: options.every === undefined ? undefined : intervalOf(options.every, options.budget),
    onLook: async (look, copy, source, signal) => {
      if (options.json) process.stdout.write(`${JSON.stringify(summaryOf(look))}\n`);
      return options.verify ? verify(copy, source, signal) : EXIT_CODES.ok;
    },
  });
}

/** Prints the changes of a copy after a cursor. @returns the exit code */
export async function printChanges(options: ChangesArguments): Promise<ExitCode> {
  let after: number | undefined;
  return update({
    ...options,
    quiet: true,
    target: copyTarget(options.copy),
    interval: options.follow ? intervalOf(options.every, options.budget) : undefined,
    onLook: async (_, copy) => {
      after ??= await positionOf(options.since, copy);
      const name = await copy.name();
      for (;;) {
        const changes = await copy.changesAfter(after, 1000);
        for (const { seq, ...change } of changes)
          process.stdout.write(`${JSON.stringify({ ...change, cursor: `${name}.${seq}` })}\n`);
        after = changes.at(-1)?.seq ?? after;
        if (changes.length < 1000) return EXIT_CODES.ok;
      }
    },
  });
}

/** @throws {UsageError} the cursor is of another copy, or of none */
async function positionOf(cursor: string | undefined, copy: SqlCopy): Promise<number> {
  if (cursor === undefined) return 0;
  const [, name, seq] = /^([\da-f]{12})\.(\d{1,15})$/.exec(cursor) ?? [];
  if (name === (await copy.name()) && Number(seq) <= (await copy.lastSeq())) return Number(seq);
  throw new UsageError('--since is not a cursor of this copy. Leave it out to begin anew.');
}

async function update({ target, onRemoved, interval, onLook, ...options }: Updating): Promise<ExitCode> {
  const signal = interruptSignal();
  return withClient({ ...options, needsProject: true }, async (opened) => {
    const { source: project, view } = await projectOf(options, opened);
    // What a policy hides from now on is not to stay in the copy under another name.
    const copy = await openCopy(target, { onRemoved: view === undefined ? onRemoved : 'drop' });
    try {
      await refuseOtherView(copy, view);
      if (options.instruments !== undefined) {
        await onlyInstruments(project, options.instruments).getMetadata({ signal });
        await copy.limitTo(options.instruments);
      }
      const instruments = await copy.instruments();
      const source = instruments === undefined ? project : onlyInstruments(project, instruments);
      const engine = new ChangeEngine(source, copy);
      let [pauseMs, publishedAt] = [0, 0];
      for (let isFirst = true; ; isFirst = false) {
        const progress = new Progress({ what: 'records', isQuiet: options.quiet });
        try {
          const look = await engine.look({
            sweep: options.sweep && isFirst,
            allowMassDelete: options.allowMassDelete,
            signal,
            onProgress: (records, total) => progress.show(records, 0, records / total),
          });
          for (const note of look.notes) if (isFirst) process.stderr.write(`${note}\n`);
          progress.end(inWords(look));
          const exitCode = await onLook(look, copy, source, signal);
          const isIdle = changesIn(look) === 0;
          // A sweep may follow a change of the design.
          if (!isIdle || look.isSweep || Date.now() - publishedAt >= PUBLISH_MS) {
            await copy.database.publish();
            publishedAt = Date.now();
          }
          if (interval === undefined) return exitCode;
          pauseMs = nextPause(interval, pauseMs, isIdle);
        } catch (error) {
          progress.fail(
            signal.aborted ? 'Interrupted. The next run goes on from here.' : 'The copy is not up to date.',
          );
          if (signal.aborted) return EXIT_CODES.interrupted;
          throw error;
        }
        await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined);
        if (!signal.aborted) continue;
        await copy.database.publish();
        return EXIT_CODES.ok;
      }
    } finally {
      await copy.database.close();
    }
  });
}

/** The project, or what a caller of the service sees of it. */
async function projectOf(
  { as, policy }: Pick<SyncArguments, 'as' | 'policy'>,
  opened: OpenedClient,
): Promise<{ readonly source: ChangeSource; readonly view?: string }> {
  if (as === undefined) return { source: opened.client };
  const { viewSource } = await import('./view-source.js');
  return viewSource({ as, policy }, opened);
}

/** A copy stays that of one view. @throws {UsageError} it is that of another */
async function refuseOtherView(copy: SqlCopy, view: string | undefined): Promise<void> {
  const before = await copy.view();
  const isNew = (await copy.state()) === undefined;
  if (isNew && view !== undefined) return copy.showOnly(view);
  if (before === view || (isNew && before === undefined)) return;
  const whose = before === undefined ? 'the whole project' : `what the policy ${before.split(' ')[0]} shows`;
  throw new UsageError(
    `This is a copy of ${whose}, with other records or other ids than you ask for. Choose another one, or the --as that it was made with.`,
  );
}

/** Compares what differs once more after another look, since people go on working. */
async function verify(copy: SqlCopy, client: ChangeSource, signal: AbortSignal): Promise<ExitCode> {
  const [idField] = await client.getMetadata({ signal });
  let differences = await verifyCopy(client, copy, idField?.name ?? '', signal);
  if (differences.length > 0) {
    await new ChangeEngine(client, copy).look({ signal });
    differences = await verifyCopy(client, copy, idField?.name ?? '', signal);
  }
  for (const difference of differences.slice(0, 100)) process.stderr.write(`${placeOf(difference)}\n`);
  if (differences.length === 0) process.stderr.write('The copy equals a fresh export, cell by cell.\n');
  else process.stderr.write(`${counted(differences.length, 'difference')}. Run it with --sweep.\n`);
  return differences.length === 0 ? EXIT_CODES.ok : EXIT_CODES.failed;
}

function placeOf({ record, instrument, column }: Difference): string {
  const place = [instrument, column].filter((part) => part !== undefined).join('.');
  return `record ${record}${place === '' ? '' : `: ${place}`}`;
}

function summaryOf({ counts, isSweep, pending, records, notes }: Look): object {
  return { at: new Date().toISOString(), records, ...counts, pending, isSweep, notes };
}

function inWords(look: Look): string {
  const read = look.isSweep ? ', all read' : '';
  return `${counted(changesIn(look), 'change')}, ${counted(look.records, 'record')}${read}`;
}

function changesIn({ counts }: Look): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Prints how current a copy is, as readers see it. @returns the exit code */
export async function printSyncStatus({ to, json }: SyncStatusArguments): Promise<ExitCode> {
  const { state, issues, ...rest } = await statusOfCopy(copyTarget(to));
  const status = {
    ...rest,
    sweptAt: new Date(state.sweptAt).toISOString(),
    isSweeping: state.isSweeping,
    pending: Object.keys(state.log.candidates).length,
    conversionIssues: issues,
  };
  if (json) process.stdout.write(`${JSON.stringify(status)}\n`);
  else
    process.stdout.write(
      `Up to date as of ${status.updatedAt}, all records read at ${status.sweptAt}.\n${counted(rest.records, 'record')}, ${counted(rest.changes, 'change')}, ${counted(status.pending, 'record')} to be read again, ${counted(issues, 'conversion issue')}, ${rest.bytes} bytes.\n`,
    );
  return EXIT_CODES.ok;
}
