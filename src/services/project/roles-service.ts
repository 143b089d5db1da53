import type {
  CallOptions,
  CrfClient,
  UserRole,
  UserRoleAssignment,
  UserRoleChange,
} from '../../gateways/redcap/crf-client.js';
import { withKnownNames } from './known-names.js';

type Methods = 'export' | 'import' | 'delete' | 'exportAssignments' | 'importAssignments';

/** The roles of the project, and who has which. */
export class RolesService {
  constructor(private readonly client: { readonly roles: Pick<CrfClient['roles'], Methods> }) {}

  list(options?: CallOptions): Promise<UserRole[]> {
    return this.client.roles.export(options);
  }

  /**
   * Makes and changes roles; others stay. A role without its unique name is the one that has the label, or else a new
   * one: sent twice the list comes to the same.
   *
   * @throws {InvalidRequestError} several roles have the label
   */
  async put(roles: readonly UserRoleChange[], options?: CallOptions): Promise<number> {
    const labelOf = ({ label }: { readonly label: string }): string => label;
    const named = withKnownNames(roles, await this.list(options), {
      list: 'roles',
      labelOf: { sent: labelOf, known: labelOf },
    });
    return this.client.roles.import(named, options);
  }

  /** Deletes a role; its users have none then. */
  delete(uniqueName: string, options?: CallOptions): Promise<number> {
    return this.client.roles.delete([uniqueName], options);
  }

  listAssignments(options?: CallOptions): Promise<UserRoleAssignment[]> {
    return this.client.roles.exportAssignments(options);
  }

  /** Gives users their roles; users who are not sent keep theirs. */
  putAssignments(assignments: readonly UserRoleAssignment[], options?: CallOptions): Promise<number> {
    return this.client.roles.importAssignments(assignments, options);
  }
}
