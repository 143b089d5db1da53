import { isDeepStrictEqual } from 'node:util';
import { isProblem } from '../domain/errors/problem-error.js';
import type { DataDictionary } from '../domain/dictionary/data-dictionary.js';
import type { ProjectStructure } from '../domain/dictionary/project-structure.js';
import { NotInPolicyError } from '../domain/errors/access-errors.js';
import {
  aFunction,
  hasMethods,
  optional,
  optionProblems,
  refuseProblems,
  type OptionRules,
} from '../domain/identifiers/check-options.js';
import { PolicyInvalidError } from '../domain/errors/operator-errors.js';
import type { CallOptions, CrfClient, UserRights } from '../gateways/redcap/crf-client.js';
import { userOfEmail } from '../gateways/redcap/contents/users.js';
import { parseLogic } from '../domain/logic/parser.js';
import type { Secret } from '../domain/identifiers/secret.js';
import { loadProjectStructure, type StructureSource } from '../records/load-project-structure.js';
import { RecordKeys } from './deidentify/record-keys.js';
import type { FileDigests } from './deidentify/row-changer.js';
import { compilePolicy, viewWith, type CompiledPolicy } from './compile-view.js';
import type { Binding, Policy, PolicySet } from './policy-file.js';
import { acceptAll, type PolicyLock } from './policy-lock.js';
import type { ProjectView, RowRule } from './project-view.js';

/** What a service enforces: the policies, who has which, and the fields that were accepted. */
export interface PolicyFiles {
  readonly set: PolicySet;
  readonly lock: PolicyLock;
  /** What they were read from, for manifests; undefined for policies that a program has made. */
  readonly digests?: FileDigests | undefined;
}

/** A caller, as bindings know one: by the name of the API key, or by the address of the signed-in person. */
export interface BoundCaller {
  readonly kind: 'api-key' | 'session' | 'anonymous';
  /** `key:` and the name of the API key. */
  readonly name: string;
  readonly user?: { readonly email: string } | undefined;
}

type Source = StructureSource & { readonly users: Pick<CrfClient['users'], 'list'> };

/** How long the users of the project, and so their groups, may be out of date. */
const USERS_MS = 60_000;

/** What the views of a service need besides their files. */
export interface CallerViewsOptions {
  /** Reveals PSEUDONYM_KEY, 64 hexadecimal digits, without which a policy that de-identifies is closed. */
  readonly pseudonymKey?: Pick<Secret, 'reveal'> | undefined;
  /** The time in milliseconds since 1970; `Date.now` by default. */
  readonly clock?: (() => number) | undefined;
}

const OPTIONS: OptionRules<keyof CallerViewsOptions> = {
  pseudonymKey: optional((value) => hasMethods(value, 'reveal'), 'must have a method reveal'),
  clock: aFunction,
};

/** Decides what each caller sees of the project. What is not decided is nothing. */
export class CallerViews {
  #files: PolicyFiles;
  readonly #pseudonymKey: Pick<Secret, 'reveal'> | undefined;
  readonly #clock: () => number;
  #compiled = new WeakMap<
    PolicyFiles,
    { readonly structure: ProjectStructure; readonly policies: Map<string, CompiledPolicy> }
  >();
  #users: { readonly at: number; readonly list: Promise<readonly UserRights[]> } | undefined;

  /**
   * @param source the whole project
   * @param secret is part of the keys of views: the same in every process of a service
   * @throws {ConfigurationError} an option is not valid
   */
  constructor(
    private readonly source: Source,
    files: PolicyFiles,
    private readonly secret: string,
    options: CallerViewsOptions = {},
  ) {
    refuseProblems(optionProblems(options, OPTIONS));
    const { pseudonymKey, clock = Date.now } = options;
    this.#files = files;
    this.#pseudonymKey = pseudonymKey;
    this.#clock = clock;
  }

  /** Puts other files to use, from the next call on. */
  replace(files: PolicyFiles): void {
    this.#files = files;
  }

  /**
   * Returns what a caller sees: the smaller project of the first binding that fits.
   *
   * @throws {NotInPolicyError} no binding fits, or the group or the address that it needs is not known
   * @throws {PolicyInvalidError} the policy names what the project does not have
   * @throws {CrfError} what REDCap answered when it was asked for the structure of the project, or its users
   */
  async viewOf(caller: BoundCaller, call: CallOptions = {}): Promise<ProjectView> {
    const files = this.#files;
    const binding = files.set.bindings.find((each) => fits(each, caller));
    if (binding === undefined) throw new NotInPolicyError();
    if (binding.mirror !== undefined) return this.#mirrored(files, binding, caller, call);
    const { policy: name = '' } = binding;
    const policy = files.set.policies[name];
    if (policy === undefined) throw new NotInPolicyError();
    const rows = await this.#rowsOf(policy, binding, caller, call);
    const structure = await loadProjectStructure(this.source, call);
    const compiled = this.#compile(files, name, policy, structure);
    return viewWith(compiled, rows, this.secret, {
      keys: await this.#keysOf(compiled, call),
      digests: files.digests,
    });
  }

  /** Compiles every policy. @throws {PolicyInvalidError} the first that does not fit the project */
  async check(call: CallOptions = {}): Promise<void> {
    const files = this.#files;
    const structure = await loadProjectStructure(this.source, call);
    for (const [name, policy] of Object.entries(files.set.policies))
      await this.#keysOf(this.#compile(files, name, policy, structure), call);
  }

  /** What REDCap shows the user with the address of the caller. No lock is needed: REDCap's own rights are by field. */
  async #mirrored(
    files: PolicyFiles,
    binding: Binding,
    caller: BoundCaller,
    call: CallOptions,
  ): Promise<ProjectView> {
    const user = await this.#userOf(caller, call);
    if (user === undefined) throw new NotInPolicyError();
    const structure = await loadProjectStructure(this.source, call);
    const policy = mirroredPolicy(user, structure.dictionary);
    // Who may see nothing has no rights; no file is wrong.
    if (Object.values(policy.forms).every((access) => access === 'none')) throw new NotInPolicyError();
    const rows = await this.#rowsOf(policy, binding, caller, call);
    return viewWith(this.#compile(files, MIRRORED, policy, structure), rows, this.secret);
  }

  #compile(files: PolicyFiles, name: string, policy: Policy, structure: ProjectStructure): CompiledPolicy {
    const before = this.#compiled.get(files);
    const kept =
      before && isSame(before.structure, structure)
        ? before
        : { structure, policies: new Map<string, CompiledPolicy>() };
    this.#compiled.set(files, kept);
    // Users with the same rights share a policy.
    const key = name === MIRRORED ? JSON.stringify(policy) : name;
    const known = kept.policies.get(key);
    if (known !== undefined) return known;
    const lock = name === MIRRORED ? acceptAll({ policies: { [name]: policy } }, structure) : files.lock;
    const compiled = compilePolicy(name, policy, structure, lock);
    kept.policies.set(key, compiled);
    return compiled;
  }

  /** Records have other pseudonyms in every project and policy, so that two tables cannot be joined by them. */
  async #keysOf({ policy, deidentify }: CompiledPolicy, call: CallOptions): Promise<RecordKeys | undefined> {
    if (deidentify === undefined) return undefined;
    if (this.#pseudonymKey === undefined)
      throw new PolicyInvalidError([{ field: 'PSEUDONYM_KEY', message: 'is needed for it' }], policy);
    const { id } = await this.source.project.getInfo(call);
    return new RecordKeys(
      Buffer.from(this.#pseudonymKey.reveal(), 'hex'),
      `${policy} in project ${id}`,
      deidentify.recordId === 'random',
    );
  }

  async #rowsOf(
    { records }: Policy,
    { dag }: Binding,
    caller: BoundCaller,
    call: CallOptions,
  ): Promise<RowRule> {
    if (records === 'all' || records === 'none') return { kind: records };
    if ('own' in records) {
      const email = caller.user?.email ?? '';
      if (email === '') throw new NotInPolicyError();
      return { kind: 'own', field: records.own.field, events: records.own.event, equals: email };
    }
    if ('where' in records) {
      const parsed = parseLogic(records.where);
      if ('problem' in parsed) throw new NotInPolicyError();
      return { kind: 'where', logic: parsed.tree };
    }
    const named = records.dag === '$caller.dag' ? dag : records.dag;
    const unique = named === '$user.dag' ? (await this.#userOf(caller, call))?.dag : named;
    if (unique === undefined || unique === '') throw new NotInPolicyError();
    return { kind: 'dag', dag: unique };
  }

  /** @returns the user with the address of the caller; undefined if there is none, or several, or access is over */
  async #userOf({ user }: BoundCaller, { caller }: CallOptions): Promise<UserRights | undefined> {
    if (user === undefined || user.email === '') return undefined;
    try {
      const found = userOfEmail(await this.#projectUsers(caller), user.email, ({ username }) => username);
      return isOver(found.expiration, this.#clock()) ? undefined : found;
    } catch (error) {
      if (isProblem(error, 'user_not_found', 'ambiguous_user')) return undefined;
      throw error;
    }
  }

  /** All callers wait for one call, which the end of one request therefore does not cancel. */
  #projectUsers(caller: string | undefined): Promise<readonly UserRights[]> {
    const now = this.#clock();
    if (this.#users !== undefined && Math.abs(now - this.#users.at) < USERS_MS) return this.#users.list;
    const list = this.source.users.list({ caller });
    const asked = { at: now, list };
    this.#users = asked;
    list.catch(() => {
      if (this.#users === asked) this.#users = undefined;
    });
    return list;
  }
}

function fits({ key, session }: Binding, { kind, name, user }: BoundCaller): boolean {
  if (key !== undefined) return kind === 'api-key' && name === `key:${key}`;
  return session !== undefined && kind === 'session' && fitsAddress(session, user?.email ?? '');
}

/** Whether a pattern is for an address. One `*` may stand for anything. A blank address fits none. */
export function fitsAddress(pattern: string, email: string): boolean {
  if (email === '') return false;
  const address = email.toLowerCase();
  const [before = '', after] = pattern.split('*');
  if (after === undefined) return address === before;
  return (
    address.length >= before.length + after.length && address.startsWith(before) && address.endsWith(after)
  );
}

/** The access of a user ends at the beginning of the day of its expiration. @see docs/protocol/redcap.md 10.3 (choice) */
function isOver(expiration: string, now: number): boolean {
  return expiration !== '' && expiration <= new Date(now).toISOString().slice(0, 10);
}

/**
 * Whether policies mean the same in two structures. The dictionary is the same object for as long as the answer of
 * REDCap is cached; without a cache, it is compared.
 */
function isSame(one: ProjectStructure, other: ProjectStructure): boolean {
  return (
    one.projectId === other.projectId &&
    (one.dictionary === other.dictionary ||
      isDeepStrictEqual(one.dictionary.fields, other.dictionary.fields)) &&
    isDeepStrictEqual(one.events, other.events) &&
    isDeepStrictEqual(one.missingDataCodes, other.missingDataCodes)
  );
}

/** The name of the policy of whoever sees what REDCap shows the user with their address. No policy of a file can have it. */
const MIRRORED = 'mirror:redcap-user';

/**
 * Returns the policy that grants what REDCap grants a user: the forms that they may see and export, the changes that
 * they may make there, and the records of their group. Identifiers are hidden on a form that they may export only
 * without these. A form that they may export only de-identified is hidden, because REDCap also hashes the record ids.
 *
 * @see docs/protocol/redcap.md 4.7, 10.3 (doc)
 */
function mirroredPolicy(
  { dag, forms, formsExport }: Pick<UserRights, 'dag' | 'forms' | 'formsExport'>,
  { fields, instruments }: DataDictionary,
): Policy {
  const exported = instruments.filter((form) => formsExport[form] === 1 || formsExport[form] === 3);
  const hide = fields
    .filter(({ instrument, isIdentifier }) => isIdentifier && formsExport[instrument] !== 1)
    .map(({ name }) => name);
  return {
    records: dag === '' ? 'all' : { dag },
    forms: Object.fromEntries(exported.map((form) => [form, accessOf(forms[form] ?? 0)])),
    fields: { hide },
    create: false,
    files: 'none',
    log: 'none',
    deidentify: 'none',
  };
}

/** From REDCap 15.6 on, the lowest bits beside 128 say what before was the whole number, but for view and edit. */
function accessOf(right: number): 'read' | 'write' | 'none' {
  if (right >= 128) return (['none', 'read', 'write', 'none'] as const)[right & 3] ?? 'none';
  return (['none', 'write', 'read', 'write'] as const)[right] ?? 'none';
}
