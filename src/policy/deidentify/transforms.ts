import type { Field } from '../../domain/dictionary/field.js';
import * as z from 'zod';
import { strictObject } from '../../domain/identifiers/check-options.js';
import { FIELD_NAME_RULE, isFieldName } from '../../domain/identifiers/names.js';

export const PRESETS = ['none', 'remove-identifiers', 'limited', 'safe-harbor'] as const;

/** The name of a field in a policy file. */
export const field = z
  .string('must be the name of a field')
  .refine((name): boolean => isFieldName(name), FIELD_NAME_RULE);
export const fields = z.array(field, 'must be a list of fields').min(1, 'must not be empty');

/** The property `transform` of a policy. */
export const TransformRules = strictObject(
  {
    record_id: z.enum(['pseudonym', 'random'], 'must be pseudonym or random').optional(),
    dates: z.enum(['shift', 'year'], 'must be shift or year').optional(),
    age: strictObject(
      {
        top: z.int('must be a whole number').min(1, 'must be 1 to 120').max(120, 'must be 1 to 120'),
        fields: fields.optional(),
      },
      'a property',
    ).optional(),
    zip: strictObject(
      { keep: z.literal(3, 'must be 3'), fields: fields.optional() },
      'a property',
    ).optional(),
  },
  'a property',
);

/** What a policy says about de-identification. */
export interface DeidentifyRules {
  readonly deidentify: (typeof PRESETS)[number];
  readonly transform?: z.output<typeof TransformRules> | undefined;
}

/** What a view does with the values of a project: its preset, and what the policy asks for beyond it. */
export interface Transforms {
  readonly preset: (typeof PRESETS)[number];
  readonly recordId: 'kept' | 'pseudonym' | 'random';
  readonly dates: 'shift' | 'year' | undefined;
  readonly ageTop: number | undefined;
  readonly zip: boolean;
  /** Fields that the policy names, besides those that are found by name or validation. */
  readonly ageFields: ReadonlySet<string>;
  readonly zipFields: ReadonlySet<string>;
}

/**
 * Returns what a policy does with values; undefined if it shows them as they are.
 *
 * @param idField the record id: flagged as an identifier, it gets a pseudonym, because it cannot be removed
 */
export function transformsOf(
  { deidentify: preset, transform = {} }: DeidentifyRules,
  idField?: Field,
): Transforms | undefined {
  const { record_id: recordId, dates, age, zip } = transform;
  if (preset === 'none' && (recordId ?? dates ?? age ?? zip) === undefined) return undefined;
  const isStrict = preset === 'safe-harbor';
  const isLimited = preset === 'limited';
  const ofPreset = isStrict
    ? 'random'
    : isLimited || (idField?.isIdentifier === true && preset !== 'none')
      ? 'pseudonym'
      : 'kept';
  return {
    preset,
    recordId: recordId ?? ofPreset,
    dates: dates ?? (isStrict ? 'year' : isLimited ? 'shift' : undefined),
    ageTop: age?.top ?? (isStrict ? SAFE_HARBOR_AGE : undefined),
    zip: zip !== undefined || isStrict,
    ageFields: new Set(age?.fields),
    zipFields: new Set(zip?.fields),
  };
}

/** What else a policy grants that could lead around its de-identification. */
interface OtherRights {
  readonly forms: Readonly<Record<string, string>>;
  readonly create: unknown;
  readonly files: string;
  readonly log: string;
  readonly reports?: readonly unknown[] | undefined;
}

/** Returns what a policy grants or asks for that does not go together with its de-identification. */
export function deidentifyProblems(
  policy: DeidentifyRules & OtherRights,
): { readonly path: readonly string[]; readonly message: string }[] {
  if (transformsOf(policy) === undefined) return [];
  const { deidentify, forms, create, files, log, reports, transform = {} } = policy;
  const { record_id: recordId, dates, age } = transform;
  const isStrict = deidentify === 'safe-harbor';
  const together = 'together with de-identification';
  const checks: [isWrong: boolean, path: string[], message: string][] = [
    ...Object.entries(forms).map(([form, access]): [boolean, string[], string] => [
      access === 'write',
      ['forms', form],
      `must not be write ${together}`,
    ]),
    [create !== false, ['create'], `must be false ${together}`],
    [files !== 'none', ['files'], `must be none ${together}`],
    [(reports?.length ?? 0) > 0, ['reports'], `must be empty ${together}`],
    [log !== 'none', ['log'], `must be none ${together}`],
    [isStrict && recordId === 'pseudonym', ['transform', 'record_id'], 'must be random for safe-harbor'],
    [isStrict && dates === 'shift', ['transform', 'dates'], 'must be year for safe-harbor'],
    [
      isStrict && (age?.top ?? 0) > SAFE_HARBOR_AGE,
      ['transform', 'age', 'top'],
      'must be at most 90 for safe-harbor',
    ],
  ];
  return checks.filter(([isWrong]) => isWrong).map(([, path, message]) => ({ path, message }));
}

/** Ages above 89 are one category. @see 45 CFR 164.514(b)(2)(i)(C) */
const SAFE_HARBOR_AGE = 90;
