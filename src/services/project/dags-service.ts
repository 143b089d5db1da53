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
 * Data access groups, and who is in which. The group of the token itself is not switched here: that would change what
 * every caller of this service sees.
 */
export class DagsService {
  constructor(private readonly client: { readonly dags: Pick<CrfClient['dags'], Methods> }) {}

  list(options?: CallOptions): Promise<DataAccessGroup[]> {
    return this.client.dags.export(options);
  }

  /**
   * Makes and renames groups; others stay. A group without its unique name is the one that has the name, or else a new
   * one: sent twice the list comes to the same.
   *
   * @throws {InvalidRequestError} several groups have the name
   */
  async put(groups: readonly DataAccessGroupChange[], options?: CallOptions): Promise<number> {
    const labelOf = ({ name }: DataAccessGroupChange): string => name;
    const named = withKnownNames(groups, await this.list(options), {
      list: 'dags',
      labelOf: { sent: labelOf, known: labelOf },
    });
    return this.client.dags.import(named, options);
  }

  /** Deletes a group; its records stand in no group then. */
  delete(uniqueName: string, options?: CallOptions): Promise<number> {
    return this.client.dags.delete([uniqueName], options);
  }

  listAssignments(options?: CallOptions): Promise<DataAccessGroupAssignment[]> {
    return this.client.dags.exportAssignments(options);
  }

  /** Puts users into groups; users who are not sent stay where they are. */
  putAssignments(assignments: readonly DataAccessGroupAssignment[], options?: CallOptions): Promise<number> {
    return this.client.dags.importAssignments(assignments, options);
  }
}
