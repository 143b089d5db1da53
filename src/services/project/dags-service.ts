import type {
  CallOptions,
  CrfClient,
  DataAccessGroup,
  DataAccessGroupAssignment,
  DataAccessGroupChange,
} from '../../gateways/redcap/crf-client.js';
import { withKnownNames } from './known-names.js';

type Methods = 'export' | 'import' | 'delete' | 'exportAssignments' | 'importAssignments';

/**
 * Data access groups and their users. The group of the token itself cannot be switched here, because that would change
 * what all callers of this service see.
 */
export class DagsService {
  constructor(private readonly client: { readonly dags: Pick<CrfClient['dags'], Methods> }) {}

  /** Lists the groups, in REDCap's order. */
  list(options?: CallOptions): Promise<DataAccessGroup[]> {
    return this.client.dags.export(options);
  }

  /**
   * Creates and renames groups; others remain. A group without unique name is matched by its name, or created if there
   * is none. Repeating the call has no further effect.
   *
   * @throws {InvalidRequestError} several groups have the same name
   */
  async put(groups: readonly DataAccessGroupChange[], options?: CallOptions): Promise<number> {
    const named = withKnownNames(groups, await this.list(options), {
      list: 'dags',
      labelOf: ({ name }) => name,
    });
    return this.client.dags.import(named, options);
  }

  /** Deletes a group. Its records then belong to no group. */
  delete(uniqueName: string, options?: CallOptions): Promise<number> {
    return this.client.dags.delete([uniqueName], options);
  }

  /** Lists the group of each user; empty for users in none. */
  listAssignments(options?: CallOptions): Promise<DataAccessGroupAssignment[]> {
    return this.client.dags.exportAssignments(options);
  }

  /** Assigns users to groups. The groups of all other users remain unchanged. */
  putAssignments(assignments: readonly DataAccessGroupAssignment[], options?: CallOptions): Promise<number> {
    return this.client.dags.importAssignments(assignments, options);
  }
}
