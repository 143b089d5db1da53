import type { LogicNode } from '../domain/logic/syntax.js';
import type { Deidentification } from './deidentify/row-changer.js';

/** Whether something may be seen only, or changed too. */
export type Access = 'read' | 'write';

/**
 * What a caller may see and change of a project: a smaller project. Immutable; compiled from a policy and a data
 * dictionary.
 */
export interface ProjectView {
  /** The name of the policy. */
  readonly policy: string;
  /**
   * Equal exactly for views that see and may change the same: what is kept for a view (services, caches, cursors, ETags,
   * idempotent answers) is kept under it. Contains no address and no value. De-identified views of other versions of the
   * policy file or its lock are others, because a manifest says by which files an export was made.
   */
  readonly key: string;
  /** The visible fields by name; the record id field is always one of them. */
  readonly fields: ReadonlyMap<string, Access>;
  /** The visible instruments: their form status, timestamps and mappings. */
  readonly forms: ReadonlyMap<string, Access>;
  /** The visible events by unique name; undefined for all, and in a classic project. */
  readonly events: ReadonlySet<string> | undefined;
  readonly rows: RowRule;
  /** The fields and form statuses that decide about the records: nobody may change them in a view. */
  readonly deciding: ReadonlySet<string>;
  /** Which records the caller may create. */
  readonly create: CreationRule;
  /** Whether the files of visible file fields may be downloaded, or changed too. */
  readonly files: 'none' | Access;
  /** The numbers of the reports that may be exported. */
  readonly reports: ReadonlySet<number>;
  readonly log: 'none' | 'read';
  /** How values are changed; undefined if they are shown as they are. Such a view is for reading only. */
  readonly deidentify: Deidentification | undefined;
}

/** Which records are created: none, under the number that REDCap gives, or under an id with a prefix. */
export type CreationRule =
  | { readonly kind: 'none' }
  | { readonly kind: 'auto' }
  | { readonly kind: 'prefix'; readonly prefix: string };

/** Which records a view has. */
export type RowRule =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  /** The records of a data access group, by its unique name. */
  | { readonly kind: 'dag'; readonly dag: string }
  /**
   * The one record whose field has the value, at one of the events; no record if there are several. Without events, it is
   * every event that has the form of the field.
   */
  | {
      readonly kind: 'own';
      readonly field: string;
      readonly events: readonly string[] | undefined;
      readonly equals: string;
    }
  /** The records of which a row satisfies the condition. What cannot be evaluated is not satisfied. */
  | { readonly kind: 'where'; readonly logic: LogicNode };
