import type { Readable } from 'node:stream';
import { isProblem, ProblemError } from '../../domain/errors/problem-error.js';
import { parseDictionaryCsv, toDictionaryCsv } from '../../domain/dictionary/dictionary-csv.js';
import type { Field } from '../../domain/dictionary/field.js';
import { fieldsFromJson } from '../../domain/dictionary/fields-from-json.js';
import { InsufficientScopeError } from '../../domain/errors/access-errors.js';
import { MalformedRequestError } from '../../domain/errors/caller-errors.js';
import { decodeText } from '../../domain/bytes/decode-text.js';
import type { FieldProblem } from '../../domain/errors/field-problem.js';
import type { NameKind } from '../../domain/errors/sentences.js';
import { unknownName } from '../../domain/identifiers/nearest-name.js';
import type { OrUndefined } from '../../domain/identifiers/check-options.js';
import type {
  CallOptions,
  CrfClient,
  FieldSelection,
  ProjectSettings,
  WriteOptions,
} from '../../gateways/redcap/crf-client.js';
import type { AuditedOptions } from '../../records/audit-notes.js';
import { isRefusal } from '../../gateways/redcap/call-errors.js';
import { ImportBody } from '../../records/import/import-body.js';
import { Turns } from '../../records/import/turns.js';
import type { ReaderPaceOptions } from '../../records/streaming/reader-pace.js';
import {
  type ChangeOutcome,
  checkNames,
  previewDelete,
  previewFields,
  previewPut,
  previewSettings,
} from './change-preview.js';
import {
  DESIGN_LISTS,
  type DesignLists,
  type LabelledRoleAssignment,
  namesIn,
  roleLabels,
} from './design-lists.js';

/** How the design is changed. */
export interface ChangeOptions extends AuditedOptions {
  /** Checks everything, sends nothing, and says what would change. */
  readonly dryRun?: boolean | undefined;
  /**
   * Checks in REDCap whether the design is as its author has read it; undefined if the author made no condition.
   * Conditional changes are made one after the other within this process, so that of two authors who have read the same
   * design, the second is refused. REDCap has no conditional changes: a change made elsewhere between the check and the
   * change is not noticed.
   */
  readonly isUnchanged?: (() => Promise<boolean>) | undefined;
}

/** How a list is put, and what the caller may do. */
export interface PutOptions extends ChangeOptions {
  /** Arms and events: whether those that are not sent are deleted, with all data stored there. No by default. */
  readonly replace?: boolean | undefined;
  /** Whether the caller has `design:delete`: what is replaced is deleted with its data. */
  readonly mayDelete?: boolean | undefined;
}

/** How the data dictionary is replaced, and what the caller may do. */
export interface FieldsOptions extends ChangeOptions {
  /** Whether the caller may read records: a dry run then counts the stored values that nobody would see any more. */
  readonly mayReadRecords?: boolean | undefined;
}

/** What each list has, and the parameter that names one of them. */
const DELETED = {
  arms: ['arm', 'arm'],
  events: ['event', 'event'],
  dags: ['dag', 'dag'],
  roles: ['role', 'role'],
  users: ['user', 'username'],
} as const satisfies Record<string, readonly [kind: NameKind, parameter: string]>;

/** A list from which single entries can be deleted. */
export type DeletableList = keyof typeof DELETED;

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
    private readonly client: CrfClient,
    private readonly pace?: ReaderPaceOptions,
    private readonly turns = new Turns(),
  ) {}

  /**
   * Adds and changes the entries of a list, and deletes the others where it replaces. An event, group or role without
   * unique name, or with that of another project, is matched by its label (an event within its arm), or created if there
   * is none; a role that this project does not have is assigned by its label.
   *
   * @throws {InvalidRequestError} several entries have the same label, or no role or several have it, or an
   *   entry names what the project does not have
   * @throws {InsufficientScopeError} a replacement by a caller who may not delete
   * @throws {ProblemError} `precondition_failed`: the design has changed; nothing was changed by this call
   */
  async put<List extends keyof DesignLists>(
    list: List,
    entries: readonly DesignLists[List][],
    options: PutOptions = {},
  ): Promise<ChangeOutcome> {
    const { replace, mayDelete = false } = options;
    if (replace === true && !mayDelete) throw new InsufficientScopeError(['design:delete']);
    const { recognise, put } = DESIGN_LISTS[list];
    return this.#change(options, async (call) => {
      const sent = (await recognise?.(this.client, entries, callOf(call))) ?? entries;
      const given = DESIGN_LISTS[list].replaces === 'on request' ? { replace, ...call } : call;
      // Of a change, the first call is a dry run too: whoever may not make it learns that before it is looked into.
      const count = await put(this.client, sent, { ...given, dryRun: true });
      if (call.dryRun)
        return { count, ...(await previewPut(this.client, list, sent, { replace, call: callOf(call) })) };
      await checkNames(this.client, list, sent, callOf(call)).catch(unlessRefused);
      return { count: await put(this.client, sent, given) };
    });
  }

  /** Changes settings of the project; others remain. */
  async putInfo(settings: OrUndefined<ProjectSettings>, options: ChangeOptions = {}): Promise<ChangeOutcome> {
    return this.#change(options, async (call) => {
      const count = await this.client.project.putInfo(settings, { ...call, dryRun: true });
      const checking = previewSettings(this.client, settings, callOf(call));
      const preview = await checking.catch(call.dryRun ? undefined : unlessRefused);
      return call.dryRun
        ? { count, ...preview }
        : { count: await this.client.project.putInfo(settings, call) };
    });
  }

  /**
   * Deletes arms, events, groups, roles or users, one after the other, and those that exist even if others do not.
   *
   * @returns the number of those that were deleted
   * @throws {ProblemError} `name_not_found`: names those that the project does not have
   */
  async delete<List extends DeletableList>(
    list: List,
    names: readonly (string | number)[],
    options: ChangeOptions = {},
  ): Promise<ChangeOutcome> {
    const [kind, parameter] = DELETED[list];
    return this.#change(options, async (call) => {
      const known = call.dryRun ? new Set(await namesIn(list, this.client, callOf(call))) : undefined;
      const errors: FieldProblem[] = [];
      let count = 0;
      for (const name of names) {
        // An arm has a number, all others a name.
        const deleting = this.client[list].delete([name] as never[], call);
        const deleted = await deleting.catch((error: unknown) => {
          if (isProblem(error, 'name_not_found')) return 0;
          throw error;
        });
        // REDCap does not list an arm without events.
        const isUnknown = known?.has(String(name)) === false && list !== 'arms';
        if (deleted === 0 || isUnknown)
          errors.push({ ...unknownName(kind, parameter, name), name: String(name) });
        count += isUnknown ? 0 : deleted;
      }
      if (errors.length > 0) throw new ProblemError('name_not_found', { errors });
      if (known === undefined) return { count };
      const hasUnseenArm = list === 'arms' && names.some((name) => !known.has(String(name)));
      const preview = { call: callOf(call), hasUnseenArm };
      return { count, ...(await previewDelete(this.client, list, names.map(String), preview)) };
    });
  }

  /** Makes a change, if the design is as its author has read it, or says what it would be. */
  async #change(
    { isUnchanged, dryRun, signal, caller, traceparent, audit }: ChangeOptions,
    make: (call: WriteOptions) => Promise<ChangeOutcome>,
  ): Promise<ChangeOutcome> {
    if (dryRun) audit?.add({ dryRun });
    const change = (): Promise<ChangeOutcome> => make({ signal, caller, traceparent, dryRun });
    if (isUnchanged === undefined) return change();
    return this.turns.take(async () => {
      // The cache may be older than what the author has read.
      this.client.clearCache();
      if (!(await isUnchanged())) throw new ProblemError('precondition_failed');
      return change();
    });
  }

  /** Returns the role of each user with its label, so that another project can take the list. */
  async roleAssignments(
    options?: CallOptions,
  ): Promise<(LabelledRoleAssignment & { readonly roleLabel: string })[]> {
    const assignments = await this.client.roleAssignments.list(options);
    const labels = await roleLabels(this.client, options);
    return assignments.map((entry) => ({ ...entry, roleLabel: labels.get(entry.role) ?? '' }));
  }

  /** Returns fields of the data dictionary as CSV, in the eighteen columns of REDCap's API. */
  async dictionaryCsv(selection?: FieldSelection): Promise<string> {
    return toDictionaryCsv(await this.client.fields.list(selection));
  }

  /**
   * Replaces the whole data dictionary. Fields that are left out are deleted.
   *
   * @param source CSV from an export or from REDCap's pages, or `{ "data": [ … ] }`
   * @returns with the number of fields of the project afterwards
   * @throws {InvalidRequestError} a field or a row is invalid; names the place, never the value
   * @throws {MalformedRequestError} {ProblemError} `payload_too_large`: the body cannot be read
   * @throws {ProblemError} `request_timeout`: the sender was slower than the minimum speed
   */
  async replaceDictionary(
    source: Readable,
    format: 'json' | 'csv',
    options: FieldsOptions = {},
  ): Promise<ChangeOutcome> {
    return this.#change(options, async (call) => {
      const text = await this.#textOf(source);
      const fields = format === 'csv' ? await parseDictionaryCsv(text) : fieldsFromJson(text);
      return this.#sendFields(fields, options, call);
    });
  }

  /** Replaces the whole data dictionary with fields. */
  async putFields(fields: readonly Field[], options: FieldsOptions = {}): Promise<ChangeOutcome> {
    return this.#change(options, (call) => this.#sendFields(fields, options, call));
  }

  async #sendFields(
    fields: readonly Field[],
    { mayReadRecords = false }: FieldsOptions,
    call: WriteOptions,
  ): Promise<ChangeOutcome> {
    const count = await this.client.fields.put(fields, call);
    return call.dryRun
      ? { count, ...(await previewFields(this.client, fields, { mayReadRecords, call: callOf(call) })) }
      : { count };
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

/** Returns the options of a read that a change makes. */
function callOf({ dryRun: _, ...call }: WriteOptions): CallOptions {
  return call;
}

/** A token that may not read the names may still be allowed to make the change. */
function unlessRefused(error: unknown): void {
  if (!isRefusal(error)) throw error;
}
