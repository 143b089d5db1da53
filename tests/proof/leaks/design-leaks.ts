import type { Field } from '../../../src/domain/dictionary/field.js';
import { isUnreadable } from '../smaller-texts.js';
import { rowCount, unrestricted, type Leak } from './leak.js';

/*
 * Leaks in a view, and in what is shown of the design of a project.
 */

const DESIGN = /^\/api\/v1\/project\/(fields|schema|types|openapi)/;

/** Fields of the data dictionary of a view with something of the whole one. */
const designed = (name: string, property: keyof Field): Leak => ({
  name,
  at: DESIGN,
  calls: (shown, whole) => ({
    ...shown,
    fields: {
      ...shown.fields,
      list: async (options) => {
        const all = new Map((await whole.fields.list()).map((field) => [field.name, field]));
        const fields = await shown.fields.list(options);
        return fields.map((field) => ({ ...field, [property]: (all.get(field.name) ?? field)[property] }));
      },
    },
  }),
});

/** Where it shows what a view has. */
const ANYWHERE = /^\/api\/v1\/(records\?format=json|project\/(fields|events))/;

const VIEW_LEAKS: readonly Leak[] = [
  {
    name: 'hidden calculations',
    at: ANYWHERE,
    view: (view, fields) => ({
      ...view,
      fields: new Map([
        ...view.fields,
        ...fields
          .filter(({ type, instrument }) => type === 'calc' && view.forms.has(instrument))
          .map(({ name }) => [name, 'read'] as const),
      ]),
    }),
  },
  {
    name: 'a calculation that cannot be read',
    at: ANYWHERE,
    isFor: ({ fields, forms }, study) =>
      study.fields.some(
        (field) => isUnreadable(field) && forms.has(field.instrument) && !fields.has(field.name),
      ),
    view: (view, fields) => ({
      ...view,
      fields: new Map([
        ...view.fields,
        ...fields
          .filter((field) => isUnreadable(field) && view.forms.has(field.instrument))
          .map(({ name }) => [name, 'read'] as const),
      ]),
    }),
  },
  {
    name: 'a field that is hidden on a visible form',
    at: ANYWHERE,
    view: (view, fields) => ({
      ...view,
      fields: new Map([
        ...view.fields,
        ...fields
          .filter(({ instrument }) => view.forms.has(instrument))
          .map(({ name }) => [name, 'read'] as const),
      ]),
    }),
  },
  {
    name: 'a hidden form',
    at: ANYWHERE,
    view: (view, fields) => ({
      ...view,
      fields: new Map(fields.map(({ name }) => [name, 'read'])),
      forms: new Map(fields.map(({ instrument }) => [instrument, 'read'])),
    }),
  },
  { name: 'hidden events', at: ANYWHERE, view: (view) => ({ ...view, events: undefined }) },
  { name: 'records of everybody', at: ANYWHERE, view: (view) => ({ ...view, rows: { kind: 'all' } }) },
  {
    name: 'records of another group',
    at: ANYWHERE,
    view: (view, _fields, groups) => {
      const { rows } = view;
      if (rows.kind !== 'dag') return view;
      const other = groups.findLast((group) => group !== rows.dag) ?? 'none';
      return { ...view, rows: { kind: 'dag', dag: other } };
    },
  },
  { name: 'the log, where there is none', at: /log/, view: (view) => ({ ...view, log: 'read' }) },
  { name: 'files, where there are none', at: /files/, view: (view) => ({ ...view, files: 'read' }) },
  {
    name: 'a report that is not listed',
    at: /reports/,
    view: (view) => ({ ...view, reports: new Set([1]) }),
  },
];

const DICTIONARY_LEAKS: readonly Leak[] = [
  designed('branching logic that reads a hidden field', 'branchingLogic'),
  designed('a label that pipes a hidden value', 'label'),
  designed('a section header that pipes one', 'sectionHeader'),
  designed('a note that pipes one', 'note'),
  designed('a choice that pipes one, or a formula', 'choicesOrCalculations'),
  designed('an action tag that reads one', 'annotation'),
  designed('a limit that reads one', 'validationMax'),
  designed('a limit of values that are shown as others', 'validationMin'),
  designed('the form on which the id really is', 'instrument'),
  {
    name: 'a form of the dictionary in place of a form of the view',
    at: /project\/instruments$|dashboard/,
    calls: (shown, whole) => ({
      ...shown,
      instruments: { ...shown.instruments, list: (o) => whole.instruments.list(o) },
    }),
  },
  unrestricted('names of columns', /export-field-names/, (whole) => ({
    exportFieldNames: { list: (o) => whole.exportFieldNames.list(o) },
  })),
  unrestricted('events', /project\/events/, (whole, shown) => ({
    events: { ...shown.events, list: (o) => whole.events.list(o) },
  })),
  unrestricted('arms', /project\/arms/, (whole, shown) => ({
    arms: { ...shown.arms, list: (o) => whole.arms.list(o) },
  })),
  unrestricted('which form is at which event', /mappings/, (whole, shown) => ({
    mappings: { ...shown.mappings, list: (o) => whole.mappings.list(o) },
  })),
  unrestricted('what repeats, and its label', /repeating/, (whole, shown) => ({
    repeating: { ...shown.repeating, list: (o) => whole.repeating.list(o) },
  })),
  unrestricted('settings that name a hidden field', /project\/info/, (whole, shown) => ({
    project: { ...shown.project, getInfo: (o) => whole.project.getInfo(o) },
  })),
  unrestricted('the number of records in the notes of the project', /project\/info/, (whole, shown) => ({
    project: {
      ...shown.project,
      getInfo: async (o) => ({
        ...(await shown.project.getInfo(o)),
        notes: `${await rowCount(whole)} rows`,
      }),
    },
  })),
];

export const DESIGN_LEAKS = [...VIEW_LEAKS, ...DICTIONARY_LEAKS];
