/**
 * What the help says of a command for a list of the project, such as `crf arms`. Its operations are in `resources.ts`,
 * which is loaded when the command runs.
 */
export interface ResourceCommand {
  readonly describe: string;
  /** What `put` does, for help and confirmation. */
  readonly put?: string;
  /** Whether `put --replace` deletes entries that are not sent. */
  readonly isReplaceable?: boolean;
  /** The argument of `delete`, and what it does, for help and confirmation. */
  readonly delete?: { readonly argument: string; readonly does: string };
}

/** The lists of a project, in the order of the help. */
export const RESOURCE_COMMANDS = {
  arms: {
    describe: 'List, add, rename or delete the arms',
    put: 'add or rename arms',
    isReplaceable: true,
    delete: { argument: 'number', does: 'delete arms with their events and everything that is stored there' },
  },
  events: {
    describe: 'List, add, change or delete the events',
    put: 'add or change events',
    isReplaceable: true,
    delete: { argument: 'event', does: 'delete events with everything that is stored there' },
  },
  mappings: {
    describe: 'List or replace the instruments of each event',
    put: 'replace all instrument-event mappings',
  },
  repeating: {
    describe: 'List or replace the repeating instruments and events',
    put: 'replace everything that repeats',
  },
  dags: {
    describe: 'List, make, rename or delete the data access groups',
    put: 'make or rename data access groups',
    delete: { argument: 'dag', does: 'delete data access groups; their records then belong to none' },
  },
  'dag-assignments': {
    describe: 'List or change who is in which data access group',
    put: 'put users into data access groups',
  },
  users: {
    describe: 'List, add, change or remove the users of the project',
    put: 'add users or change their rights',
    delete: { argument: 'username', does: 'take users out of the project' },
  },
  roles: {
    describe: 'List, make, change or delete the roles',
    put: 'make or change roles',
    delete: { argument: 'role', does: 'delete roles; their users then have none' },
  },
  'role-assignments': {
    describe: 'List or change who has which role',
    put: 'give users their roles',
  },
  'export-columns': { describe: 'List what each field becomes in an export' },
  validations: { describe: 'List the text validations of this REDCap' },
} as const satisfies Readonly<Record<string, ResourceCommand>>;

export type ResourceName = keyof typeof RESOURCE_COMMANDS;
