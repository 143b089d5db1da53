import { parseChoices } from '../../src/domain/dictionary/choices.js';
import type { Rules } from './chosen-records.js';
import type { Deidentified } from './deidentified.js';
import type { Change } from './deidentified-fields.js';
import { idOf } from './made-up.js';
import type { Answer, Request } from './request.js';
import type { Smaller } from './smaller-study.js';

/*
 * No project answers with a manifest but one under a policy that de-identifies: what a manifest counts is compared with
 * what the export of the smaller project has.
 */

type Row = Readonly<Record<string, string>>;

/** @returns what is compared with a manifest, and what of it is compared */
export function likeExport(
  { path }: Request,
  left: Smaller,
  others: Deidentified,
  rules: Rules,
): Request['like'] {
  return {
    path: path.replace('/records/manifest', '/records'),
    expected: (answer) => ofRows(answer, (rows) => countsIn(rows, left, others, rules)),
    told: (answer) => ofData(answer, toldIn),
  };
}

function ofData(answer: Answer, make: (data: unknown) => unknown): Answer {
  if (answer.status !== 200) return answer;
  const { data } = JSON.parse(Buffer.from(answer.body, 'latin1').toString()) as { data: unknown };
  return { status: 200, headers: {}, body: JSON.stringify(make(data)) };
}

function ofRows(answer: Answer, make: (rows: readonly Row[]) => unknown): Answer {
  return ofData(answer, (data) => make(data as Row[]));
}

/** All that a manifest says of the export, but for words, the moment, and what decided. */
function toldIn(manifest: unknown): unknown {
  const { madeAt: _at, program: _program, digests, pseudonyms: _ids, ...told } = manifest as Manifest;
  const rules = told.rules.map(({ does: _does, ...rule }) => rule);
  return { ...told, rules, digests: Object.keys(digests) };
}

interface Manifest {
  readonly madeAt: unknown;
  readonly program: unknown;
  readonly digests: object;
  readonly pseudonyms: unknown;
  readonly rules: readonly { readonly does: unknown }[];
}

/** What a manifest has to say of the rows of an export, in which all values are those that are shown. */
function countsIn(rows: readonly Row[], left: Smaller, others: Deidentified, rules: Rules): unknown {
  const { deidentify = 'none', transform = {} } = rules;
  const isStrict = deidentify === 'safe-harbor';
  const missing = new Set(parseChoices(left.study.project.missingDataCodes).map(({ code }) => code));
  const id = idOf(left.study);
  const countOf = (name: string): number =>
    rows
      .map((row) => (row['field_name'] === name ? row['value'] : row[name]) ?? '')
      .filter((value) => value !== '' && !missing.has(value)).length;
  const columnsOf = (...changes: readonly Change[]): Record<string, number> =>
    Object.fromEntries(
      [...others.changes].flatMap(([name, change]) =>
        changes.includes(change) && left.fields.has(name) ? [[name, countOf(name)]] : [],
      ),
    );
  const ids = rows.filter((row) => id in row || 'record' in row).length;
  const asked = [
    ...(others.ids === 'kept' ? [] : [{ rule: 'record_id', columns: { [id]: ids } }]),
    ...((transform.dates ?? (isStrict || deidentify === 'limited'))
      ? [{ rule: 'dates', columns: columnsOf('shift', 'year') }]
      : []),
    ...(isStrict || transform.age ? [{ rule: 'age', columns: columnsOf('age') }] : []),
    ...(isStrict || transform.zip ? [{ rule: 'zip', columns: columnsOf('zip') }] : []),
  ];
  return {
    policy: 'proved',
    preset: deidentify,
    rows: rows.length,
    rules: asked,
    warnings: asked.flatMap(({ rule, columns }) => {
      const counts = Object.values(columns);
      if (counts.length === 0) return [`${rule} is for no field that the policy shows`];
      return counts.some((count) => count > 0) ? [] : [`${rule} met no value in this export`];
    }),
    digests: ['shownFields', 'program'],
  };
}
