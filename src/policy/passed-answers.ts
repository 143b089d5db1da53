import { Readable } from 'node:stream';
import type { ProjectStructure } from '../dictionary/project-structure.js';
import { UpstreamInvalidError } from '../errors/upstream-errors.js';
import type { RecordSelection } from '../gateways/redcap/crf-client.js';
import type { OnSlice } from '../gateways/redcap/json-array-splitter.js';
import { firstByteOf } from '../records/streaming/first-byte.js';
import type { ProjectView } from './project-view.js';
import type { RowColumns } from './row-columns.js';
import type { VisibleSelection } from './visible-selection.js';

/** Whether REDCap's own answer to the names of the selection is that of the view. */
export function isAsItIs(
  whole: ProjectStructure,
  shown: ProjectStructure,
  view: ProjectView,
  { isWhole }: VisibleSelection,
  options: RecordSelection,
): boolean {
  if (
    view.rows.kind !== 'all' ||
    view.deidentify !== undefined ||
    whole.hasRepeats !== shown.hasRepeats ||
    options.exportSurveyFields === true
  )
    return false;
  const { fields, instruments } = whole.dictionary;
  const isAllVisible =
    fields.length === shown.dictionary.fields.length &&
    instruments.length === shown.dictionary.instruments.length &&
    whole.events.length === shown.events.length;
  if (!isAllVisible && (whole.isLongitudinal || whole.hasRepeats)) return false;
  const isEav = options.type === 'eav';
  // An export of named fields has a line for each id and event.
  if (isEav && isWhole && whole.hasRepeats) return false;
  const hasWords =
    isEav ||
    options.rawOrLabel === 'label' ||
    options.rawOrLabelHeaders === 'label' ||
    options.decimalCharacter !== undefined;
  if (!hasWords) return true;
  return shown.dictionary.fields.every(({ name, type, label, choicesOrCalculations }) => {
    const field = whole.dictionary.field(name);
    return (
      field?.type === type && field.label === label && field.choicesOrCalculations === choicesOrCalculations
    );
  });
}

/** @throws {UpstreamInvalidError} REDCap sent a column that was not asked for, before any of it has left */
export function checkNames(names: readonly string[], columns: RowColumns): void {
  if (!names.every((name) => columns.isKnown(name)))
    throw new UpstreamInvalidError('An export of REDCap has a column that was not asked for.');
}

/**
 * Reads a stream up to its first row, or the header of CSV.
 *
 * @returns a stream of the same bytes
 */
export async function withHead(
  body: Readable,
  splitter: { push(chunk: Buffer, onRow: OnSlice): void },
  check: (head: Buffer) => void,
): Promise<Readable> {
  const held: Buffer[] = [];
  let isChecked = false;
  try {
    while (!isChecked) {
      await firstByteOf(body);
      const chunk = body.read() as Buffer | null;
      if (chunk === null) return Readable.from(held, { objectMode: false });
      held.push(chunk);
      splitter.push(chunk, (bytes, start, end) => {
        if (!isChecked) check(bytes.subarray(start, end));
        isChecked = true;
      });
    }
  } catch (error) {
    body.destroy();
    throw error;
  }
  body.unshift(Buffer.concat(held));
  return body;
}
