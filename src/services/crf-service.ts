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

/** The user an address belongs to. */
export interface ResolvedUser {
  readonly id: string;
  readonly email: string;
  readonly source: UserSource;
}

export interface CrfServiceOptions {
  /** `auto`, the default: records where the data dictionary has both fields, else the project's users. */
  readonly userSource?: UserSource | 'auto' | undefined;
  /** The field that holds a person's address; `email` by default. */
  readonly userEmailField?: string | undefined;
  /** The field that holds a person's user id; `userid` by default. */
  readonly userIdField?: string | undefined;
}

/** What the service needs of the client, and no more. */
export interface ProjectReader extends Pick<
  CrfClient,
  'getVersion' | 'getProjectInfo' | 'getMetadata' | 'exportRecords'
> {
  readonly instruments: Pick<CrfClient['instruments'], 'export'>;
  readonly dictionary: Pick<CrfClient['dictionary'], 'exportFieldNames' | 'exportValidations'>;
  readonly users: Pick<CrfClient['users'], 'export'>;
}

/** The rules of data capture. Knows no HTTP status and no Express type. */
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

  /** The text validations of this REDCap: sites make their own. */
  getFieldValidations(options?: CallOptions): Promise<FieldValidation[]> {
    return this.#client.dictionary.exportValidations(options);
  }

  /**
   * Finds the one user behind an address, compared without regard to case.
   *
   * @throws {UserNotFoundError} nobody has it
   * @throws {AmbiguousUserError} it leads to several user ids: guessing would give one person another's data
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
      // With the record id, so that a row without a user id is still a row.
      fields: [
        ...new Set([recordIdField?.name ?? this.#userIdField, this.#userEmailField, this.#userIdField]),
      ],
      // REDCap compares text with case (docs/protocol/redcap.md 7.1), people do not.
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
