import { digestOf } from '../../domain/crypto/digest.js';
import type { Field } from '../../domain/dictionary/field.js';
import type { RecordSelection } from '../../gateways/redcap/crf-client.js';
import { hasRecordId } from '../../records/export/batch-plan.js';
import type { CellRule } from './cell-rules.js';
import { CHANGES_IN_WORDS } from './field-verdicts.js';
import type { Deidentification, FileDigests } from './row-changer.js';

/** What was done to the values of one export, for whoever receives it. It names nothing that a view hides. */
export interface ExportManifest {
  readonly madeAt: string;
  readonly policy: string;
  readonly preset: Deidentification['preset'];
  readonly program: { readonly name: string; readonly version: string };
  readonly digests: ManifestDigests;
  /** How pseudonyms begin, which tells those of different keys apart; undefined if record ids have none. */
  readonly pseudonyms: string | undefined;
  readonly rows: number;
  readonly rules: readonly ManifestRule[];
  /** What was asked for and met nothing: most likely a name or a type that is not what it seems. */
  readonly warnings: readonly string[];
}

/** SHA-256 of what decided. Policies that a program has made have no files. */
interface ManifestDigests extends Partial<FileDigests> {
  /** The fields of the view, as the data dictionary of the caller has them. */
  readonly shownFields: string;
  readonly program: string;
}

/** One rule, with the columns it is for, and how many exported cells of each have a value that it made. */
interface ManifestRule {
  readonly rule: 'record_id' | 'dates' | 'age' | 'zip';
  readonly does: string;
  readonly columns: Readonly<Record<string, number>>;
}

/** An export that was made, and by which program. */
export interface MadeExport {
  readonly rows: number;
  readonly selection: Pick<RecordSelection, 'fields' | 'forms' | 'type'>;
  readonly program: ExportManifest['program'] & { readonly digest: string };
}

/**
 * Describes an export.
 *
 * @param policy the name of the policy
 * @param deidentify has counted the cells
 * @param fields those of the view, the record id first
 */
export function manifestOf(
  policy: string,
  deidentify: Deidentification,
  fields: readonly Field[],
  { rows, selection, program: { digest, ...program } }: MadeExport,
): ExportManifest {
  const { preset, recordId, rules, keys, met, digests } = deidentify;
  const [idField] = fields;
  const hasIds = idField !== undefined && (selection.type === 'eav' || hasRecordId(selection, idField));
  // Every row has its record id.
  const ids = idField === undefined ? {} : { [idField.name]: hasIds ? rows : 0 };
  const found = asked(deidentify).map(([rule, does, kind]): ManifestRule => {
    const names = [...rules].filter(([, each]) => each.kind === kind).map(([name]) => name);
    const columns = Object.fromEntries(names.map((name) => [name, met?.get(name) ?? 0]));
    return { rule, does, columns: rule === 'record_id' ? ids : columns };
  });
  return {
    madeAt: new Date().toISOString(),
    policy,
    preset,
    program,
    digests: { ...digests, shownFields: dictionaryDigest(fields), program: digest },
    pseudonyms: recordId === 'pseudonym' ? keys?.prefix : undefined,
    rows,
    rules: found,
    warnings: found.flatMap(warningOn),
  };
}

/** Returns the SHA-256 of fields, in the form in which `GET /api/v1/project/fields` has them. */
export function dictionaryDigest(fields: readonly Field[]): string {
  return digestOf(JSON.stringify(fields));
}

/** The rules of the preset and the policy, whether or not a field is for them. */
function asked({ recordId, dates, ageTop, zip }: Deidentification): Asked[] {
  const all: (Asked | undefined)[] = [
    recordId === 'kept' ? undefined : ['record_id', `record ids are ${IDS[recordId]}`, undefined],
    dates && ['dates', CHANGES_IN_WORDS[dates], dates],
    ageTop === undefined ? undefined : ['age', CHANGES_IN_WORDS.age, 'age'],
    zip ? ['zip', CHANGES_IN_WORDS.zip, 'zip'] : undefined,
  ];
  return all.filter((each) => each !== undefined);
}

type Asked = [rule: ManifestRule['rule'], does: string, kind: CellRule['kind'] | undefined];

const IDS = { pseudonym: 'pseudonyms', random: 'random, and nobody gets them back' } as const;

function warningOn({ rule, columns }: ManifestRule): string[] {
  const counts = Object.values(columns);
  if (counts.length === 0) return [`${rule} is for no field that the policy shows`];
  return counts.every((count) => count === 0) ? [`${rule} met no value in this export`] : [];
}
