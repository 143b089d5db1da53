import type { Field } from '../../src/domain/dictionary/field.js';
import type { FieldDistribution } from '../../src/services/summary/field-distribution.js';
import type { CompletenessCell, StudySummary } from '../../src/services/summary/study-summary.js';
import { LinearAttack } from './linear-attack.js';
import type { StudyShape } from './random-summary-study.js';

/** Everything that one caller was told, and what the structure of the project tells anybody. */
export interface Answers {
  readonly shape: StudyShape;
  readonly fields: readonly Field[];
  readonly summary: StudySummary;
  readonly distributions: readonly FieldDistribution[];
  /** How often a field was empty where it was shown, for each percentage told. Taken as if it were exact. */
  readonly emptyOf: ReadonlyMap<string, number>;
}

/** Returns the attack with every sum that holds in a project of `randomStudy`, and all counts of the answers. */
export function attackOn({ shape, fields, summary, distributions, emptyOf }: Answers): LinearAttack {
  const attack = new LinearAttack();
  const { recruitment, dags, completeness } = summary;
  attack.knows('records', summary.records);
  if (dags.length > 0) {
    attack.adds(
      'records',
      dags.map(({ dag }) => `dag ${dag}`),
    );
    attack.knowsAll(dags.map(({ dag, records }) => [`dag ${dag}`, records]));
  }
  knowRecruitment(attack, recruitment);
  knowArms(attack, shape);
  for (const cell of completeness) knowCell(attack, cell);
  for (const instrument of new Set(completeness.map((cell) => cell.instrument))) {
    const cells = completeness.filter((cell) => cell.instrument === instrument);
    attack.adds(
      `forms ${instrument}`,
      cells.map(({ event }) => `forms ${instrument} ${event}`),
    );
    knowGroups(
      attack,
      instrument,
      cells,
      dags.map(({ dag }) => dag),
      shape,
    );
  }
  for (const distribution of distributions) knowField(attack, distribution, fields, recruitment.dateField);
  for (const [name, empty] of emptyOf) attack.knows(`empty ${name}`, empty);
  return attack;
}

function knowRecruitment(attack: LinearAttack, { months, undated }: StudySummary['recruitment']): void {
  const starts = months.map(({ start }) => start);
  attack.adds(
    'dated',
    starts.map((start) => `month ${start}`),
  );
  if (months.length > 0) attack.adds('records', ['dated', 'undated']);
  attack.knows('undated', undated);
  months.forEach(({ start, records, cumulated }, index) => {
    attack.knows(`month ${start}`, records);
    attack.adds(
      `until ${start}`,
      starts.slice(0, index + 1).map((each) => `month ${each}`),
    );
    attack.knows(`until ${start}`, cumulated);
  });
}

function knowArms(attack: LinearAttack, shape: StudyShape): void {
  if (shape !== 'arms') return attack.adds('records', ['arm 1']);
  attack.adds('records', ['only arm 1', 'only arm 2', 'both arms']);
  attack.adds('arm 1', ['only arm 1', 'both arms']);
  attack.adds('arm 2', ['only arm 2', 'both arms']);
}

function knowCell(attack: LinearAttack, cell: CompletenessCell): void {
  const place = `${cell.instrument} ${cell.event}`;
  attack.adds(armOf(cell.event), [`with ${place}`, `not begun ${place}`]);
  attack.adds(`forms ${place}`, [`complete ${place}`, `unverified ${place}`, `incomplete ${place}`]);
  attack.adds(`forms ${place}`, [`with ${place}`, ...(cell.isRepeating ? [`further ${place}`] : [])]);
  attack.knows(armOf(cell.event), cell.records);
  attack.knows(`not begun ${place}`, cell.notBegun);
  attack.knowsAll([
    [`complete ${place}`, cell.complete],
    [`unverified ${place}`, cell.unverified],
    [`incomplete ${place}`, cell.incomplete],
  ]);
}

/** The forms of an instrument by data access group and by arm. */
function knowGroups(
  attack: LinearAttack,
  instrument: string,
  cells: readonly CompletenessCell[],
  dags: readonly string[],
  shape: StudyShape,
): void {
  const isRepeating = cells.some((cell) => cell.isRepeating);
  if (dags.length > 0)
    attack.adds(
      `forms ${instrument}`,
      dags.map((dag) => `forms ${instrument} of dag ${dag}`),
    );
  for (const arm of new Set(cells.map(({ event }) => armOf(event))))
    attack.adds(
      `forms ${instrument} of ${arm}`,
      cells.filter(({ event }) => armOf(event) === arm).map(({ event }) => `forms ${instrument} ${event}`),
    );
  if (isRepeating || (shape === 'arms' && cells.length > 1)) return;
  // Of each record, as many forms as there are events.
  for (const [whole, forms] of [
    ['records', `forms ${instrument}`],
    ...dags.map((dag) => [`dag ${dag}`, `forms ${instrument} of dag ${dag}`]),
  ])
    attack.equation(
      [
        [whole ?? '', cells.length],
        [forms ?? '', -1],
        [`without ${forms ?? ''}`, -1],
      ],
      0,
    );
}

function knowField(
  attack: LinearAttack,
  distribution: FieldDistribution,
  fields: readonly Field[],
  dateField: string | null,
): void {
  const { field: name, instrument, by, parts } = distribution;
  const field = fields.find((each) => each.name === name);
  const groupOf = (group: string): string => (by === 'arm' ? ` of arm ${group}` : ` of dag ${group}`);
  const known = [
    { place: '', ...distribution },
    ...parts.map((each) => ({ ...each, place: groupOf(each.part) })),
  ];
  for (const { place, n, missing, choices } of known) {
    const values = `values ${name}${place}`;
    attack.adds(`forms ${instrument}${place}`, [values, `missing ${name}${place}`]);
    attack.knows(values, n);
    attack.knows(`missing ${name}${place}`, missing);
    const codes = choices.map(({ code }) => `${name} ${code}${place}`);
    attack.knowsAll(choices.map(({ n: count }, index) => [codes[index] ?? '', count]));
    if (field?.type === 'radio') attack.adds(values, [...codes, `${name} unknown${place}`]);
    if (field?.type !== 'checkbox') continue;
    for (const code of codes) attack.adds(values, [code, `not ${code}`]);
    attack.equation(
      [...codes.map((code) => [code, 1] as const), [values, -1], [`several ${name}${place}`, -1]],
      0,
    );
  }
  if (parts.length > 0) {
    attack.adds(
      `values ${name}`,
      parts.map(({ part }) => `values ${name}${groupOf(part)}`),
    );
    for (const { code } of distribution.choices)
      attack.adds(
        `${name} ${code}`,
        parts.map(({ part }) => `${name} ${code}${groupOf(part)}`),
      );
  }
  if (distribution.bins.length > 0) {
    const bars = distribution.bins.map(({ from }) => `${name} from ${from}`);
    attack.adds(`values ${name}`, [...bars, `${name} at the ends`]);
    attack.knowsAll(distribution.bins.map(({ n }, index) => [bars[index] ?? '', n]));
  }
  attack.adds(`missing ${name}`, [`empty ${name}`, `hidden ${name}`]);
  attack.adds(`shown ${name}`, [`values ${name}`, `empty ${name}`]);
  if (field?.branchingLogic === "[sex] = '2'") attack.adds('sex 2', [`shown ${name}`]);
  if (name === dateField) attack.adds(`values ${name}`, ['dated', 'unlikely dates']);
}

function armOf(event: string): string {
  return event === '' ? 'arm 1' : `arm ${event.slice(-1)}`;
}
