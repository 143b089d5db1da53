import type { SeededRandom } from '../../src/sandbox/demo-study/made-up.js';
import type { Study, StudyFile } from '../../src/sandbox/redcap/study.js';
import { choosesBlank, decidingOf, groupOf, recordsOf } from './chosen-records.js';
import { entryOf, formsAt, idOf, repeatsAt, type Case, type MadeUp } from './made-up.js';
import { armOf, smallerStudy, type Smaller } from './smaller-study.js';

type Row = Study['rows'][number];
type Cells = Record<string, string>;

/** The numbers of records that only a twin may have. */
export const OTHERS = [50, 500, 997];
/** The number of a report that no policy lists. */
const NOBODYS_REPORT = 999_998;

/** Two studies that were to be the same under a policy are not. */
export class TwinError extends Error {
  constructor(part: string) {
    super(`The twin differs in what is visible: ${part}.`);
  }
}

/**
 * @returns a study of which the same is left under the policy, and in which as much as possible of the rest is another
 * @throws {TwinError} it is not: a mistake of this function
 */
export function twinOf(
  study: Study,
  who: Case,
  smaller: Smaller,
  madeUp: MadeUp,
  random: SeededRandom,
): Study {
  const idName = idOf(study);
  const rows = otherRows(study, who, smaller, madeUp, random);
  const more = others(study, who, madeUp, random);
  const chosen = recordsOf({ ...study, rows: more }, who.rules, who.person);
  const all = [...rows, ...more.filter((row) => !chosen.has(row[idName] ?? ''))];
  const twin: Study = { ...otherDesign(study, who, smaller, madeUp, random), rows: all };
  const files = visibleFirst(
    all.flatMap((row) => madeUp.filesOf(twin, row)),
    smaller,
  );
  const entries = (study.log ?? [])
    .filter((entry) => smaller.logged.has(entry))
    .map((entry) => ({ ...entry, details: withOthers(entry.details, smaller, madeUp) }));
  const log = all
    .map((row, at) => entryOf(twin, row, at))
    .filter(({ record }) => !smaller.chosen.has(record));
  const half = Math.floor(log.length / 2);
  const whole = { ...twin, files, log: [...log.slice(half), ...entries, ...log.slice(0, half)] };
  const again = smallerStudy(whole, who).study;
  for (const [name, value] of Object.entries(smaller.study))
    if (JSON.stringify(again[name as keyof Study]) !== JSON.stringify(value)) throw new TwinError(name);
  return whole;
}

/** The rows with other values where none is visible, without some of which nothing is. */
function otherRows(
  study: Study,
  { rules }: Case,
  smaller: Smaller,
  madeUp: MadeUp,
  random: SeededRandom,
): Row[] {
  const idName = idOf(study);
  const deciding = decidingOf(study, rules);
  const decides = (column: string): boolean => deciding.has(column.split('___')[0] ?? '');
  const isBlankChosen = choosesBlank(study, rules);
  const left = new Map(smaller.study.rows.map((row) => [keyOf(row, idName), row]));
  return study.rows.flatMap((row): Row[] => {
    const id = row[idName] ?? '';
    const kept = left.get(keyOf(smaller.others?.row(row) ?? row, idName));
    const isOwn = smaller.chosen.has(id);
    // That a record exists in an arm is visible.
    const isFirst =
      study.rows.find((other) => other[idName] === id && armOf(study, other) === armOf(study, row)) === row;
    const mayGo =
      kept === undefined && !(isOwn && isFirst) && !isBlankChosen && !Object.keys(row).some(decides);
    if (mayGo && random.chance(0.3)) return [];
    const cells: Cells = {};
    for (const [name, value] of Object.entries(row)) {
      const isStructure = name === idName || name.startsWith('redcap_') || decides(name);
      if (isStructure || name in (kept ?? {}))
        cells[name] = decides(name) ? value : shownAlike(study, smaller, madeUp, { name, value, id });
    }
    for (const field of study.fields.slice(1)) {
      const isIn = formsAt(study, row['redcap_event_name'] ?? '').includes(field.instrument);
      const repeated = row['redcap_repeat_instrument'] ?? '';
      const isPlace =
        repeated === '' ? !repeatsAt(study, row, field.instrument) : repeated === field.instrument;
      if (!isIn || !isPlace || decides(field.name)) continue;
      const isRowShown = isOwn && isEventShown(smaller, row);
      if (isRowShown && smaller.fields.has(field.name)) continue;
      // Whoever saves a value saves the status of its form, which may be visible.
      const status = `${field.instrument}_complete`;
      const isFormShown = isRowShown && smaller.forms.has(field.instrument);
      if (isFormShown && kept?.[status] === undefined) continue;
      if (decides(status) && cells[status] === undefined) continue;
      if (random.chance(0.7)) Object.assign(cells, madeUp.cellsOf(field, id));
      if (!isFormShown && !decides(status)) cells[status] = String(random.integer(0, 2));
    }
    return [cells];
  });
}

/** The design with other texts where they are hidden, and other people. */
function otherDesign(
  study: Study,
  { rules, mirrored }: Case,
  smaller: Smaller,
  madeUp: MadeUp,
  random: SeededRandom,
): Study {
  const hidden = study.fields.filter(({ name }) => !smaller.fields.has(name));
  return {
    ...study,
    fields: study.fields.map((field) =>
      hidden.includes(field) ? { ...field, label: madeUp.text(), note: madeUp.text() } : field,
    ),
    events: study.events.map((event) =>
      smaller.study.events.some(({ uniqueName }) => uniqueName === event.uniqueName)
        ? event
        : { ...event, label: madeUp.text() },
    ),
    users: [
      ...study.users.slice(0, 1),
      ...study.users.slice(1).map((user) => ({
        ...user,
        firstName: madeUp.text(),
        lastName: madeUp.text(),
        group:
          user === mirrored
            ? user.group
            : random.pick(['', ...(study.groups ?? []).map(({ uniqueName }) => uniqueName)]),
      })),
    ],
    groups: (study.groups ?? []).map((group) =>
      smaller.study.groups?.some(({ id }) => id === group.id) ? group : { ...group, name: madeUp.text() },
    ),
    reports: [
      ...(study.reports ?? []).filter(({ id }) => rules.reports?.includes(id)),
      { id: NOBODYS_REPORT, title: madeUp.text(), fields: [idOf(study)], filterLogic: '' },
    ],
  };
}

/** The details of a log entry with other values of what is hidden. */
function withOthers(details: string, { fields, forms }: Smaller, madeUp: MadeUp): string {
  return details.replace(/\b([a-z0-9_]+) = '[^']*'/g, (part, name: string) =>
    fields.has(name) || forms.has(name.replace(/_complete$/, '')) ? part : `${name} = '${madeUp.text()}'`,
  );
}

/** Records that nobody sees: of other groups, or of other people. */
function others(study: Study, { rules, person }: Case, madeUp: MadeUp, random: SeededRandom): Row[] {
  if (rules.records === 'all') return [];
  const shown = groupOf(rules, person);
  const groups = (study.groups ?? []).map(({ uniqueName }) => uniqueName).filter((name) => name !== shown);
  return OTHERS.filter(() => random.chance(0.7)).flatMap((number) =>
    madeUp.record(madeUp.recordId(number), groups[random.integer(0, groups.length - 1)] ?? ''),
  );
}

/** Another value that is shown as the same, where values are changed: another day of a year, another high age. */
function shownAlike(
  { fields }: Study,
  { others: changes }: Smaller,
  madeUp: MadeUp,
  { name, value, id }: { readonly name: string; readonly value: string; readonly id: string },
): string {
  const field = fields.find((each) => each.name === name);
  const change = changes?.changes.get(name);
  if (changes === undefined || field === undefined || change === undefined) return value;
  const shown = changes.cell(name, value, id);
  const found = Array.from(
    { length: 20 },
    () => madeUp.like(value, change) ?? madeUp.cellsOf(field, id)[name],
  ).find((each) => each !== undefined && each !== value && changes.cell(name, each, id) === shown);
  return found ?? value;
}

/**
 * Puts visible files first. The numbers of documents come from one sequence for all projects of a server, so that they
 * tell how many others there are: the one thing that neither a policy nor a project of its own hides.
 */
export function visibleFirst(files: readonly StudyFile[], { study }: Smaller): StudyFile[] {
  const keyOf = ({ bytes: _bytes, type: _type, ...place }: StudyFile): string => JSON.stringify(place);
  const visible = new Map((study.files ?? []).map((file, at) => [keyOf(file), at]));
  const order = (file: StudyFile): number => visible.get(keyOf(file)) ?? visible.size;
  return files.toSorted((one, other) => order(one) - order(other));
}

function isEventShown({ study }: Smaller, row: Row): boolean {
  return (
    study.events.length === 0 ||
    study.events.some(({ uniqueName }) => uniqueName === row['redcap_event_name'])
  );
}

function keyOf(row: Row, idName: string): string {
  return [idName, 'redcap_event_name', 'redcap_repeat_instrument', 'redcap_repeat_instance']
    .map((name) => row[name] ?? '')
    .join('\n');
}
