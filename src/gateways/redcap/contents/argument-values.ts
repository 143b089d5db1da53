import * as z from 'zod';
import { type Period, ServerTime } from '../../../domain/dictionary/server-time.js';
import { isTextOf } from '../../../domain/dictionary/text-validations.js';
import { InvalidRequestError } from '../../../domain/errors/caller-errors.js';
import { identifier } from '../../../domain/identifiers/check-options.js';
import { EventName, FieldName, InstrumentName } from '../../../domain/identifiers/names.js';
import { ExistingRecordId } from '../../../domain/identifiers/record-id.js';
import { Logic, CheckedFilter } from '../../../domain/logic/builder.js';

/*
 * Values of arguments. REDCap ignores some parameters that it cannot read, and a call that was to be narrow would then
 * be wide, so everything is parsed before it is sent, also for callers without types.
 */

export const flag = z.boolean('must be true or false');

/** Any text; it may be blank. */
export const anyText = z.string('must be text');

export const nonBlankText = nonBlank(z.string('must be text, and not blank'), 'must be text, and not blank');

/**
 * Text shown to people.
 * @pattern ^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$ must not contain control characters
 * @minLength 1
 * @maxLength 1000
 * @example "Baseline"
 */
export type LabelText = string;

/** A whole number in a range. */
export function wholeNumber(least: number, most: number, rule: string) {
  return z.int(rule).gte(least, rule).lte(most, rule);
}

export const positiveInteger = wholeNumber(1, 2_147_483_647, 'must be a whole number from 1');

/**
 * The number of a repeat instance.
 * @isInt
 * @minimum 1
 * @maximum 99999
 * @example 1
 */
export type RepeatInstanceNumber = number;

export const anyInteger = z.int('must be a whole number');

/** A whole number of at least `least`. */
export const integerFrom = (least: number) =>
  wholeNumber(least, Number.MAX_SAFE_INTEGER, `must be a whole number of at least ${least}`);

/** One of a few texts. */
export function oneOf<const Texts extends readonly string[]>(...texts: Texts) {
  return z.enum(texts, `must be ${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`);
}

export const aFunction = <Value>() =>
  z.custom<Value>((value) => typeof value === 'function', 'must be a function');

/** A date that exists, as `YYYY-MM-DD`, or blank. */
export const dateOrBlank = formedText(['', 'date_ymd'], 'must be a date, as YYYY-MM-DD');

/**
 * Reads the period of options: its bounds become seconds of REDCap's server, whose zone is not known here. REDCap
 * ignores a time that it cannot read, and answers a period that ends before it begins with an empty list.
 */
export function inPeriod<Options extends Period>(options: Options, context: z.RefinementCtx): Options {
  try {
    return { ...options, ...SERVER_TIME.periodOf(options) };
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    for (const { field, message } of error.errors)
      context.addIssue({ code: 'custom', path: [field], message });
    return z.NEVER;
  }
}

const SERVER_TIME = new ServerTime();

export const recordId = identifier(ExistingRecordId);
export const fieldName = identifier(FieldName);
export const instrumentName = identifier(InstrumentName);
export const eventName = identifier(EventName);

const LISTED = nonBlank(z.string('must be text'), 'must not be blank');

/** A name in a list. */
export const listed = <Name>(schema: z.ZodType<Name, string>) => LISTED.pipe(schema);

/** A list that a call applies to. REDCap would treat an empty one as a missing parameter. */
export const list = <Item>(item: z.ZodType<Item>) =>
  z.array(item, 'must be a list').min(1, 'must not be empty').readonly();

/** A list of names that a call applies to. */
export const names = list(LISTED);

/**
 * A list that narrows a read. An empty one is refused, because REDCap would treat it as missing and return everything.
 *
 * @see docs/protocol/redcap.md 1.5 (client)
 */
export const narrowing = <Item>(item: z.ZodType<Item>) =>
  z.array(item, 'must be a list').min(1, EMPTY).readonly();

const EMPTY = 'must not be empty: leave it out to select everything';

/** A text that narrows a read. A blank one is refused for the same reason. */
export const narrowingText = nonBlank(anyText, EMPTY);

/**
 * An expression in REDCap's filter logic. Must not be blank.
 * @pattern ^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$ must not contain control characters
 * @minLength 1
 * @maxLength 4000
 * @example "[age] >= 18"
 */
export type FilterLogicText = string;

/** Filter logic as text, or as `where` builds it. */
export const logicText = z.preprocess<unknown, z.ZodString, string | Logic>(
  (logic) => (logic instanceof Logic ? logic.toString() : logic),
  anyText,
);

const narrowingLogicText = logicText
  .pipe(narrowingText)
  .refine((logic) => !/[^\P{Cc}\t\r\n]/u.test(logic), 'must not have control characters');

/** Filter logic that narrows a read. It becomes text, unless it was checked: then it stays a `CheckedFilter`. */
export const narrowingLogic: z.ZodType<string | CheckedFilter, string | Logic> = z
  .custom<string | Logic>()
  .transform((logic, context) => {
    const { success, data, error } = narrowingLogicText.safeParse(logic);
    if (success) return logic instanceof CheckedFilter ? logic : data;
    for (const { message } of error.issues) context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

function nonBlank(schema: z.ZodString, rule: string) {
  return schema.refine((value) => value.trim() !== '', rule);
}

/** @param validations the names of text validations; an empty one allows a blank */
function formedText(validations: readonly string[], rule: string) {
  const isFormed = (value: string): boolean =>
    validations.some((validation) => (validation === '' ? value === '' : isTextOf(validation, value)));
  return z.string(rule).refine(isFormed, rule);
}
