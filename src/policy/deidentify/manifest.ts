import type { Field } from '../../dictionary/field.js';
import type { CellRule } from './cell-rules.js';
import { CHANGES_IN_WORDS, type Verdict } from './field-verdicts.js';
import type { Deidentification } from './row-changer.js';

/** What was done to the values of one export, for whoever receives it and for whoever has to answer for it. */
export interface DeidentificationManifest {
  readonly madeAt: string;
  readonly policy: string;
  readonly preset: Deidentification['preset'];
  readonly program: { readonly name: string; readonly version: string };
  /** SHA-256 of what decided, as `sha256:` and hexadecimal digits. */
  readonly digests: ManifestDigests;
  /** With which key the pseudonyms were made: how they begin. */
  readonly pseudonyms: string | undefined;
  readonly rows: number;
  readonly rules: readonly ManifestRule[];
  /** Fields of granted forms that are not in the export, and why. */
  readonly hidden: readonly { readonly field: string; readonly why: string }[];
  /** What was asked for and met nothing: most likely a name or a type that is not what it seems. */
  readonly warnings: readonly string[];
}

export interface ManifestDigests {
  readonly policy: string;
  readonly lock: string;
  readonly dictionary: string;
  readonly program: string;
}

/** One rule, with the columns it is for, and how many cells with a value it met in each. */
interface ManifestRule {
  readonly rule: 'record_id' | 'dates' | 'age' | 'zip';
  readonly does: string;
  readonly columns: Readonly<Record<string, number>>;
}

/**
 * Describes an export.
 *
 * @param verdicts on the fields of the forms that the policy grants
 * @param shown the fields of the view
 */
export function manifestOf(
  about: Pick<DeidentificationManifest, 'policy' | 'program' | 'digests' | 'rows'>,
  deidentify: Deidentification,
  idField: Field,
  verdicts: ReadonlyMap<string, Verdict>,
  shown: { has(name: string): boolean },
): DeidentificationManifest {
  const { preset, recordId, rules, keys, met } = deidentify;
  const ruleOf = (rule: ManifestRule['rule'], does: string, names: readonly string[]): ManifestRule => ({
    rule,
    does,
    columns: Object.fromEntries(names.map((name) => [name, met?.get(name) ?? 0])),
  });
  const found = asked(deidentify).map(([rule, does, kind]) => {
    const names = [...rules].filter(([, each]) => each.kind === kind).map(([name]) => name);
    return ruleOf(rule, does, rule === 'record_id' ? [idField.name] : names);
  });
  return {
    madeAt: new Date().toISOString(),
    ...about,
    preset,
    pseudonyms: recordId === 'kept' ? undefined : keys?.prefix,
    rules: found,
    hidden: [...verdicts].flatMap(([field, verdict]) =>
      'why' in verdict && !shown.has(field) ? [{ field, why: verdict.why }] : [],
    ),
    warnings: found.flatMap(warningOn),
  };
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
