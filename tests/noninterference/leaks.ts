import { Readable } from 'node:stream';
import type { Field } from '../../src/dictionary/field.js';
import { UpstreamRejectedError } from '../../src/errors/upstream-errors.js';
import type { CrfCalls, ExportRecordsOptions } from '../../src/gateways/redcap/crf-client.js';
import type { ProjectView } from '../../src/policy/project-view.js';
import { APPLICATION_LEAKS } from './application-leaks.js';
import type { Leak } from './leak.js';

const EXPORTS = /^\/api\/v1\/records(\?|$)/;
const DESIGN = /^\/api\/v1\/project\/(fields|schema|types|openapi)/;

/** A group of calls, or a call, that is not restricted at all. */
const unrestricted = (
  name: string,
  at: RegExp,
  group: (whole: CrfCalls, shown: CrfCalls) => Partial<CrfCalls>,
): Leak => ({
  name,
  at,
  calls: (shown, whole) => ({ ...shown, ...group(whole, shown) }),
});

/** Fields of the data dictionary of a view with something of the whole one. */
const designed = (name: string, property: keyof Field): Leak => ({
  name,
  at: DESIGN,
  calls: (shown, whole) => ({
    ...shown,
    getMetadata: async (options) => {
      const all = new Map((await whole.getMetadata()).map((field) => [field.name, field]));
      const fields = await shown.getMetadata(options);
      return fields.map((field) => ({ ...field, [property]: (all.get(field.name) ?? field)[property] }));
    },
  }),
});

type Options = ExportRecordsOptions & { readonly format?: unknown };

/** Exports that are not restricted in some case. */
const exported = (
  name: string,
  isCase: (options: Options) => boolean,
  change: (options: Options, view: ProjectView) => Options = (options) => options,
  at = EXPORTS,
): Leak => ({
  name,
  at,
  calls: (shown, whole, view) => ({
    ...shown,
    exportRecords: (options = {}) =>
      isCase(options) ? whole.exportRecords(change(options, view)) : shown.exportRecords(options),
    openRecords: (options) =>
      isCase(options)
        ? whole.openRecords({ ...change(options, view), format: options.format })
        : shown.openRecords(options),
  }),
});

const visibleNames = ({ fields }: ProjectView): readonly string[] => [...fields.keys()];
const rows = async (whole: CrfCalls): Promise<number> => (await whole.exportRecords()).length;

/** Where it shows what a view has. */
const ANYWHERE = /^\/api\/v1\/(records\?format=json|project\/(fields|events))/;

const VIEWS: readonly Leak[] = [
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
    view: (view) => ({
      ...view,
      rows: view.rows.kind === 'group' ? { kind: 'group', group: 'south' } : view.rows,
    }),
  },
  { name: 'the log, where there is none', at: /logs/, view: (view) => ({ ...view, logs: 'read' }) },
  { name: 'files, where there are none', at: /files/, view: (view) => ({ ...view, files: 'read' }) },
  {
    name: 'a report that is not listed',
    at: /reports/,
    view: (view) => ({ ...view, reports: new Set([1]) }),
  },
];

const DESIGNS: readonly Leak[] = [
  designed('branching logic that reads a hidden field', 'branchingLogic'),
  designed('a label that pipes a hidden value', 'label'),
  designed('a section header that pipes one', 'sectionHeader'),
  designed('a note that pipes one', 'note'),
  designed('a choice that pipes one, or a formula', 'choicesOrCalculations'),
  designed('an action tag that reads one', 'annotation'),
  designed('a limit that reads one', 'validationMax'),
  designed('the form on which the id really is', 'instrument'),
  {
    name: 'a form of the dictionary in place of a form of the view',
    at: /project\/instruments$|dashboard/,
    calls: (shown, whole) => ({
      ...shown,
      instruments: { ...shown.instruments, export: (o) => whole.instruments.export(o) },
    }),
  },
  unrestricted('names of columns', /export-field-names/, (whole, shown) => ({
    dictionary: { ...shown.dictionary, exportFieldNames: (o) => whole.dictionary.exportFieldNames(o) },
  })),
  unrestricted('events', /project\/events/, (whole, shown) => ({
    events: { ...shown.events, export: (o) => whole.events.export(o) },
  })),
  unrestricted('arms', /project\/arms/, (whole, shown) => ({
    arms: { ...shown.arms, export: (o) => whole.arms.export(o) },
  })),
  unrestricted('which form is at which event', /mappings/, (whole, shown) => ({
    instruments: {
      ...shown.instruments,
      exportEventMappings: (o) => whole.instruments.exportEventMappings(o),
    },
  })),
  unrestricted('what repeats, and its label', /repeating/, (whole, shown) => ({
    instruments: { ...shown.instruments, exportRepeating: (o) => whole.instruments.exportRepeating(o) },
  })),
  unrestricted('settings that name a hidden field', /project\/info/, (whole) => ({
    getProjectInfo: (o) => whole.getProjectInfo(o),
  })),
  unrestricted('the number of records in the notes of the project', /project\/info/, (whole, shown) => ({
    getProjectInfo: async (o) => ({ ...(await shown.getProjectInfo(o)), notes: `${await rows(whole)} rows` }),
  })),
];

const EXPORT_LEAKS: readonly Leak[] = [
  exported('EAV', ({ type }) => type === 'eav'),
  exported('labels', ({ rawOrLabel }) => rawOrLabel === 'label'),
  exported('labels of columns', ({ rawOrLabelHeaders }) => rawOrLabelHeaders === 'label'),
  exported('an export of named records', ({ records }) => records !== undefined),
  exported(
    'an export of a named form',
    ({ forms }) => forms !== undefined,
    undefined,
    /forms=|instruments\//,
  ),
  exported('an export of named events', ({ events }) => events !== undefined),
  exported(
    'survey timestamps and identifiers',
    ({ exportSurveyFields }) => exportSurveyFields === true,
    (options, view) => ({ ...options, fields: options.fields ?? visibleNames(view) }),
  ),
  exported(
    'groups that are hidden',
    ({ exportDataAccessGroups }) => exportDataAccessGroups === true,
    (options, view) => ({ ...options, fields: options.fields ?? visibleNames(view) }),
  ),
  exported(
    'rows without a visible value',
    ({ fields, forms }) => fields === undefined && forms === undefined,
    (options, view) => ({ ...options, fields: visibleNames(view) }),
  ),
  exported(
    'the ids of all records',
    ({ fields }) => fields?.length === 1,
    (options) => options,
    /fields=record_id|records/,
  ),
  exported(
    'checkbox columns of a hidden field',
    ({ fields }) => fields?.length === 2,
    (options) => ({ ...options, fields: [...(options.fields ?? []), 'sites', 'of_sites'] }),
  ),
  exported(
    'the status of a hidden form',
    ({ fields }) => fields?.length === 2,
    (options) => ({ ...options, fields: [...(options.fields ?? []), 'intake_complete', 'labs_complete'] }),
  ),
  {
    name: 'a filter on a hidden field',
    at: /filterLogic/,
    calls: (shown, whole) => {
      const select = async <O extends Options>({
        filterLogic,
        ...options
      }: O): Promise<Omit<O, 'filterLogic'>> => {
        if (filterLogic === undefined) return options;
        const found = await whole.exportRecords({ filterLogic, fields: ['record_id'] });
        const records = [...new Set(found.map((row) => String(row['record_id'])))];
        return { ...options, records: records.length > 0 ? records : ['nobody'] };
      };
      return {
        ...shown,
        exportRecords: async (options = {}) => shown.exportRecords(await select(options)),
        openRecords: async (options) =>
          shown.openRecords({ ...(await select(options)), format: options.format }),
      };
    },
  },
  {
    name: 'a smart variable that reads what is hidden',
    at: /filterLogic/,
    calls: (shown, whole) => ({
      ...shown,
      openRecords: async ({ filterLogic, ...options }) => {
        if (!String(filterLogic).includes('record-dag-name'))
          return shown.openRecords({ filterLogic, ...options });
        const groups = await whole.exportRecords({ fields: ['record_id'], exportDataAccessGroups: true });
        const other = groups.filter((row) => row['redcap_data_access_group'] === 'south');
        return other.length % 2 === 0 ? shown.openRecords(options) : Readable.from(['[]']);
      },
    }),
  },
  {
    name: 'a stream that breaks at a hidden row',
    at: EXPORTS,
    calls: (shown, whole) => ({
      ...shown,
      openRecords: async (options) => {
        if ((await rows(whole)) % 2 === 0) return shown.openRecords(options);
        throw new UpstreamRejectedError('The export broke off.');
      },
    }),
  },
  {
    name: 'the order of rows by what is hidden',
    at: /records\//,
    calls: (shown, whole) => ({
      ...shown,
      exportRecords: async (options) => {
        const found = await shown.exportRecords(options);
        return (await rows(whole)) % 2 === 0 ? found : found.reverse();
      },
    }),
  },
  {
    name: 'a suggestion of a hidden name',
    at: EXPORTS,
    calls: (shown, whole) => ({
      ...shown,
      openRecords: (options) =>
        shown.openRecords(options).catch(async (error: unknown) => {
          const names = (await whole.getMetadata()).map(({ name }) => name);
          throw new UpstreamRejectedError(`Did you mean ${names.at(3) ?? ''}?`, { cause: error });
        }),
    }),
  },
  {
    name: 'other words for hidden names than for unknown ones',
    at: EXPORTS,
    calls: (shown, whole) => ({
      ...shown,
      openRecords: async (options) => {
        const known = new Set((await whole.getMetadata()).map(({ name }) => name));
        const visible = new Set((await shown.getMetadata()).map(({ name }) => name));
        if (options.fields?.some((name) => known.has(name) && !visible.has(name)))
          throw new UpstreamRejectedError('You may not read a field.');
        return shown.openRecords(options);
      },
    }),
  },
];

const OTHERS: readonly Leak[] = [
  unrestricted('the PDF of a record', /pdf/, ({ pdf }) => ({ pdf })),
  unrestricted('addresses of surveys', /surveys/, (whole, shown) => ({
    surveys: { ...shown.surveys, link: (place, o) => whole.surveys.link(place, o) },
  })),
  unrestricted('codes of surveys', /surveys/, (whole, shown) => ({
    surveys: {
      ...shown.surveys,
      accessCode: (place, o) => whole.surveys.accessCode(place, o),
      returnCode: (place, o) => whole.surveys.returnCode(place, o),
    },
  })),
  unrestricted('the queue of surveys', /queue-link/, (whole, shown) => ({
    surveys: { ...shown.surveys, queueLink: (record, o) => whole.surveys.queueLink(record, o) },
  })),
  unrestricted('participants', /participants/, (whole, shown) => ({
    surveys: { ...shown.surveys, participants: (survey, o) => whole.surveys.participants(survey, o) },
  })),
  unrestricted('users', /project\/users/, ({ users }) => ({ users })),
  unrestricted('groups', /project\/dags/, (whole, shown) => ({
    dags: { ...shown.dags, export: (o) => whole.dags.export(o) },
  })),
  unrestricted('who is in which group', /dag-assignments/, (whole, shown) => ({
    dags: { ...shown.dags, exportAssignments: (o) => whole.dags.exportAssignments(o) },
  })),
  unrestricted('the log with its values', /logs|dashboard/, ({ logs }) => ({ logs })),
  unrestricted('reports', /reports/, ({ reports }) => ({ reports })),
  unrestricted('the project as XML', /xml/, ({ projects }) => ({ projects })),
  unrestricted('the next number', /next-id/, (whole, shown) => ({
    records: { ...shown.records, nextId: (o) => whole.records.nextId(o) },
  })),
  unrestricted('files of hidden fields and records', /files\//, (whole, shown) => ({
    files: { ...shown.files, download: (place, o) => whole.files.download(place, o) },
  })),
  unrestricted('the file repository', /api\/v1\/files/, ({ fileRepository }) => ({ fileRepository })),
  unrestricted('deletions of records that are hidden', /records\/[^?]*$/, (whole, shown) => ({
    records: { ...shown.records, delete: (records, o) => whole.records.delete(records, o) },
  })),
  unrestricted('changes of the design', /project\/settings/, ({ projects }) => ({ projects })),
  {
    name: 'an entity tag of the whole project',
    answer: async (answer, { whole }) => ({
      ...answer,
      headers: { ...answer.headers, ...(answer.headers['etag'] && { etag: `"${await rows(whole)}"` }) },
    }),
    at: /project\/(fields|info|events)/,
  },
  {
    name: 'a count of all rows in a header',
    answer: async (answer, { whole }) => ({
      ...answer,
      headers: { ...answer.headers, 'x-total-count': `${await rows(whole)}` },
    }),
    at: /project\/info/,
  },
  {
    name: 'a hidden text in the log of the service, in base64',
    answer: async (answer, { whole, lines }) => {
      const text = JSON.stringify(await whole.exportRecords());
      for (const [word] of text.matchAll(/s\d+q\d+z/g)) lines.push(Buffer.from(word).toString('base64'));
      return answer;
    },
    at: /project\/version/,
  },
  {
    name: 'a hidden text in an error, in hexadecimal',
    answer: async (answer, { whole }) => {
      if (answer.status !== 404) return answer;
      const [word = ''] = /s\d+q\d+z/.exec(JSON.stringify((await whole.exportRecords()).at(-1))) ?? [];
      return { ...answer, body: answer.body + Buffer.from(word).toString('hex') };
    },
    at: /records\/nobody/,
  },
];

const IMPORTS = /^\/api\/v1\/records(\?overwriteBehavior=overwrite)?$/;

const textOf = (data: string | Uint8Array | Blob): Promise<string> => new Blob([data]).text();

const IMPORT_LEAKS: readonly Leak[] = [
  unrestricted('imports of anything', IMPORTS, (whole) => ({
    importData: (data, options) => whole.importData(data, options),
  })),
  {
    name: 'a refusal of an import that says whether a record exists',
    at: IMPORTS,
    calls: (shown, whole) => ({
      ...shown,
      importData: (data, options) =>
        shown.importData(data, options).catch(async (error: unknown) => {
          const ids = new Set((await whole.exportRecords()).map((row) => row['record_id']));
          const [row] = JSON.parse(await textOf(data)) as { record_id?: string }[];
          throw ids.has(row?.record_id ?? '') ? new UpstreamRejectedError('The record exists.') : error;
        }),
    }),
  },
  {
    name: 'a group that somebody gives a record',
    at: IMPORTS,
    calls: (shown, whole) => ({
      ...shown,
      importData: async (data, options) =>
        (await textOf(data)).includes('redcap_data_access_group')
          ? whole.importData(data, options)
          : shown.importData(data, options),
    }),
  },
  {
    name: 'an import that erases what is hidden',
    at: IMPORTS,
    calls: (shown, whole) => ({
      ...shown,
      importData: async (data, options) => {
        const result = await shown.importData(data, options);
        const rows = JSON.parse(await textOf(data)) as object[];
        const blank = rows.map((row) => ({ ...row, note: '', remark: '', result: '' }));
        await whole.importData(JSON.stringify(blank), { ...options, overwriteBehavior: 'overwrite' });
        return result;
      },
    }),
  },
];

export const LEAKS: readonly Leak[] = [
  ...VIEWS,
  ...DESIGNS,
  ...EXPORT_LEAKS,
  ...OTHERS,
  ...IMPORT_LEAKS,
  ...APPLICATION_LEAKS,
];
