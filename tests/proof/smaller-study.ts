import { parseChoices } from '../../src/domain/dictionary/choices.js';
import type { Field } from '../../src/domain/dictionary/field.js';
import type { LogEntry } from '../../src/sandbox/redcap/action-log.js';
import type { Study } from '../../src/sandbox/redcap/study.js';
import { groupOf, recordsOf, type Person, type Rules } from './chosen-records.js';
import { Deidentified } from './deidentified.js';
import { isOfOtherEvent, isUnreadable, Texts, wordsIn } from './smaller-texts.js';

type Row = Study['rows'][number];

/** A study from which everything was taken away that a policy hides, and what was left. */
export interface Smaller {
  readonly study: Study;
  readonly fields: ReadonlySet<string>;
  readonly forms: ReadonlySet<string>;
  /** The records that the rule of the rows chooses, of which some may have nothing visible. */
  readonly chosen: ReadonlySet<string>;
  /** The entries of the log of which something is visible. */
  readonly logged: ReadonlySet<LogEntry>;
  /** What becomes of values; undefined if they are shown as they are. */
  readonly others: Deidentified | undefined;
}

/** A policy and whom it is for. */
export interface Granted {
  readonly rules: Rules;
  /** The names of the fields in the lock of the policy. */
  readonly accepted: ReadonlySet<string>;
  /** Those that are there although they may say whose they are. */
  readonly identifying?: readonly string[];
  readonly person: Person;
}

/**
 * Takes away what a policy hides from a study, physically. This is the definition of what a policy means, and shares no
 * code with the one that enforces it (GW-03).
 */
export function smallerStudy(study: Study, granted: Granted): Smaller {
  const { rules, person } = granted;
  const others = Deidentified.of(study, rules, granted.identifying);
  const events = new Set(rules.events ?? study.events.map(({ uniqueName }) => uniqueName));
  const isShown = (event: string): boolean => study.events.length === 0 || events.has(event);
  const fields = visibleFields(study, granted, events, others?.hidden);
  const [idField] = study.fields;
  const idName = idField?.name ?? '';
  const forms = new Set(
    study.fields
      .filter(({ name }) => name !== idName && fields.has(name))
      .map(({ instrument }) => instrument),
  );
  const [firstForm = ''] = study.instruments.map(({ name }) => name).filter((name) => forms.has(name));
  const texts = new Texts(study, fields, forms, rules.events && events, others?.changed);

  const records = recordsOf(study, rules, person);
  const kept = [...records].flatMap((id) => {
    const ofRecord = study.rows.filter((row) => row[idName] === id);
    const visible = ofRecord
      .filter((row) => isShown(row.redcap_event_name ?? ''))
      .map((row) => visibleCells(row, study, fields, forms, rules))
      .filter((row) => hasValue(row, idName));
    if (visible.length > 0) return visible;
    // The record itself is not hidden: in the first of its arms that has an event, it is there without values.
    const arms = new Set(ofRecord.map((row) => armOf(study, row)));
    const event = study.events.find(({ uniqueName, arm }) => isShown(uniqueName) && arms.has(arm));
    if (study.events.length > 0 && event === undefined) return [];
    const [first = {}] = ofRecord;
    const named = Object.entries(first).filter(([name]) => [idName, ...shownOfRecord(rules)].includes(name));
    return [{ ...Object.fromEntries(named), ...(event && { redcap_event_name: event.uniqueName }) }];
  });
  const left = new Set(kept.map((row) => row[idName] ?? ''));
  const sees = (group: string): boolean =>
    others === undefined && (rules.records === 'all' || group === groupOf(rules, person));
  const arms = new Set(study.events.filter(({ uniqueName }) => events.has(uniqueName)).map(({ arm }) => arm));
  const labels = study.events
    .filter(({ uniqueName }) => events.has(uniqueName))
    .map(({ label, arm }) => `(${label} (Arm ${arm}:`);
  const columns = new Set([...fields, ...[...forms].map((form) => `${form}_complete`)]);
  const logged = (study.log ?? [])
    .filter(
      ({ record, action }) =>
        records.has(record) && (rules.events === undefined || labels.some((label) => action.includes(label))),
    )
    .flatMap((entry) => {
      const names = [...entry.details.matchAll(/\b([a-z0-9_]+)(?:\(.*?\))? = (?:'|checked)/g)].map(
        ([, name = '']) => name,
      );
      const seen = [...new Set(names)].filter((name) => columns.has(name));
      const [instance] = /^\[instance = \d+\]/.exec(entry.details) ?? [];
      const parts = [...(instance === undefined ? [] : [instance]), ...seen.map((name) => `${name} = ''`)];
      return seen.length === 0 ? [] : [[entry, { ...entry, details: parts.join(', ') }] as const];
    });
  const { settings = {} } = study.project;
  const unique = String(settings['secondary_unique_field'] ?? '');
  const smaller: Study = {
    ...study,
    project: {
      ...study.project,
      settings: {
        ...settings,
        custom_record_label: texts.label(String(settings['custom_record_label'] ?? '')),
        secondary_unique_field: fields.has(unique) ? unique : '',
      },
    },
    fields: study.fields
      .filter(({ name }) => fields.has(name))
      .map((field) => ({
        ...texts.field(others?.field(field) ?? field),
        instrument: forms.has(field.instrument) ? field.instrument : firstForm,
      })),
    instruments: study.instruments.filter(({ name }) => forms.has(name)),
    arms: study.arms.filter(({ number }) => rules.events === undefined || arms.has(number)),
    events: study.events
      .filter(({ uniqueName }) => events.has(uniqueName))
      .map((event) => ({ ...event, customLabel: texts.label(event.customLabel ?? '') })),
    mappings: study.mappings.filter(({ event, instrument }) => events.has(event) && forms.has(instrument)),
    repeating: study.repeating
      .filter(({ event, instrument }) => isShown(event) && (instrument === '' || forms.has(instrument)))
      .map((each) => ({ ...each, customLabel: texts.label(each.customLabel) })),
    users: study.users.slice(0, 1),
    roles: [],
    groups: (study.groups ?? []).filter(({ uniqueName }) => sees(uniqueName)),
    surveys: (study.surveys ?? []).filter(({ instrument }) => others === undefined && forms.has(instrument)),
    reports: (study.reports ?? [])
      .filter(({ id }) => rules.reports?.includes(id) ?? false)
      .map((report) => ({ ...report, fields: report.fields.filter((name) => fields.has(name)) })),
    // A view of one event keeps the form of a longitudinal project.
    keepsEvents: study.events.length > 0,
    keepsOrder: others !== undefined,
    rows: others === undefined ? kept : kept.map((row) => others.row(row)),
    files: (study.files ?? [])
      .filter(({ record, event, field }) => left.has(record) && isShown(event) && fields.has(field))
      .map((file) => (others === undefined ? file : { ...file, record: others.idOf(file.record) })),
    log: others === undefined ? logged.map(([, entry]) => entry) : [],
  };
  return {
    study: smaller,
    fields,
    forms,
    chosen: records,
    logged: new Set(logged.map(([entry]) => entry)),
    others,
  };
}

function visibleFields(
  study: Study,
  { rules, accepted, identifying = [] }: Granted,
  events: ReadonlySet<string>,
  removed: ReadonlySet<string> = new Set(),
): Set<string> {
  const { forms, fields: { hide = [], read = [] } = {} } = rules;
  const access = (form: string): string => forms[form] ?? forms['*'] ?? 'none';
  const visible = new Set(
    study.fields
      .filter(
        ({ name, instrument }, at) =>
          at === 0 ||
          (!removed.has(name) &&
            (read.includes(name) ||
              (access(instrument) !== 'none' && !hide.includes(name) && accepted.has(name)))),
      )
      .map(({ name }) => name),
  );
  const known = new Set(study.fields.map(({ name }) => name));
  const allEvents = new Set(study.events.map(({ uniqueName }) => uniqueName));
  const hasForm = (form: string): boolean =>
    study.fields.slice(1).some(({ name, instrument }) => instrument === form && visible.has(name));
  const statuses = new Map(study.instruments.map(({ name }) => [`${name}_complete`, name]));
  const isHidden = (word: string): boolean =>
    (known.has(word) && !visible.has(word)) ||
    (allEvents.has(word) && !events.has(word)) ||
    (statuses.has(word) && !hasForm(statuses.get(word) ?? ''));
  const formulaOf = ({ type, choicesOrCalculations, annotation }: Field): string =>
    (type === 'calc' ? choicesOrCalculations : '') + (/@CALC(TEXT|DATE)/.test(annotation) ? annotation : '');
  const readsHidden = (field: Field): boolean =>
    wordsIn(formulaOf(field)).some(isHidden) ||
    (rules.events !== undefined && isOfOtherEvent(formulaOf(field), study, events)) ||
    isUnreadable(field);
  const named = new Set([...read, ...identifying]);
  for (let before = -1; before !== visible.size;) {
    before = visible.size;
    for (const field of study.fields)
      if (!named.has(field.name) && readsHidden(field)) visible.delete(field.name);
  }
  return visible;
}

const STRUCTURE = ['redcap_event_name', 'redcap_repeat_instrument', 'redcap_repeat_instance'];

function visibleCells(
  row: Row,
  study: Study,
  fields: ReadonlySet<string>,
  forms: ReadonlySet<string>,
  rules: Rules,
): Row {
  const codes = parseChoices(study.project.missingDataCodes);
  const shown = new Set([...STRUCTURE, ...shownOfRecord(rules)]);
  for (const { name, type, choicesOrCalculations } of study.fields) {
    if (!fields.has(name)) continue;
    shown.add(name);
    if (type !== 'checkbox') continue;
    for (const { code } of [...parseChoices(choicesOrCalculations), ...codes])
      shown.add(`${name}___${code.toLowerCase().replaceAll('-', '_')}`);
  }
  for (const form of forms) for (const end of ['complete', 'timestamp']) shown.add(`${form}_${end}`);
  return Object.fromEntries(Object.entries(row).filter(([name]) => shown.has(name)));
}

export function armOf({ events }: Pick<Study, 'events'>, row: Row): number | undefined {
  return events.find(({ uniqueName }) => uniqueName === row.redcap_event_name)?.arm;
}

/** Groups are shown where a policy is about all records, or about those of a group. */
function shownOfRecord({ records }: Rules): string[] {
  const hasGroups = records === 'all' || (typeof records === 'object' && 'dag' in records);
  return hasGroups ? ['redcap_data_access_group'] : [];
}

/** A row is there only for the value of a field or the status of a form. */
function hasValue(row: Row, idName: string): boolean {
  const names = new Set([idName, ...STRUCTURE, 'redcap_data_access_group']);
  return Object.entries(row).some(
    ([name, value]) =>
      !names.has(name) &&
      value !== '' &&
      !name.endsWith('_timestamp') &&
      !(name.includes('___') && value === '0'),
  );
}
