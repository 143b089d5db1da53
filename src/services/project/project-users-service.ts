import type {
  CallOptions,
  CrfClient,
  UserRights,
  UserRightsChange,
} from '../../gateways/redcap/crf-client.js';

/** The users of the project and their rights. */
export class ProjectUsersService {
  constructor(
    private readonly client: { readonly users: Pick<CrfClient['users'], 'export' | 'import' | 'delete'> },
  ) {}

  /** Lists the users with their rights. */
  list(options?: CallOptions): Promise<UserRights[]> {
    return this.client.users.export(options);
  }

  /**
   * Adds and changes users. Other users, and rights that are not given, remain unchanged. Repeating the call has no
   * further effect.
   */
  put(users: readonly UserRightsChange[], options?: CallOptions): Promise<number> {
    return this.client.users.import(users, options);
  }

  /** Removes a user from the project. */
  delete(username: string, options?: CallOptions): Promise<number> {
    return this.client.users.delete([username], options);
  }
}
