import type {
  CallOptions,
  CrfClient,
  ExportFieldName,
  FieldValidation,
  Instrument,
  ProjectInfo,
} from '../gateways/redcap/crf-client.js';
import { userOfEmail } from '../gateways/redcap/user-of-email.js';
import type { Email } from '../identifiers/email.js';
import { FieldName } from '../identifiers/field-name.js';
import { where } from '../logic/builder.js';

/** Where the users of a project are looked up. */
export type UserSource = 'records' | 'project-users';

/** The user with an email address. */
export interface ResolvedUser {
  readonly id: string;
  readonly email: string;
  readonly source: UserSource;
}

export interface CrfServiceOptions {
  /** `auto`, the default: records if the data dictionary has both fields, otherwise the project's users. */
  readonly userSource?: UserSource | 'auto' | undefined;
  /** The field with a person's address; `email` by default. */
  readonly userEmailField?: string | undefined;
  /** The field with a person's user id; `userid` by default. */
  readonly userIdField?: string | undefined;
}

/** The operations of the client that the service needs. */
export interface ProjectReader extends Pick<
  CrfClient,
  'getVersion' | 'getProjectInfo' | 'getMetadata' | 'exportRecords'
> {
  readonly instruments: Pick<CrfClient['instruments'], 'export'>;
  readonly dictionary: Pick<CrfClient['dictionary'], 'exportFieldNames' | 'exportValidations'>;
  readonly users: Pick<CrfClient['users'], 'export'>;
}

/** The business rules of data capture. Independent of HTTP and Express. */
export class CrfService {
  readonly #client: ProjectReader;
  readonly #userSource: UserSource | 'auto';
  readonly #userEmailField: FieldName;
  readonly #userIdField: FieldName;

  constructor(client: ProjectReader, options: CrfServiceOptions = {}) {
    this.#client = client;
    this.#userSource = options.userSource ?? 'auto';
    this.#userEmailField = FieldName(options.userEmailField ?? 'email');
    this.#userIdField = FieldName(options.userIdField ?? 'userid');
  }

  getVersion(options?: CallOptions): Promise<string> {
    return this.#client.getVersion(options);
  }

  getProjectInfo(options?: CallOptions): Promise<ProjectInfo> {
    return this.#client.getProjectInfo(options);
  }

  getInstruments(options?: CallOptions): Promise<Instrument[]> {
    return this.#client.instruments.export(options);
  }

  getExportFieldNames(
    options?: CallOptions & { readonly field?: string | undefined },
  ): Promise<ExportFieldName[]> {
    return this.#client.dictionary.exportFieldNames(options);
  }

  /** Returns the text validations of this REDCap. Sites can define their own. */
  getFieldValidations(options?: CallOptions): Promise<FieldValidation[]> {
    return this.#client.dictionary.exportValidations(options);
  }

  /**
   * Finds the only user with an address. Ignores case.
   *
   * @throws {UserNotFoundError} no user has it
   * @throws {AmbiguousUserError} it belongs to several user ids. Choosing one could give a person another person's
   *   data.
   */
  async findUser(email: Email, options: CallOptions = {}): Promise<ResolvedUser> {
    const source = await this.#resolveSource(options);
    const candidates =
      source === 'records' ? await this.#usersInRecords(email, options) : await this.#projectUsers(options);

    return { ...userOfEmail(candidates, email), source };
  }

  async #resolveSource(options: CallOptions): Promise<UserSource> {
    if (this.#userSource !== 'auto') return this.#userSource;
    const names = new Set((await this.#client.getMetadata(options)).map(({ name }) => name));
    return names.has(this.#userEmailField) && names.has(this.#userIdField) ? 'records' : 'project-users';
  }

  async #usersInRecords(email: Email, options: CallOptions): Promise<UserRow[]> {
    const fields = await this.#client.getMetadata(options);
    const [recordIdField] = fields;
    const rows = await this.#client.exportRecords({
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
    const users = await this.#client.users.export(options);
    return users.map(({ id, email }) => ({ id, email }));
  }
}

interface UserRow {
  readonly id: string;
  readonly email: string;
}
