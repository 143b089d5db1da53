import type { Services } from '../services.js';

/** The services, one by one; those of the design and the users are a group of their own. */
type Each = Omit<Services, 'project'> & Services['project'];

/**
 * The operations that read nothing but the structure of the project. All others are entered in the audit log, also those
 * that somebody adds (GW-04).
 */
const STRUCTURE = {
  arms: ['list'],
  crf: ['getVersion', 'getProjectInfo', 'getInstruments', 'getExportFieldNames', 'getFieldValidations'],
  dags: ['list'],
  dictionary: ['fields', 'csv'],
  documents: ['schema', 'types', 'openApi'],
  events: ['list'],
  overview: ['title'],
  places: ['listMappings', 'listRepeating'],
  summaries: ['fields'],
  typedRows: ['openEmpty'],
} satisfies { readonly [Name in keyof Each]?: readonly (keyof Each[Name])[] };

const OPEN: Readonly<Record<PropertyKey, readonly PropertyKey[] | undefined>> = STRUCTURE;

/**
 * Wraps services so that an operation runs only after its call has been entered in the audit log. The entry belongs to
 * the operation, so no route or page can forget it.
 *
 * @param enter enters the call, once, however many operations it has; if it fails, nothing is done
 */
export function enteredFirst(services: Services, enter: () => Promise<void>): Services {
  const guardAll = <Group extends object>(group: Group): Group =>
    new Proxy(group, {
      get(target, name) {
        const service: unknown = Reflect.get(target, name);
        if (typeof service !== 'object' || service === null) return service;
        return name === 'project' ? guardAll(service) : guard(service, OPEN[name] ?? [], enter);
      },
    });
  return guardAll(services);
}

function guard<Service extends object>(
  service: Service,
  structure: readonly PropertyKey[],
  enter: () => Promise<void>,
): Service {
  return new Proxy(service, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target); // private fields are those of the service itself
      if (typeof member !== 'function') return member;
      const run = (args: readonly unknown[]): unknown => Reflect.apply(member, target, args);
      if (structure.includes(name)) return (...args: readonly unknown[]) => run(args);
      return async (...args: readonly unknown[]) => {
        await enter();
        return run(args);
      };
    },
  });
}
