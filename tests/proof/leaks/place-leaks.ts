import type { CrfCalls, FilePlace } from '../../../src/gateways/redcap/crf-client.js';
import type { ProjectView } from '../../../src/policy/project-view.js';
import { restrict } from '../../../src/policy/restrict.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { decidingOf, type Rules } from '../chosen-records.js';
import type { Smaller } from '../smaller-study.js';
import type { Leak } from './leak.js';

/*
 * Leaks at places: where REDCap takes a default of its own for what is left out, and where what nobody may change can be
 * changed in another way than by an import.
 */

const FILES = /^\/api\/v1\/records\/[^/]+\/files\//;
const SURVEYS = /surveys\//;

/** The files of a view without a rule about events, wherever no event was named. */
const atFirstEvent = (shown: CrfCalls, whole: CrfCalls, view: ProjectView) => {
  const ofAll = restrict(whole, { ...view, events: undefined }).files;
  return ({ event }: FilePlace): CrfCalls['files'] => (event === undefined ? ofAll : shown.files);
};

/** The calls of a view in which nothing decides about the records. */
const undecided = (whole: CrfCalls, view: ProjectView): CrfCalls =>
  restrict(whole, { ...view, deciding: new Set() });

/** The calls of a project in which no field is unique. */
const withoutUnique = (whole: CrfCalls): CrfCalls =>
  new Proxy(whole, {
    get: (target, name) => {
      if (name === 'project')
        return {
          getInfo: async (options?: Parameters<CrfCalls['project']['getInfo']>[0]) => ({
            ...(await target.project.getInfo(options)),
            secondaryUniqueField: '',
          }),
        };
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });

const hidesFirstEvent = ({ study: left }: Smaller, { events: [first] }: Study): boolean =>
  first !== undefined && !left.events.some(({ uniqueName }) => uniqueName === first.uniqueName);

const isDecided = (_left: Smaller, study: Study, rules: Rules): boolean => decidingOf(study, rules).size > 0;

export const PLACE_LEAKS: readonly Leak[] = [
  {
    name: 'the file of the first event of the project, where none is named',
    at: FILES,
    isFor: (left, study, { files }) => files !== 'none' && hidesFirstEvent(left, study),
    calls: (shown, whole, view) => {
      const of = atFirstEvent(shown, whole, view);
      return { ...shown, files: { ...shown.files, get: (place, o) => of(place).get(place, o) } };
    },
  },
  {
    name: 'changes of files at the first event of the project, where none is named',
    at: FILES,
    isFor: (left, study, { files }) => files === 'write' && hidesFirstEvent(left, study),
    calls: (shown, whole, view) => {
      const of = atFirstEvent(shown, whole, view);
      return {
        ...shown,
        files: {
          ...shown.files,
          put: (place, file, o) => of(place).put(place, file, o),
          delete: (place, o) => of(place).delete(place, o),
        },
      };
    },
  },
  {
    name: 'changes of files that decide about the records',
    at: FILES,
    isFor: ({ fields }, study, rules) => {
      const deciding = decidingOf(study, rules);
      return (
        rules.files === 'write' &&
        study.fields.some(({ name, type }) => type === 'file' && fields.has(name) && deciding.has(name))
      );
    },
    calls: (shown, whole, view) => ({ ...shown, files: undecided(whole, view).files }),
  },
  {
    name: 'surveys with what decides about the records',
    at: SURVEYS,
    isFor: isDecided,
    // Where something decides, records are hidden, so that the field whose values are kept apart closes most surveys too.
    calls: (shown, whole, view) => ({ ...shown, surveys: undecided(withoutUnique(whole), view).surveys }),
  },
  {
    name: 'surveys with the field whose values REDCap keeps apart',
    at: SURVEYS,
    isFor: (_left, _study, { records, events }) => records !== 'all' || events !== undefined,
    calls: (shown, whole, view) => ({ ...shown, surveys: restrict(withoutUnique(whole), view).surveys }),
  },
  {
    name: 'surveys with files, where no files may be changed',
    at: SURVEYS,
    isFor: (_left, _study, { files }) => files !== 'write',
    calls: (shown, whole, view) => ({
      ...shown,
      surveys: restrict(withoutUnique(whole), { ...view, files: 'write' }).surveys,
    }),
  },
  {
    name: 'deletions of a part of a record that has what decides about it',
    at: /^\/api\/v1\/records\/[^/]+\?/,
    isFor: isDecided,
    calls: (shown, whole, view) => ({
      ...shown,
      records: {
        ...shown.records,
        delete: (records, o) => undecided(withoutUnique(whole), view).records.delete(records, o),
      },
    }),
  },
];
