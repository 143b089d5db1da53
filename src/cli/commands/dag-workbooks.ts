import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { recordPages } from '../../gateways/redcap/record-page.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import type { Settings } from '../../server/config/settings.js';
import { StudyLists } from '../../services/summary/study-lists.js';
import { CliError, EXIT_CODES, type ExitCode } from '../cli-error.js';
import type { GlobalArguments } from '../command.js';
import { newFile } from '../files/file-target.js';
import { unwritableFile } from '../files/refused-file.js';
import { saveWorkbook, shortened, type WorkbookCell } from '../files/workbook.js';
import type { Io } from '../io.js';
import { type OpenedClient, withClient } from '../open-client.js';
import { counted, printable } from '../printing/table.js';

/** A line for a data access group: where it is, and what is to be done. */
interface DagLine {
  readonly record: string;
  /** The unique name of the data access group; empty without one. */
  readonly dag: string;
  /** Unique names, which are written as labels. */
  readonly event: string;
  readonly instrument: string;
  readonly instance: number | null;
  readonly cells: readonly WorkbookCell[];
}

interface DagLists {
  readonly name: string;
  readonly columns: readonly string[];
  lines(opened: OpenedClient, signal: AbortSignal): AsyncIterable<DagLine>;
}

/**
 * Writes a workbook for each data access group, also if there is nothing to do, so that a list of last week does not
 * stay; and one for records without a group, if they have lines. The lines are held in memory.
 *
 * @throws {CliError} the project has no data access groups, or a workbook is there and `force` is not given
 */
export async function writeDagWorkbooks(
  { folder, force, ...options }: GlobalArguments & { readonly folder: string; readonly force: boolean },
  io: Io,
  list: DagLists,
): Promise<ExitCode> {
  const signal = io.interrupt();
  return withClient({ ...options, needsProject: true }, io, async (opened) => {
    const { client, settings } = opened;
    const [{ dags, events, forms }, links] = await Promise.all([
      new StudyLists(client).names({ signal }),
      recordLinks(client, settings, signal),
    ]);
    if (dags.size === 0)
      throw new CliError('The project has no data access groups: leave out --by-dag, and use -o FILE.');
    const pathOf = (dag: string): string => join(folder, `${dag === '' ? 'no-dag' : dag}.xlsx`);
    await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
      throw unwritableFile('--by-dag', cause);
    });
    // Refuse to replace a workbook before any is written.
    for (const dag of dags.keys()) await newFile(pathOf(dag), force, io);
    const byDag = new Map<string, WorkbookCell[][]>([...dags.keys()].map((dag) => [dag, []]));
    for await (const { record, dag, event, instrument, instance, cells } of list.lines(opened, signal)) {
      const labels = [
        ...(events.size > 0 ? [events.get(event) ?? event] : []),
        forms.get(instrument) ?? instrument,
      ];
      const row = [record, ...labels, instance, ...cells, ...(links ? [links(record, event)] : [])].map(
        (cell) => (typeof cell === 'string' ? shortened(cell) : cell),
      );
      const rows = byDag.get(dag);
      if (rows === undefined) byDag.set(dag, [row]);
      else rows.push(row);
    }
    const header = [
      'Record',
      ...(events.size > 0 ? ['Event'] : []),
      ...['Form', 'Instance', ...list.columns],
      ...(links ? ['Link'] : []),
    ];
    for (const [dag, rows] of byDag) {
      const path = pathOf(dag);
      await saveWorkbook(await newFile(path, force, io), [{ name: list.name, header, rows }], signal);
      if (!options.quiet) io.stderr.write(`${printable(path)}: ${counted(rows.length, 'line')}\n`);
    }
    return EXIT_CODES.ok;
  });
}

/** Returns the address of a record in REDCap by event; undefined on the sandbox, which has no pages. */
export async function recordLinks(
  client: OpenedClient['client'],
  { capture }: Pick<Settings, 'capture'>,
  signal: AbortSignal,
): Promise<((record: string, event: string) => string) | undefined> {
  if (capture === undefined) return undefined;
  const [page, { events }] = await Promise.all([
    recordPages(client, capture.url, { signal }),
    loadProjectStructure(client, { signal }),
  ]);
  const armOf = new Map(events.map(({ uniqueName, arm }) => [uniqueName, arm]));
  return (record, event) => page(record, armOf.get(event));
}
