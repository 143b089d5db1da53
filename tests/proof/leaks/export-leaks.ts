import { Readable } from 'node:stream';
import type { Field } from '../../../src/domain/dictionary/field.js';
import { UpstreamRejectedError } from '../../../src/domain/errors/upstream-errors.js';
import type { ExportRecordsOptions } from '../../../src/gateways/redcap/crf-client.js';
import type { ProjectView } from '../../../src/policy/project-view.js';
import { EXPORTS, hiddenFields, recordOf, rowCount, type Leak } from './leak.js';

type Options = ExportRecordsOptions & { readonly format?: unknown };

/** Exports that are not restricted in some case. */
const exported = (
  name: string,
  isCase: (options: Options) => boolean,
  change: (options: Options, view: ProjectView, hidden: readonly Field[]) => Options = (options) => options,
  at = EXPORTS,
): Leak => ({
  name,
  at,
  calls: (shown, whole, view) => ({
    ...shown,
    exportRecords: async (options = {}) =>
      isCase(options)
        ? whole.exportRecords(change(options, view, await hiddenFields(whole, view)))
        : shown.exportRecords(options),
    openRecords: async (options) =>
      isCase(options)
        ? whole.openRecords({
            ...change(options, view, await hiddenFields(whole, view)),
            format: options.format,
          })
        : shown.openRecords(options),
  }),
});

/** Adds names to the fields of an export. */
const withMore = ({ fields = [], ...options }: Options, names: readonly string[]): Options => ({
  ...options,
  fields: [...new Set([...fields, ...names])],
});

const visibleNames = ({ fields }: ProjectView): readonly string[] => [...fields.keys()];

const TWO_FIELDS = /fields=.*&fields=/;

export const EXPORT_LEAKS: readonly Leak[] = [
  exported('EAV', ({ type }) => type === 'eav', undefined, /type=eav/),
  exported('labels', ({ rawOrLabel }) => rawOrLabel === 'label', undefined, /rawOrLabel=label/),
  exported(
    'labels of columns',
    ({ rawOrLabelHeaders }) => rawOrLabelHeaders === 'label',
    undefined,
    /LabelHeaders=label/,
  ),
  exported('an export of named records', ({ records }) => records !== undefined, undefined, /[?&]records=/),
  exported(
    'an export of a named form',
    ({ forms }) => forms !== undefined,
    undefined,
    /forms=|instruments\//,
  ),
  exported('an export of named events', ({ events }) => events !== undefined, undefined, /[?&]events=/),
  exported(
    'survey timestamps and identifiers',
    ({ exportSurveyFields }) => exportSurveyFields === true,
    (options, view) => ({ ...options, fields: options.fields ?? visibleNames(view) }),
    /exportSurveyFields/,
  ),
  exported(
    'groups that are hidden',
    ({ exportDataAccessGroups }) => exportDataAccessGroups === true,
    (options, view) => ({ ...options, fields: options.fields ?? visibleNames(view) }),
    /exportDataAccessGroups/,
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
    /records/,
  ),
  exported(
    'checkbox columns of a hidden field',
    ({ fields }) => fields?.length === 2,
    (options, _view, hidden) =>
      withMore(
        options,
        hidden.filter(({ type }) => type === 'checkbox').map(({ name }) => name),
      ),
    TWO_FIELDS,
  ),
  exported(
    'the status of a hidden form',
    ({ fields }) => fields?.length === 2,
    (options, { forms }, hidden) =>
      withMore(
        options,
        hidden
          .filter(({ instrument }) => !forms.has(instrument))
          .map(({ instrument }) => `${instrument}_complete`),
      ),
    TWO_FIELDS,
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
        const records = [...new Set((await whole.exportRecords({ filterLogic })).map(recordOf))];
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
        const groups = await whole.exportRecords({ exportDataAccessGroups: true });
        const other = groups.filter((row) => row['redcap_data_access_group'] !== '');
        return other.length % 2 === 0 ? shown.openRecords(options) : Readable.from(['[]']);
      },
    }),
  },
  {
    name: 'an export that fails by the number of hidden rows',
    at: EXPORTS,
    calls: (shown, whole) => ({
      ...shown,
      openRecords: async (options) => {
        if ((await rowCount(whole)) % 2 === 0) return shown.openRecords(options);
        throw new UpstreamRejectedError('The export failed.');
      },
    }),
  },
  {
    name: 'the order of rows by what is hidden',
    at: /records\//,
    calls: (shown, whole) => {
      const exportRecords: typeof shown.exportRecords = async (options) => {
        const found = await shown.exportRecords(options);
        return (await rowCount(whole)) % 2 === 0 ? found : found.reverse();
      };
      return {
        ...shown,
        exportRecords,
        openRecords: async (options) =>
          options.format === 'json'
            ? Readable.from([JSON.stringify(await exportRecords(options))])
            : shown.openRecords(options),
      };
    },
  },
  {
    name: 'a suggestion of a hidden name',
    at: EXPORTS,
    calls: (shown, whole) => ({
      ...shown,
      openRecords: (options) =>
        shown.openRecords(options).catch(async (error: unknown) => {
          const names = (await whole.fields.list()).map(({ name }) => name);
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
        const known = new Set((await whole.fields.list()).map(({ name }) => name));
        const visible = new Set((await shown.fields.list()).map(({ name }) => name));
        if (options.fields?.some((name) => known.has(name) && !visible.has(name)))
          throw new UpstreamRejectedError('You may not read a field.');
        return shown.openRecords(options);
      },
    }),
  },
];
