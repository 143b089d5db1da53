import type { OrUndefined } from '../../domain/identifiers/check-options.js';
import type { Readable } from 'node:stream';
import { ProblemError } from '../../domain/errors/problem-error.js';
import { parseDictionaryCsv, toDictionaryCsv } from '../../domain/dictionary/dictionary-csv.js';
import { fieldsFromJson } from '../../domain/dictionary/fields-from-json.js';
import { InsufficientScopeError } from '../../domain/errors/access-errors.js';
import { InvalidRequestError, MalformedRequestError } from '../../domain/errors/caller-errors.js';
import { decodeText } from '../../domain/bytes/decode-text.js';
import type { FieldProblem } from '../../domain/errors/field-problem.js';
import { ruledOut, unknownName, type NameKind } from '../../domain/identifiers/nearest-name.js';
import { UpstreamRejectedError } from '../../domain/errors/upstream-errors.js';
import type {
  Arm,
  CallOptions,
  CrfCalls,
  DataAccessGroupChange,
  ProjectEventChange,
  ReplaceOptions,
  UserRoleAssignment,
  UserRoleChange,
} from '../../gateways/redcap/crf-client.js';
import { ImportBody } from '../../records/import/import-body.js';
import { Turns } from '../../records/import/turns.js';
import type { ReaderPaceOptions } from '../../records/streaming/reader-pace.js';
import { withKnownNames } from './known-names.js';

/** How arms or events are put, and what the caller may do. */
export interface ReplacementOptions extends ReplaceOptions {
  /** Whether the caller has `design:delete`: what is replaced is deleted with its data. */
  readonly mayDelete: boolean;
}

/** The role of a user, with its label, by which another project knows it. */
export interface LabelledRoleAssignment extends UserRoleAssignment {
  /** The label of the role; empty for none. */
  readonly roleLabel?: string | undefined;
}

/** What each list has, and the parameter that names one of them. */
const DELETED = {
  arms: ['arm', 'arm'],
  events: ['event', 'event'],
  dags: ['dag', 'dag'],
  roles: ['role', 'role'],
  users: ['user', 'username'],
} as const satisfies Record<string, readonly [kind: NameKind, parameter: string]>;

/** Dictionaries with ten thousand fields have a few megabytes. */
const MAX_DICTIONARY_BYTES = 16 * 1024 * 1024;

/**
 * The rules for changes of a project's design, groups and roles. Every change can be repeated without further effect.
 * What needs no rule of ours is a call of the client's own groups.
 */
export class DesignService {
  /**
   * @param pace the minimum speed of the sender of a dictionary
   * @param turns of all callers of the project, whatever they see of it
   */
  constructor(
    private readonly client: CrfCalls,
    private readonly pace?: ReaderPaceOptions,
    private readonly turns = new Turns(),
  ) {}

  /**
   * Makes a change only if the design is still as its author has read it. Such changes are made one after the other
   * within this process, so that of two authors who have read the same design, the second is refused. REDCap has no
   * conditional changes: a change made elsewhere between the check and the change is not noticed.
   *
   * @param isUnchanged checks in REDCap whether the design is as the author has read it; undefined if the author made
   *   no condition
   * @throws {ProblemError} `precondition_failed`: the design has changed; nothing was changed by this call
   */
  async change<T>(isUnchanged: (() => Promise<boolean>) | undefined, make: () => Promise<T>): Promise<T> {
    if (isUnchanged === undefined) return make();
    return this.turns.take(async () => {
      // The cache may be older than what the author has read.
      this.client.clearCache();
      if (!(await isUnchanged())) throw new ProblemError('precondition_failed');
      return make();
    });
  }

  /**
   * Adds and renames arms. As a replacement, deletes all other arms with their data.
   *
   * @throws {InsufficientScopeError} a replacement by a caller who may not delete
   */
  async putArms(arms: readonly Arm[], options: ReplacementOptions): Promise<number> {
    return this.client.arms.put(arms, checkReplacement(options));
  }

  /**
   * Deletes arms, events, groups, roles or users, one after the other, and those that exist even if others do not.
   *
   * @returns the number of those that were deleted
   * @throws {ProblemError} `name_not_found`: names those that the project does not have
   */
  async delete(
    list: keyof typeof DELETED,
    names: readonly (string | number)[],
    options?: CallOptions,
  ): Promise<number> {
    const [kind, parameter] = DELETED[list];
    const errors: FieldProblem[] = [];
    let count = 0;
    for (const name of names) {
      const call = this.client[list].delete([name] as never[], options); // an arm has a number, all others a name
      const deleted = await call.catch((error: unknown) => {
        if (error instanceof UpstreamRejectedError && error.errors[0]?.field === `${list}[0]`) return 0;
        throw error;
      });
      if (deleted === 0) errors.push({ ...unknownName(kind, parameter, name), name: String(name) });
      count += deleted;
    }
    if (errors.length > 0) throw new ProblemError('name_not_found', { errors });
    return count;
  }

  /**
   * Adds and changes events. As a replacement, deletes all other events with their data. An event without unique name,
   * or with that of another project, is matched by the label within its arm, or created if there is none.
   *
   * @throws {InvalidRequestError} several events of an arm have the same label
   * @throws {InsufficientScopeError} a replacement by a caller who may not delete
   */
  async putEvents(
    events: readonly OrUndefined<ProjectEventChange>[],
    options: ReplacementOptions,
  ): Promise<number> {
    const { isReplacement, ...call } = checkReplacement(options);
    const named = withKnownNames(events, await this.client.events.list(call), {
      list: 'events',
      labelOf: ({ arm, label }) => JSON.stringify([arm, label]),
    });
    return this.client.events.put(named, { isReplacement, ...call });
  }

  /**
   * Creates and renames data access groups; others remain. A group without unique name, or with that of another
   * project, is matched by its name, or created if there is none.
   *
   * @throws {InvalidRequestError} several groups have the same name
   */
  async putDags(
    groups: readonly OrUndefined<DataAccessGroupChange>[],
    options?: CallOptions,
  ): Promise<number> {
    const named = withKnownNames(groups, await this.client.dags.list(options), {
      list: 'dags',
      labelOf: ({ name }) => name,
    });
    return this.client.dags.put(named, options);
  }

  /**
   * Creates and changes roles; others remain. A role without unique name, or with that of another project, is matched
   * by its label, or created if there is none.
   *
   * @throws {InvalidRequestError} several roles have the same label
   */
  async putRoles(roles: readonly OrUndefined<UserRoleChange>[], options?: CallOptions): Promise<number> {
    const named = withKnownNames(roles, await this.client.roles.list(options), {
      list: 'roles',
      labelOf: ({ label }) => label,
    });
    return this.client.roles.put(named, options);
  }

  /** Returns the role of each user with its label, so that another project can take the list. */
  async roleAssignments(
    options?: CallOptions,
  ): Promise<(LabelledRoleAssignment & { readonly roleLabel: string })[]> {
    const assignments = await this.client.roles.exportAssignments(options);
    const labels = await this.#roleLabels(options);
    return assignments.map((entry) => ({ ...entry, roleLabel: labels.get(entry.role) ?? '' }));
  }

  /**
   * Gives users their roles. A role that this project does not have is that of another project: the role with the same
   * label is given.
   *
   * @throws {InvalidRequestError} no role of this project has the label, or several have it
   */
  async putRoleAssignments(
    assignments: readonly LabelledRoleAssignment[],
    options?: CallOptions,
  ): Promise<number> {
    const labels = assignments.some(({ roleLabel }) => roleLabel)
      ? await this.#roleLabels(options)
      : undefined;
    const problems: FieldProblem[] = [];
    const known = assignments.map(({ username, role, roleLabel = '' }, index) => {
      if (labels === undefined || roleLabel === '' || labels.has(role)) return { username, role };
      const [match, other] = [...labels].filter(([, label]) => label === roleLabel);
      if (match === undefined || other !== undefined)
        problems.push(
          ruledOut(
            `assignments[${index}].role`,
            role,
            `is not a role of this project, and ${match === undefined ? 'no role has' : 'several have'} its label`,
          ),
        );
      return { username, role: match?.[0] ?? role };
    });
    if (problems.length > 0) throw new InvalidRequestError(problems);
    return this.client.roles.importAssignments(known, options);
  }

  async #roleLabels(options?: CallOptions): Promise<Map<string, string>> {
    const roles = await this.client.roles.list(options);
    return new Map(roles.map(({ uniqueName, label }) => [uniqueName, label]));
  }

  /** Returns fields of the data dictionary as CSV, in the eighteen columns of REDCap's API. */
  async dictionaryCsv(selection?: Parameters<CrfCalls['getMetadata']>[0]): Promise<string> {
    return toDictionaryCsv(await this.client.getMetadata(selection));
  }

  /**
   * Replaces the whole data dictionary. Fields that are left out are deleted.
   *
   * @param source CSV from an export or from REDCap's pages, or `{ "fields": [ … ] }`
   * @returns the number of fields of the project afterwards
   * @throws {InvalidRequestError} a field or a row is invalid; names the place, never the value
   * @throws {MalformedRequestError} {ProblemError} `payload_too_large`: the body cannot be read
   * @throws {ProblemError} `request_timeout`: the sender was slower than the minimum speed
   */
  async replaceDictionary(source: Readable, format: 'json' | 'csv', options?: CallOptions): Promise<number> {
    const text = await this.#textOf(source);
    const fields = format === 'csv' ? await parseDictionaryCsv(text) : fieldsFromJson(text);
    return this.client.dictionary.import(fields, options);
  }

  /** Reads a whole body as UTF-8. */
  async #textOf(source: Readable): Promise<string> {
    const body = new ImportBody(source, { limitBytes: MAX_DICTIONARY_BYTES, pace: this.pace });
    try {
      const pieces: Buffer[] = [];
      for await (const piece of body.pieces()) pieces.push(Buffer.from(piece));
      const text = decodeText(Buffer.concat(pieces), { input: 'body' });
      if (typeof text === 'string') return text;
      throw new MalformedRequestError(`The body ${text.message}.`, { rule: text });
    } finally {
      body.discardRest();
    }
  }
}

/** @returns the options of the call to REDCap */
function checkReplacement({ mayDelete, ...options }: ReplacementOptions): ReplaceOptions {
  if (options.isReplacement === true && !mayDelete) throw new InsufficientScopeError(['design:delete']);
  return options;
}
