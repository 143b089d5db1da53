import { digestOf } from '../../domain/crypto/digest.js';
import type { Field } from '../../domain/dictionary/field.js';
import type { RecordSelection } from '../../gateways/redcap/crf-client.js';
import { hasRecordId } from '../../records/export/batch-plan.js';
import type { CellRule } from './cell-rules.js';
import { CHANGES_IN_WORDS } from './field-verdicts.js';
import type { Deidentification } from './row-changer.js';

/** What was done to the values of one export, for whoever receives it. It names nothing that a view hides. */
export interface ExportManifest {
  /**
   * When the records were read for it.
   * @isDateTime
   */
  readonly madeAt: string;
  /** The name of the policy. */
  readonly policy: string;
  readonly preset: 'none' | 'remove-identifiers' | 'limited' | 'safe-harbor';
  readonly program: { readonly name: string; readonly version: string };
  /** SHA-256 of what decided, as `sha256:` and hexadecimal digits. */
  readonly digests: {
    /** The policy file; absent for policies that were not read from a file. */
    readonly policy?: string;
    /** The lock beside it. */
    readonly lock?: string;
    /** The fields that the caller sees: `data` of `GET /project/fields`, without blanks between its parts. */
    readonly shownFields: string;
    /** The code of the service. */
    readonly program: string;
  };
  /** How all pseudonyms begin, which tells those of different keys apart; absent if record ids have none. */
  readonly pseudonyms?: string | undefined;
  /** @isInt */
  readonly rows: number;
  /** What the policy asked for. */
  readonly rules: readonly ManifestRule[];
  /** The rules that are for no column, or met no value: most likely a field is not what its name or type says. */
  readonly warnings: readonly string[];
}

/** A rule of de-identification, and what it met. */
interface ManifestRule {
  readonly rule: 'record_id' | 'dates' | 'age' | 'zip';
  /** What it does to values. */
  readonly does: string;
  /** The columns that it is for, and how many cells of each have a value. Missing data codes are none. */
  readonly columns: { readonly [column: string]: number };
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
