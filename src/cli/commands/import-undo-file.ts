import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { heard } from '../../domain/bytes/heard.js';
import type { ImportRequest } from '../../records/import/import-request.js';
import { ImportUndo } from '../../records/undo/import-undo.js';
import { projectKeyOf, type UndoSubject } from '../../records/undo/undo-lines.js';
import { CliError, EXIT_CODES } from '../cli-error.js';
import { unreadableFile } from '../files/refused-file.js';
import { UndoFile, UndoJournal } from '../files/undo-file.js';
import type { OpenedClient } from '../open-client.js';

/** The undo file of one import, and the row from which the import goes on if the file exists. */
interface ImportUndoFile {
  readonly journal: UndoFile;
  readonly fromRow: number | undefined;
}

/**
 * Opens the undo file of an import: a new one, or that of the same import, which did not end.
 *
 * @param undo the file that was asked for; false for none; by default a new one beside the input
 * @returns undefined if none is kept: it was not wanted, or the project is a sandbox that ends with the command
 * @throws {CliError} the file belongs to another import, or to one that ended
 */
export async function openUndoFile(
  { file, undo }: { readonly file: string; readonly undo: string | false | undefined },
  request: ImportRequest,
  { client, settings, isSandbox }: Pick<OpenedClient, 'client' | 'settings' | 'isSandbox'>,
  signal: AbortSignal,
): Promise<ImportUndoFile | undefined> {
  if (undo === false || (undo === undefined && isSandbox)) return undefined;
  const subject = {
    project: projectKeyOf(await client.project.getInfo({ signal })),
    input: await hashOf(file, signal),
    options: optionsOf(request),
    from: (request.fromRow ?? 1) - 1,
  };
  const path = undo ?? defaultPath(file, new Date());
  if (!existsSync(path)) {
    const isOptional = undo === undefined;
    return { journal: UndoFile.create(path, subject, settings.undoKey, { isOptional }), fromRow: undefined };
  }
  const earlier = await UndoJournal.open(path, settings.undoKey);
  try {
    refuseOther(earlier, subject);
    const { row, doubt } = await earlier.resumePoint();
    const finder = new ImportUndo(client, { call: { signal }, dryRun: true, repeated: new Set() });
    const isStored = doubt?.records.some(({ rows }) => rows.some(({ isNewInstance }) => isNewInstance))
      ? await finder.hasStored(doubt)
      : false;
    const fromRow = (isStored ? (doubt?.to ?? row) : row) + 1;
    return { journal: await UndoFile.continue(earlier), fromRow };
  } finally {
    await earlier.close();
  }
}

function refuseOther({ path, header, end }: UndoJournal, subject: UndoSubject): void {
  const isSame =
    header.input !== undefined &&
    header.input === subject.input &&
    header.options === subject.options &&
    header.project === subject.project;
  const why =
    end === 'complete'
      ? 'an import that is complete'
      : end === 'undone'
        ? 'an import that was undone'
        : isSame
          ? undefined
          : 'another import: the input, its options or the project differ';
  if (why !== undefined)
    throw new CliError(`${path} belongs to ${why}. Name another file for --undo.`, EXIT_CODES.usage);
}

/** Returns a file beside the input, or in this folder for standard input, which no other import has: also none of the same second. */
function defaultPath(file: string, now: Date): string {
  const stamp = now
    .toISOString()
    .replace(/[-:]|\..*$/g, '')
    .replace('T', '-');
  return `${file === '-' ? 'import' : file}.${stamp}-${randomBytes(4).toString('hex')}.undo`;
}

function optionsOf(request: ImportRequest): string {
  const { dryRun: _dry, verify: _verify, inputName: _name, ...given } = request;
  const entries = Object.entries(given).filter(([, value]) => value !== undefined && value !== false);
  return JSON.stringify(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Returns the hash of an input that can be read twice; undefined for standard input, a pipe or a device. */
async function hashOf(file: string, signal: AbortSignal): Promise<string | undefined> {
  if (file === '-') return undefined;
  const hash = createHash('sha256');
  try {
    if (!(await stat(file)).isFile()) return undefined;
    await pipeline(heard(createReadStream(file)), hash, { signal });
  } catch (cause) {
    throw unreadableFile('file', cause);
  }
  return hash.digest('hex');
}
