import type { CallOptions, CrfCalls } from '../gateways/redcap/crf-client.js';
import { isProblem } from '../domain/errors/problem-error.js';
import { userOfEmail } from '../gateways/redcap/contents/users.js';
import { Email } from '../domain/identifiers/email.js';
import { FieldName, isUserId } from '../domain/identifiers/names.js';
import { where } from '../domain/logic/builder.js';

export type UserSource = 'records' | 'project-users';

/** The user with an email address. */
export interface ResolvedUser {
  /**
   * The user id, as in REDCap.
   * @example "ada.lovelace"
   */
  readonly id: string;
  /**
   * The email address, as in REDCap.
   * @example "ada.lovelace@example.org"
   */
  readonly email: string;
  /** Where the user was found: in the records, or in REDCap's own list of users. */
  readonly source: UserSource;
}

export interface UserFinderOptions {
  /** `auto`, the default: records if the data dictionary has both fields, otherwise the project's users. */
  readonly userSource?: UserSource | 'auto' | undefined;
  /** The field with a person's address; `email` by default. */
  readonly userEmailField?: string | undefined;
  /** The field with a person's user id; `userid` by default. */
  readonly userIdField?: string | undefined;
}

/** Finds the user of a project by email address, in the records or in REDCap's own list of users. */
export class UserFinder {
  readonly #userSource: UserSource | 'auto';
  readonly #userEmailField: FieldName;
  readonly #userIdField: FieldName;

  constructor(
    private readonly client: CrfCalls,
    options: UserFinderOptions = {},
  ) {
    this.#userSource = options.userSource ?? 'auto';
    this.#userEmailField = FieldName(options.userEmailField ?? 'email');
    this.#userIdField = FieldName(options.userIdField ?? 'userid');
  }

  /**
   * Finds the only user with an address. Ignores case.
   *
   * @throws {ProblemError} `user_not_found`: no user has it
   * @throws {ProblemError} `ambiguous_user`: it belongs to several user ids. Choosing one could give a person another
   *   person's
   *   data.
   */
  async find(email: Email, options: CallOptions = {}): Promise<ResolvedUser> {
    const source = await this.#resolveSource(options);
    const candidates =
      source === 'records' ? await this.#usersInRecords(email, options) : await this.#projectUsers(options);

    return { ...userOfEmail(candidates, email, ({ id }) => id), source };
  }

  /**
   * Returns the user id of an address for a new account, or undefined if the study does not know the address or the id is
   * not valid for an account.
   *
   * @throws {CrfError} what REDCap answered; the sign-in then goes on without the id, and records an event
   */
  async idOf(email: string): Promise<string | undefined> {
    try {
      const { id } = await this.find(Email(email), { caller: 'sign-in' });
      return isUserId(id) ? id : undefined;
    } catch (error) {
      if (isProblem(error, 'user_not_found')) return undefined;
      throw error;
    }
  }

  async #resolveSource(options: CallOptions): Promise<UserSource> {
    if (this.#userSource !== 'auto') return this.#userSource;
    const names = new Set((await this.client.fields.list(options)).map(({ name }) => name));
    return names.has(this.#userEmailField) && names.has(this.#userIdField) ? 'records' : 'project-users';
  }

  async #usersInRecords(email: Email, options: CallOptions): Promise<UserRow[]> {
    const fields = await this.client.fields.list(options);
    const [recordIdField] = fields;
    const rows = await this.client.exportRecords({
      ...options,
      // Includes the record id, so that rows without a user id are exported too.
      fields: [
        ...new Set([recordIdField?.name ?? this.#userIdField, this.#userEmailField, this.#userIdField]),
      ],
      // REDCap compares text case-sensitively (docs/protocol/redcap.md 7.1), but addresses must match in any case.
      filterLogic: String(where(this.#userEmailField).eqIgnoringCase(email)),
    });
    return rows
      .map((row) => ({
        id: String(row[this.#userIdField] ?? ''),
        email: String(row[this.#userEmailField] ?? ''),
      }))
      .filter(({ id }) => id !== '');
  }

  async #projectUsers(options: CallOptions): Promise<UserRow[]> {
    const users = await this.client.users.list(options);
    return users.map(({ username, email }) => ({ id: username, email }));
  }
}

interface UserRow {
  readonly id: string;
  readonly email: string;
}
