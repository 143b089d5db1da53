import * as z from 'zod';
import { argument, listOfObjects, options, type Shape } from '../../../domain/identifiers/check-options.js';
import { flag, list, narrowing, positiveInteger, nonBlankText } from './argument-values.js';
import { CALL, type CallOptions, WRITE, type WriteOptions } from '../call-options.js';
import { integer, renamed, text, wireRows } from './answer-values.js';
import { content, type ContentCalls } from './content-calls.js';

/**
 * The number of an arm.
 * @isInt
 * @minimum 1
 * @maximum 1000
 * @example 1
 */
export type ArmNumber = number;

/** An arm of a longitudinal project. */
export interface Arm {
  readonly number: number;
  readonly name: string;
}

/** Whether a list replaces the stored one or is added to it. */
export interface ReplaceOptions extends WriteOptions {
  /**
   * Whether arms or events that are not sent are deleted, with all data stored there. No by default: the sent ones are
   * added or changed.
   */
  readonly replace?: boolean | undefined;
}

/** Selects arms to list. */
export interface ArmFilter extends CallOptions {
  /** Only these arms. */
  readonly arms?: readonly number[] | undefined;
}

export const ARM_COLUMNS = { number: ['arm_num', integer], name: ['name', text] } as const;

const ArmRows: z.ZodType<Arm[]> = z.array(renamed(ARM_COLUMNS));

/** `content=arm`. @see docs/protocol/redcap.md 9.1 (client); 2.1: a classic project answers 400 */
export class Arms {
  constructor(private readonly calls: ContentCalls) {}

  /** Returns the arms that have events; empty in a classic project. */
  async list({ arms, ...options }: ArmFilter = {}): Promise<Arm[]> {
    return this.calls.list({ content: 'arm', arms: arms?.map(String) }, ArmRows, options, {
      emptyIf: /cannot export arms/i,
    });
  }

  /** @returns the number of arms that were sent */
  async put(arms: readonly Arm[], { replace = false, ...options }: ReplaceOptions = {}): Promise<number> {
    const rules = { replace, isRepeatable: true };
    return this.calls.import('arm', wireRows(ARM_COLUMNS, arms), options, rules);
  }

  /**
   * Deletes arms with their events and all data stored there.
   *
   * @returns how many were deleted
   * @throws {ProblemError} `name_not_found`: the project does not have all of them
   */
  async delete(numbers: readonly number[], options: WriteOptions = {}): Promise<number> {
    return this.calls.delete('arm', ['arm', 'arms'], numbers, options);
  }
}

const ARM = { number: positiveInteger, name: nonBlankText } satisfies Shape<Arm>;

export const ARM_FILTER = {
  ...CALL,
  arms: narrowing(positiveInteger).optional(),
} satisfies Shape<ArmFilter>;

export const REPLACE = { ...WRITE, replace: flag.optional() } satisfies Shape<ReplaceOptions>;

export const ARMS = content(Arms, {
  list: [options(ARM_FILTER)],
  put: [listOfObjects('arms', ARM), options(REPLACE)],
  delete: [argument('arms', list(positiveInteger)), options(WRITE)],
});
