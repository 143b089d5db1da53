import * as z from 'zod';
import { checkArguments, listOfObjects, options } from '../../../errors/check-arguments.js';
import { aBoolean, checkedLater, type OptionRules } from '../../../errors/check-options.js';
import { CALL } from '../call-rules.js';
import type { CallOptions } from '../call-options.js';
import { integer, text } from './answer-values.js';
import { positiveInteger, requiredName } from './checked-values.js';
import type { ContentCalls } from './content-calls.js';
import { listOf, namedList, narrowingList, rowsToSend } from './named-list.js';

/** An arm of a longitudinal project. */
export interface Arm {
  readonly number: number;
  readonly name: string;
}

/** Whether a list replaces the stored one or is added to it. */
export interface ReplaceOptions extends CallOptions {
  /**
   * Whether arms or events that are not sent are deleted, with all data stored there. No by default: the sent ones are
   * added or changed.
   */
  readonly isReplacement?: boolean | undefined;
}

/** Selects arms to list. */
export interface ArmFilter extends CallOptions {
  /** Only these arms. */
  readonly arms?: readonly number[] | undefined;
}

const ArmRows: z.ZodType<Arm[]> = z.array(
  z.object({ arm_num: integer, name: text }).transform((row) => ({ number: row.arm_num, name: row.name })),
);

/** `content=arm`. @see docs/protocol/redcap.md 9.1 (client); 2.1: a classic project answers 400 */
export class Arms {
  constructor(private readonly calls: ContentCalls) {}

  /** Returns the arms that have events; empty in a classic project. */
  async export({ arms, ...options }: ArmFilter = {}): Promise<Arm[]> {
    const parameters = { content: 'arm', arms: armList(arms) };
    return this.calls.list(parameters, ArmRows, options, { emptyIf: /cannot export arms/i });
  }

  /** @returns the number of arms that were sent */
  async import(
    arms: readonly Arm[],
    { isReplacement = false, ...options }: ReplaceOptions = {},
  ): Promise<number> {
    const rows = arms.map(({ number, name }, index) => ({
      arm_num: positiveInteger(`arms[${index}].number`, number),
      name: requiredName(`arms[${index}].name`, name),
    }));
    const parameters = { content: 'arm', action: 'import', override: isReplacement ? 1 : 0 };
    const data = rowsToSend('arms', rows);
    return this.calls.count({ ...parameters, data }, options, { isRepeatable: true });
  }

  /** Deletes arms with their events and all data stored there. @returns how many were deleted */
  async delete(numbers: readonly number[], options: CallOptions = {}): Promise<number> {
    const arms = namedList('arms', textsOf(numbers));
    return this.calls.count({ content: 'arm', action: 'delete', arms }, options);
  }
}

/** Returns arm numbers as the filter of an export. @throws {InvalidRequestError} there is no arm, or not a number */
export function armList(arms: readonly number[] | undefined): readonly string[] | undefined {
  return narrowingList('arms', arms && textsOf(arms));
}

function textsOf(arms: readonly number[]): readonly string[] {
  return listOf('arms', arms).map((arm, index) => String(positiveInteger(`arms[${index}]`, arm)));
}

const ARM = { number: checkedLater, name: checkedLater } satisfies OptionRules<keyof Arm>;

export const ARM_FILTER = { ...CALL, arms: checkedLater } satisfies OptionRules<keyof ArmFilter>;

export const REPLACE = { ...CALL, isReplacement: aBoolean } satisfies OptionRules<keyof ReplaceOptions>;

checkArguments(Arms, {
  export: [options(ARM_FILTER)],
  import: [listOfObjects('arms', ARM), options(REPLACE)],
  delete: [null, options(CALL)],
});
