import { DataDictionary } from '../../dictionary/data-dictionary.js';
import { InvalidRequestError } from '../../errors/caller-errors.js';
import type { FieldProblem } from '../../errors/field-problem.js';
import type { CallOptions, CrfCalls, TypedRow } from '../../gateways/redcap/crf-client.js';
import { RowUntyper, type RawRow } from './row-untyper.js';

/**
 * Returns typed rows as REDCap can store them.
 *
 * @throws {InvalidRequestError} names each value that does not fit its field
 * @throws {CrfError} errors of `CrfClient.getMetadata`
 */
export async function untypeRows(
  source: Pick<CrfCalls, 'getMetadata'>,
  rows: readonly TypedRow[],
  { signal, caller }: CallOptions,
): Promise<RawRow[]> {
  const untyper = new RowUntyper(DataDictionary.of(await source.getMetadata({ signal, caller })));
  const problems: FieldProblem[] = [];
  const raw = rows.map((row, index) =>
    untyper.untype(row, ({ field, message }) => problems.push({ field: `rows[${index}].${field}`, message })),
  );
  if (problems.length > 0) throw new InvalidRequestError(problems);
  return raw;
}
