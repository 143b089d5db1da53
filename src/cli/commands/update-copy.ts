import { setTimeout } from 'node:timers/promises';
import { ChangeEngine, type ChangeSource, type Look } from '../../sync/change-engine.js';
import type { OnRemoved } from '../../sync/follow-structure.js';
import { onlyInstruments } from '../../sync/only-instruments.js';
import { type CopyTarget, openCopy } from '../../sync/open-copy.js';
import type { SqlCopy } from '../../sync/sql-copy.js';
import { EXIT_CODES, type ExitCode, UsageError } from '../cli-error.js';
import type { ArgumentsOf } from '../command.js';
import type { Io } from '../io.js';
import { type OpenedClient, withClient } from '../open-client.js';
import { type copyArgs, type Interval, nextPause } from '../options/copy-options.js';
import { Progress } from '../printing/progress.js';
import { counted } from '../printing/table.js';

interface Updating extends ArgumentsOf<typeof copyArgs> {
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

/** Brings a copy up to date, once or until interrupted. */
export async function updateCopy(
  { target, onRemoved, interval, onLook, ...options }: Updating,
  io: Io,
): Promise<ExitCode> {
  const signal = io.interrupt();
  return withClient({ ...options, needsProject: true }, io, async (opened) => {
    const { source: project, view } = await projectOf(options, opened);
    // What a policy hides from now on is not to stay in the copy under another name.
    const copy = await openCopy(target, { onRemoved: view === undefined ? onRemoved : 'drop' });
    try {
      await refuseOtherView(copy, view);
      if (options.instruments !== undefined) {
        await onlyInstruments(project, options.instruments).fields.list({ signal });
        await copy.limitTo(options.instruments);
      }
      const instruments = await copy.instruments();
      const source = instruments === undefined ? project : onlyInstruments(project, instruments);
      const engine = new ChangeEngine(source, copy);
      let [pauseMs, publishedAt] = [0, 0];
      for (let isFirst = true; ; isFirst = false) {
        const progress = new Progress(io, { what: 'records', isQuiet: options.quiet });
        try {
          const look = await engine.look({
            sweep: options.sweep && isFirst,
            allowMassDelete: options.allowMassDelete,
            signal,
            onProgress: (records, total) => progress.show(records, 0, records / total),
          });
          for (const note of look.notes) if (isFirst) io.stderr.write(`${note}\n`);
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
  { as, policy }: Pick<Updating, 'as' | 'policy'>,
  opened: OpenedClient,
): Promise<{ readonly source: ChangeSource; readonly view?: string }> {
  if (as === undefined) return { source: opened.client };
  return (await import('./view-source.js')).viewSource({ as, policy }, opened);
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

function inWords(look: Look): string {
  const read = look.isSweep ? ', all read' : '';
  return `${counted(changesIn(look), 'change')}, ${counted(look.records, 'record')}${read}`;
}

function changesIn({ counts }: Look): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
