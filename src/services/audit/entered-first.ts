import type { CrfService } from '../crf-service.js';

/**
 * The operations that read nothing but the structure of the project. All others are entered in the audit log, also those
 * that somebody adds (GW-04).
 */
const STRUCTURE = {
  arms: ['list'],
  dags: ['list'],
  design: ['dictionaryCsv'],
  exportFieldNames: ['list'],
  fieldValidations: ['list'],
  documents: ['schema', 'types', 'openApi'],
  events: ['list'],
  fields: ['list'],
  instruments: ['list'],
  mappings: ['list'],
  repeating: ['list'],
  lists: ['day', 'names'],
  overview: ['title', 'version', 'recordAddress'],
  project: ['getInfo'],
  summaries: ['failedAt', 'fields'],
  typedRows: ['openEmpty'],
} satisfies { readonly [Name in keyof CrfService]?: readonly (keyof CrfService[Name])[] };

const OPEN: Readonly<Record<PropertyKey, readonly PropertyKey[] | undefined>> = STRUCTURE;

/**
 * Wraps the service so that an operation runs only after its call has been entered in the audit log. The entry belongs to
 * the operation, so no route or page can forget it.
 *
 * @param enter enters the call, once, however many operations it has; if it fails, nothing is done
 */
export function enteredFirst<Service extends object>(service: Service, enter: () => Promise<void>): Service {
  return new Proxy(guard(service, [], enter), {
    get(target, name) {
      const part: unknown = Reflect.get(target, name, target);
      return typeof part === 'object' && part !== null ? guard(part, OPEN[name] ?? [], enter) : part;
    },
  });
}

function guard<Part extends object>(
  part: Part,
  structure: readonly PropertyKey[],
  enter: () => Promise<void>,
): Part {
  return new Proxy(part, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target); // private fields are those of the part itself
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
