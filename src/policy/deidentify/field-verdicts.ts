import type { Field } from '../../domain/dictionary/field.js';
import { TEXT_VALIDATIONS } from '../../domain/dictionary/text-validations.js';
import { bracketed, formulaOf, readersOf, sourcesOf } from '../calculation-sources.js';
import type { CellRule } from './cell-rules.js';
import { soundsIdentifying, soundsLikeAge } from './identifying-names.js';
import { transformsOf, type DeidentifyRules, type Transforms } from './transforms.js';

/** What a view does with a field, and why, worded as the end of a sentence. */
export type Verdict =
  | { readonly kind: 'kept' }
  | { readonly kind: 'changed'; readonly rule: CellRule; readonly why: string }
  /** Never shown. */
  | { readonly kind: 'removed'; readonly why: string }
  /** Shown, and changed if there is a rule, only if somebody has accepted it in the lock. */
  | { readonly kind: 'suspected'; readonly rule: CellRule | undefined; readonly why: string };

/**
 * Decides about every field of a project but its record id. A preset looks at the flag of a field, at its type and
 * validation, at its name, and at what it is calculated from.
 *
 * @param fields of the whole project, the record id first
 * @param accepted the suspected fields that somebody has accepted
 * @returns undefined if the policy shows values as they are
 */
export function verdictsOf(
  policy: DeidentifyRules,
  fields: readonly Field[],
  accepted: readonly string[] = [],
): ReadonlyMap<string, Verdict> | undefined {
  const [idField, ...others] = fields;
  const transforms = transformsOf(policy, idField);
  if (transforms === undefined) return undefined;
  const verdicts = new Map(others.map((field) => [field.name, verdictOn(field, transforms)]));
  const isShownAsItIs = (name: string, verdict: Verdict): boolean =>
    verdict.kind === 'kept' ||
    (verdict.kind === 'suspected' && verdict.rule === undefined && accepted.includes(name));
  const origins = new Set(
    [...verdicts].flatMap(([name, verdict]) => (isShownAsItIs(name, verdict) ? [] : [name])),
  );
  if (idField !== undefined && transforms.recordId !== 'kept') origins.add(idField.name);
  spreadToCalculations(fields, verdicts, origins, accepted);
  return verdicts;
}

/** Whether a field is shown, as it is or changed. @param isAccepted whether somebody has, although it may identify somebody */
export function isShown(verdict: Verdict | undefined, isAccepted: boolean): boolean {
  return verdict?.kind !== 'removed' && (verdict?.kind !== 'suspected' || isAccepted);
}

function verdictOn(field: Field, transforms: Transforms): Verdict {
  const { preset } = transforms;
  const rule = ruleFor(field, transforms);
  const isNamed = transforms.ageFields.has(field.name) || transforms.zipFields.has(field.name);
  if (preset !== 'none' && field.isIdentifier && !isNamed)
    return { kind: 'removed', why: 'it is flagged as an identifier' };
  if (rule !== undefined) return { kind: 'changed', rule, why: CHANGES_IN_WORDS[rule.kind] };
  if (preset === 'none') return { kind: 'kept' };
  const removed = preset === 'remove-identifiers' ? undefined : reasonToRemove(field);
  if (removed !== undefined) return { kind: 'removed', why: removed };
  const suspected = reasonToSuspect(field, preset === 'safe-harbor');
  return suspected === undefined ? { kind: 'kept' } : { kind: 'suspected', rule: undefined, why: suspected };
}

/** What happens to the values of a field, as the end of a sentence. */
export const CHANGES_IN_WORDS: Readonly<Record<CellRule['kind'], string>> = {
  shift: 'its dates are shifted by the days of the record',
  year: 'its dates are cut to the year',
  age: 'high ages are put together',
  zip: 'its ZIP codes are cut to three digits',
};

const IS_DATE = /^date(?:time)?(?:_seconds)?_(?:ymd|mdy|dmy)$/;

function ruleFor(
  field: Field,
  { dates, ageTop, zip, ageFields, zipFields }: Transforms,
): CellRule | undefined {
  const { type, validationType, name } = field;
  if (type !== 'text' && type !== 'calc' && type !== 'slider') return undefined;
  if (ageTop !== undefined && (ageFields.has(name) || soundsLikeAge(name)))
    return { kind: 'age', top: ageTop };
  if (type !== 'text') return undefined;
  if (zip && (validationType === 'zipcode' || zipFields.has(name))) return { kind: 'zip' };
  return dates !== undefined && IS_DATE.test(validationType) ? { kind: dates } : undefined;
}

const CODED: ReadonlySet<string> = new Set([
  ...['radio', 'dropdown', 'checkbox', 'yesno', 'truefalse', 'slider', 'calc', 'descriptive', 'sql'],
]);

/** What `limited` and `safe-harbor` never show. */
function reasonToRemove({ type, validationType }: Field): string | undefined {
  if (CODED.has(type)) return undefined;
  if (type === 'file') return 'it has files or signatures';
  const isChecked =
    type === 'text' && TEXT_VALIDATIONS.has(validationType) && validationType !== 'alpha_only';
  return isChecked ? undefined : 'it is free text';
}

const PERSONAL = /^(?:email|phone|ssn|zipcode|postal)/;

const PERSONAL_TAG = /@(?:LATITUDE|LONGITUDE|USERNAME|PASSWORDMASK)\b/;

function reasonToSuspect(
  { name, type, validationType, annotation }: Field,
  isStrict: boolean,
): string | undefined {
  if (PERSONAL.test(validationType) || IS_DATE.test(validationType))
    return `it has the validation ${validationType}`;
  if (isStrict && /^time(?:_hh_mm_ss)?$/.test(validationType)) return 'it has times of day';
  if (type === 'file') return 'it has files or signatures';
  if (type === 'sql') return 'its choices come from a query';
  if (PERSONAL_TAG.test(annotation)) return 'it has an action tag that fills in who or where somebody is';
  if (type === 'descriptive') return undefined;
  if (soundsIdentifying(name) || (isStrict && soundsLikeAge(name)))
    return 'its name says that it may identify somebody';
  return undefined;
}

/**
 * Suspects what is filled in from a field that was removed or changed: a calculation would show the value that was there
 * before, and so would a default.
 */
function spreadToCalculations(
  fields: readonly Field[],
  verdicts: Map<string, Verdict>,
  origins: Set<string>,
  accepted: readonly string[],
): void {
  const known = new Set(fields.map(({ name }) => name));
  const reads = new Map(fields.map((field) => [field, sourcesInTexts(field, known)]));
  const readers = readersOf(reads);
  const doubt = (field: Field): void => {
    const verdict = verdicts.get(field.name);
    if (verdict?.kind !== 'kept' && verdict?.kind !== 'changed') return;
    const from = sourceToDoubt(field, reads.get(field) ?? [], origins);
    if (from === undefined) return;
    const rule = verdict.kind === 'changed' ? verdict.rule : undefined;
    verdicts.set(field.name, { kind: 'suspected', rule, why: `it is filled in from ${from}` });
    if (rule === undefined && !accepted.includes(field.name)) origins.add(field.name);
  };
  fields.forEach(doubt);
  // A set is iterated over what is added meanwhile, too: each field is doubted once, however long the chain is.
  for (const origin of origins) readers.get(origin)?.forEach(doubt);
}

/** Returns the fields that a field may be filled in from; undefined among them for a formula that cannot be read. */
function sourcesInTexts(field: Field, known: ReadonlySet<string>): (string | undefined)[] {
  return [...sourcesOf(field, known), ...bracketed(field.annotation, known)];
}

/** Returns what a field is filled in from that its caller must not learn by it, as the end of a sentence. */
function sourceToDoubt(
  field: Field,
  read: readonly (string | undefined)[],
  origins: ReadonlySet<string>,
): string | undefined {
  const at = read.findIndex((name) => name === undefined || (name !== field.name && origins.has(name)));
  if (at !== -1)
    return read[at] === undefined
      ? 'something that cannot be read'
      : `${read[at]}, which is not shown as it is`;
  const variables = `${formulaOf(field) ?? ''} ${field.annotation}`.matchAll(SMART_VARIABLE);
  const [, variable] = [...variables].find(([, name = '']) => !IS_OF_PLACE.test(name)) ?? [];
  return variable === undefined ? undefined : `[${variable}], which may say whose it is`;
}

/** Names of fields and events have no hyphen. */
const SMART_VARIABLE = /\[\s*([a-z]+-[a-z-]+)/gi;

/** Those of an event, an arm or an instance, and those that put records together: they are about nobody. */
const IS_OF_PLACE = /^(?:event|arm|aggregate)-|-(?:event-name|event-id|event-label|instance)$/i;
