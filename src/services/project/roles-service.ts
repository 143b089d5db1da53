import type {
  CallOptions,
  CrfClient,
  UserRole,
  UserRoleAssignment,
  UserRoleChange,
} from '../../gateways/redcap/crf-client.js';
import { withKnownNames } from './known-names.js';

type Methods = 'export' | 'import' | 'delete' | 'exportAssignments' | 'importAssignments';

/** The roles of the project and their users. */
export class RolesService {
  constructor(private readonly client: { readonly roles: Pick<CrfClient['roles'], Methods> }) {}

  /** Lists the roles with their rights. */
  list(options?: CallOptions): Promise<UserRole[]> {
    return this.client.roles.export(options);
  }

  /**
   * Creates and changes roles; others remain. A role without unique name is matched by its label, or created if there
   * is none. Repeating the call has no further effect.
   *
   * @throws {InvalidRequestError} several roles have the same label
   */
  async put(roles: readonly UserRoleChange[], options?: CallOptions): Promise<number> {
    const named = withKnownNames(roles, await this.list(options), {
      list: 'roles',
      labelOf: ({ label }) => label,
    });
    return this.client.roles.import(named, options);
  }

  /** Deletes a role. Its users then have no role. */
  delete(uniqueName: string, options?: CallOptions): Promise<number> {
    return this.client.roles.delete([uniqueName], options);
  }

  /** Lists the role of each user; empty for users without one. */
  listAssignments(options?: CallOptions): Promise<UserRoleAssignment[]> {
    return this.client.roles.exportAssignments(options);
  }

  /** Assigns roles to users. The roles of all other users remain unchanged. */
  putAssignments(assignments: readonly UserRoleAssignment[], options?: CallOptions): Promise<number> {
    return this.client.roles.importAssignments(assignments, options);
  }
}
