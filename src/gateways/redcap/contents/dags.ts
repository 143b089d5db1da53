import * as z from 'zod';
import {
  argument,
  listOfObjects,
  options,
  type Shape,
  type OrUndefined,
} from '../../../domain/identifiers/check-options.js';
import { anyText, names, nonBlankText, type LabelText } from './argument-values.js';
import { CALL, type CallOptions, WRITE, type WriteOptions } from '../call-options.js';
import { optionalInteger, renamed, requiredText, text, wireRows } from './answer-values.js';
import { content, type ContentCalls } from './content-calls.js';

/**
 * The unique name of a data access group, as it appears in exports.
 * @pattern ^[a-z0-9_]+$ must be the unique name of a data access group, as in north_clinic
 * @maxLength 100
 * @example "north_clinic"
 */
export type DagNameText = string;

/** A data access group. */
export interface DataAccessGroup {
  /** The name shown to people. */
  readonly name: string;
  /** The unique name, as in `redcap_data_access_group`. It changes with the name. */
  readonly uniqueName: string;
  /**
   * The number of the group. REDCap 13.1 or later.
   * @isInt
   */
  readonly id?: number | undefined;
}

/** A data access group to create or rename. */
export interface DataAccessGroupChange {
  readonly name: LabelText;
  /**
   * The unique name of a group. Without it, or if no group has it, the group with this name is used, or a new one is
   * created.
   */
  readonly uniqueName?: DagNameText;
  /**
   * Ignored: REDCap numbers the groups.
   * @isInt
   */
  readonly id?: number;
}

/** The group that a user is in. */
export interface DataAccessGroupAssignment {
  readonly username: string;
  /** The unique name of the group; empty for none. */
  readonly dag: string;
}

export const DAG_COLUMNS = {
  name: ['data_access_group_name', text],
  uniqueName: ['unique_group_name', requiredText],
  id: ['data_access_group_id', optionalInteger],
} as const;

const GroupRows: z.ZodType<DataAccessGroup[]> = z.array(renamed(DAG_COLUMNS));

export const ASSIGNMENT_COLUMNS = {
  username: ['username', requiredText],
  dag: ['redcap_data_access_group', text],
} as const;

const AssignmentRows: z.ZodType<DataAccessGroupAssignment[]> = z.array(renamed(ASSIGNMENT_COLUMNS));

/** `content=dag`. @see docs/protocol/redcap.md 10.1 (client, doc) */
export class Dags {
  constructor(private readonly calls: ContentCalls) {}

  list(options: CallOptions = {}): Promise<DataAccessGroup[]> {
    return this.calls.list({ content: 'dag' }, GroupRows, options);
  }

  /**
   * Creates groups, and renames those that have a unique name. Not retried after a failure, because a group could be
   * created twice.
   *
   * @returns how many groups were created or renamed
   */
  async put(
    groups: readonly OrUndefined<DataAccessGroupChange>[],
    options: WriteOptions = {},
  ): Promise<number> {
    const rows = groups.map(({ name, uniqueName = '' }) => ({
      data_access_group_name: name,
      unique_group_name: uniqueName,
    }));
    return this.calls.import('dag', rows, options);
  }

  /**
   * Deletes groups by their unique names. Their records then belong to no group.
   *
   * @returns how many were deleted
   * @throws {ProblemError} `name_not_found`: the project does not have all of them; the others are deleted
   */
  async delete(uniqueNames: readonly string[], options: WriteOptions = {}): Promise<number> {
    return this.calls.delete('dag', ['dag', 'dags'], uniqueNames, options);
  }

  /**
   * Moves the user of the token into another group, or out of all groups if the name is blank. This changes what every
   * caller with this token sees.
   */
  async switch(uniqueName: string, options: CallOptions = {}): Promise<void> {
    const parameters = { content: 'dag', action: 'switch', dag: uniqueName };
    await this.calls.count(parameters, options, { isRepeatable: true });
  }
}

/** `content=userDagMapping`. @see docs/protocol/redcap.md 10.2 (client, doc) */
export class DagAssignments {
  constructor(private readonly calls: ContentCalls) {}

  list(options: CallOptions = {}): Promise<DataAccessGroupAssignment[]> {
    return this.calls.list({ content: 'userDagMapping' }, AssignmentRows, options);
  }

  /** @returns how many users were assigned */
  async put(assignments: readonly DataAccessGroupAssignment[], options: WriteOptions = {}): Promise<number> {
    const rows = wireRows(ASSIGNMENT_COLUMNS, assignments);
    return this.calls.import('userDagMapping', rows, options, { isRepeatable: true });
  }
}

const GROUP = {
  name: nonBlankText,
  uniqueName: anyText.optional(),
  id: z.custom<number>().optional(),
} satisfies Shape<DataAccessGroupChange>;

const ASSIGNMENT = { username: nonBlankText, dag: anyText } satisfies Shape<DataAccessGroupAssignment>;

export const DAGS = content(Dags, {
  list: [options(CALL)],
  put: [listOfObjects('dags', GROUP), options(WRITE)],
  delete: [argument('dags', names), options(WRITE)],
  switch: [argument('dag', anyText), options(CALL)],
});

export const DAG_ASSIGNMENTS = content(DagAssignments, {
  list: [options(CALL)],
  put: [listOfObjects('assignments', ASSIGNMENT), options(WRITE)],
});
