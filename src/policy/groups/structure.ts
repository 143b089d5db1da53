import type { Field } from '../../domain/dictionary/field.js';
import type { CallOptions, CrfCalls, ProjectInfo } from '../../gateways/redcap/crf-client.js';
import { HiddenNames, NO_NAME, refusedBy } from '../hidden-names.js';
import { refuse, refused } from '../column-access.js';
import type { ProjectView } from '../project-view.js';
import { visibleDictionary } from '../visible-dictionary.js';

type Structure = Pick<
  CrfCalls,
  | 'arms'
  | 'events'
  | 'instruments'
  | 'mappings'
  | 'repeating'
  | 'fields'
  | 'exportFieldNames'
  | 'fieldValidations'
  | 'project'
>;

/** The structure of a view: what is hidden was never designed. Nothing of it can be changed. */
export function structureOf(calls: CrfCalls, view: ProjectView): Structure {
  const dictionaryOf = (fields: readonly Field[]): readonly Field[] => visibleDictionary(fields, view);
  const hidden = async (call: CallOptions): Promise<HiddenNames> =>
    new HiddenNames(await calls.fields.list(call), view);
  const isEvent = (name: string): boolean => view.events?.has(name) ?? true;

  const structure: Structure = {
    fields: {
      list: async ({ fields, forms, ...call } = {}) => {
        const shown = dictionaryOf(await calls.fields.list(call));
        if (fields === undefined && forms === undefined) return [...shown];
        const names = new Set(shown.map(({ name }) => name));
        const instruments = new Set(shown.map(({ instrument }) => instrument));
        const asked = { fields: known(fields, names), forms: known(forms, instruments) };
        if ([...(asked.fields ?? []), ...(asked.forms ?? [])].includes(NO_NAME))
          // What REDCap says of names that do not exist.
          await refusedBy(calls.fields.list({ ...asked, ...call }), { fields, forms });
        return shown.filter(
          ({ name, instrument }) =>
            (fields?.includes(name) ?? false) || (forms?.includes(instrument) ?? false),
        );
      },
      put: refuse,
    },

    arms: {
      list: async ({ arms, ...call } = {}) => {
        const numbers = new Set((await structure.events.list({ arms, ...call })).map(({ arm }) => arm));
        return (await calls.arms.list(call)).filter(({ number }) => numbers.has(number));
      },
      put: refuse,
      delete: refuse,
    },

    events: {
      list: async ({ arms, ...call } = {}) => {
        const names = await hidden(call);
        return (await calls.events.list(call))
          .filter(({ uniqueName, arm }) => isEvent(uniqueName) && (arms?.includes(arm) ?? true))
          .map((event) => ({ ...event, customLabel: names.withoutIn(event.customLabel) }));
      },
      put: refuse,
      delete: refuse,
    },

    instruments: {
      list: async (options) =>
        (await calls.instruments.list(options)).filter(({ name }) => view.forms.has(name)),
    },

    mappings: {
      list: async ({ arms, ...call } = {}) =>
        (await calls.mappings.list(call)).filter(
          ({ event, instrument, arm }) =>
            isEvent(event) && view.forms.has(instrument) && (arms?.includes(arm) ?? true),
        ),
      put: refuse,
    },

    repeating: {
      list: async (options = {}) => {
        const names = await hidden(options);
        return (await calls.repeating.list(options))
          .filter(
            ({ event, instrument }) =>
              (event === '' || isEvent(event)) && (instrument === '' || view.forms.has(instrument)),
          )
          .map((place) => ({ ...place, customLabel: names.withoutIn(place.customLabel) }));
      },
      put: refuse,
    },

    exportFieldNames: {
      list: async ({ field, ...call } = {}) => {
        const shown = dictionaryOf(await calls.fields.list(call));
        const names = new Set(shown.flatMap(({ name, instrument }) => [name, `${instrument}_complete`]));
        if (field !== undefined && !names.has(field))
          return refusedBy(calls.exportFieldNames.list({ field: NO_NAME, ...call }), { field });
        return (await calls.exportFieldNames.list(call)).filter(
          (column) => names.has(column.field) && (field === undefined || field === column.field),
        );
      },
    },

    fieldValidations: {
      list: (options) => calls.fieldValidations.list(options),
    },

    project: {
      getInfo: async (options = {}): Promise<ProjectInfo> => {
        const info = await calls.project.getInfo(options);
        const names = await hidden(options);
        const repeats =
          info.hasRepeatingInstrumentsOrEvents && (await structure.repeating.list(options)).length > 0;
        return {
          ...info,
          customRecordLabel: names.withoutIn(info.customRecordLabel),
          secondaryUniqueField: view.fields.has(info.secondaryUniqueField) ? info.secondaryUniqueField : '',
          hasRepeatingInstrumentsOrEvents: repeats,
        };
      },
      // The XML has all of the project, and its settings are those of all callers.
      ...refused('openXml', 'putInfo', 'create'),
    },
  };
  return structure;
}

function known(
  names: readonly string[] | undefined,
  visible: ReadonlySet<string>,
): readonly string[] | undefined {
  return names?.map((name) => (visible.has(name) ? name : NO_NAME));
}
