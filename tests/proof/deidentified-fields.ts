import type { Field } from '../../src/domain/dictionary/field.js';
import { TEXT_VALIDATIONS } from '../../src/domain/dictionary/text-validations.js';
import { soundsIdentifying, soundsLikeAge } from '../../src/policy/deidentify/identifying-names.js';
import type { Rules } from './chosen-records.js';
import { isUnreadable, smartVariablesIn, wordsIn } from './smaller-texts.js';

/** How the values of a field are changed. */
export type Change = 'shift' | 'year' | 'age' | 'zip';
type Fate = Change | 'kept' | 'gone';

/** What a policy says about values. */
export interface Deidentifying {
  readonly deidentify: NonNullable<Rules['deidentify']>;
  readonly transform: NonNullable<Rules['transform']>;
  /** The doubtful fields that somebody has accepted. */
  readonly identifying: ReadonlySet<string>;
}

/** What becomes of the fields of a project. */
export interface Fates {
  /** Those that nobody sees. */
  readonly hidden: ReadonlySet<string>;
  /** Those that somebody has to accept, because their values may say whose they are. */
  readonly doubtful: ReadonlySet<string>;
  readonly changes: ReadonlyMap<string, Change>;
}

/**
 * @param idName the record id, if records have other ids
 * @param top the age from which on ages are put together
 */
export function fatesOf(
  fields: readonly Field[],
  rules: Deidentifying,
  idName: string | undefined,
  top: number | undefined,
): Fates {
  const { deidentify, identifying } = rules;
  const fates = new Map(fields.map((field) => [field.name, fateOf(field, rules, top)]));
  const isOther = (name: string): boolean =>
    name === idName ||
    (fates.has(name) && fates.get(name) !== 'kept') ||
    (doubtful.has(name) && !identifying.has(name));
  const doubtful = new Set<string>();
  for (const field of fields)
    if (fates.get(field.name) === 'kept' && isDoubtful(field, deidentify)) doubtful.add(field.name);
  for (let before = -1; before !== doubtful.size;) {
    before = doubtful.size;
    for (const field of fields) {
      const { name, type, choicesOrCalculations, annotation } = field;
      const text = `${type === 'calc' ? choicesOrCalculations : ''} ${annotation}`;
      const tells =
        isUnreadable(field) ||
        wordsIn(text).some((word) => word !== name && isOther(word)) ||
        smartVariablesIn(text).some((variable) => !ABOUT_NOBODY.test(variable));
      if (fates.get(name) !== 'gone' && tells) doubtful.add(name);
    }
  }
  const isHidden = ([name, fate]: [string, Fate]): boolean =>
    fate === 'gone' || (doubtful.has(name) && !identifying.has(name));
  return {
    doubtful,
    hidden: new Set([...fates].filter(isHidden).map(([name]) => name)),
    changes: new Map(
      [...fates].flatMap(([name, fate]) => (fate === 'kept' || fate === 'gone' ? [] : [[name, fate]])),
    ),
  };
}

/** Smart variables of an event, an arm or an instance, and those that put records together. */
const ABOUT_NOBODY = /^(event|arm|aggregate)-|-(event-name|event-id|event-label|instance)$/;

const DATE = /^date(time)?(_seconds)?_(ymd|mdy|dmy)$/;

/** What happens to the values of a field by its flag, type and validation. */
function fateOf(
  { name, type, validationType, isIdentifier }: Field,
  { deidentify, transform: { dates, age, zip } }: Deidentifying,
  top: number | undefined,
): Fate {
  const isNamed = (rule: typeof age | typeof zip): boolean => rule?.fields?.includes(name) === true;
  const [isStrict, isLimited] = [deidentify === 'safe-harbor', deidentify === 'limited'];
  if (deidentify !== 'none' && isIdentifier && !isNamed(age) && !isNamed(zip)) return 'gone';
  const isAge = top !== undefined && (isNamed(age) || soundsLikeAge(name));
  if (isAge && ['text', 'calc', 'slider'].includes(type)) return 'age';
  if (type === 'text' && (zip || isStrict) && (validationType === 'zipcode' || isNamed(zip))) return 'zip';
  const moved = dates ?? (isStrict ? 'year' : isLimited ? 'shift' : 'kept');
  if (type === 'text' && DATE.test(validationType)) return moved;
  const isText = type === 'notes' || (type === 'text' && !VALIDATED.has(validationType));
  return (isStrict || isLimited) && (isText || type === 'file') ? 'gone' : 'kept';
}

/** What keeps a text from being any text. */
const VALIDATED = new Set([...TEXT_VALIDATIONS.keys()].filter((name) => name !== 'alpha_only'));

/** Whether the values of a field that nothing changes may say whose they are. */
function isDoubtful(
  { name, type, validationType, annotation }: Field,
  deidentify: Deidentifying['deidentify'],
): boolean {
  if (deidentify === 'none') return false;
  const isStrict = deidentify === 'safe-harbor';
  const isPersonal = /^(email|phone|ssn|zipcode|postal)/.test(validationType) || DATE.test(validationType);
  const isTime = isStrict && /^time(_hh_mm_ss)?$/.test(validationType);
  const isFilledIn = /@(LATITUDE|LONGITUDE|USERNAME|PASSWORDMASK)\b/.test(annotation);
  const isNamed = type !== 'descriptive' && (soundsIdentifying(name) || (isStrict && soundsLikeAge(name)));
  return isPersonal || isTime || isFilledIn || isNamed || type === 'file' || type === 'sql';
}
