import fc from 'fast-check';
import { defineInstrument } from './define-instrument.js';
import type { Study } from '../../src/sandbox/redcap/study.js';
import { classicStudy } from './studies.js';

/** How a project is built. */
export type StudyShape = 'classic' | 'events' | 'arms';

const SHARES = [0, 0.04, 0.1, 0.5, 0.9, 0.97, 1];
const CODES = ['1', '2', '3'];

/**
 * Makes small projects whose counts are often just below or above a threshold: few or many records, in groups of very
 * different size, with forms and values that nearly all or nearly no records have.
 */
export const randomStudy: fc.Arbitrary<{ readonly shape: StudyShape; readonly study: Study }> = fc
  .record({
    shape: fc.constantFrom<StudyShape>('classic', 'events', 'arms'),
    records: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 20, max: 60 })),
    hasGroups: fc.boolean(),
    /** The shares of what may be there or not, one after the other. */
    shares: fc.array(fc.constantFrom(...SHARES), { minLength: 12, maxLength: 12 }),
    seed: fc.nat(),
  })
  .map(({ shape, records, hasGroups, shares, seed }) => {
    const random = randomOf(seed);
    const is = (place: number): boolean => random() < (shares[place] ?? 1);
    const pick = (values: readonly string[], place: number): string =>
      is(place) ? (values[0] ?? '') : (values[1 + Math.floor(random() * (values.length - 1))] ?? '');
    const values = (): Record<string, string> => {
      const sex = pick(['1', '2', '9'], 0);
      return {
        ...(is(1) && { sex }),
        // Shown by branching logic if sex is 2.
        ...(sex === '2' && is(2) && { births: String(Math.floor(random() * 4)) }),
        ...(is(3) && { weight: String(50 + Math.floor(random() * 40)) }),
        ...Object.fromEntries(CODES.map((code, index) => [`sites___${code}`, is(4 + index) ? '1' : '0'])),
      };
    };
    const rows = Array.from({ length: records }, (_, index) => String(index + 1)).flatMap((id) => {
      const group = hasGroups ? { redcap_data_access_group: pick(['north', 'south', ''], 7) } : {};
      const date = is(8) ? { joined: pick(['2026-01-10', '2026-02-10', '1026-03-10'], 7) } : {};
      const row = (event: string, parts: Record<string, string>) => ({
        id,
        ...(event !== '' && { redcap_event_name: event }),
        ...group,
        ...parts,
      });
      const events = eventsOf(shape, is(11));
      return events.flatMap((event, place) => [
        row(event, {
          ...(place === 0 ? { ...date, base_complete: '2' } : {}),
          ...(is(9) && { ...values(), visit_complete: pick(['2', '1', '0'], 10) }),
        }),
        ...Array.from({ length: is(2) ? 1 + (is(1) ? 1 : 0) : 0 }, (_unused, instance) =>
          row(event, {
            redcap_repeat_instrument: 'drugs',
            redcap_repeat_instance: String(instance + 1),
            dose: '5',
            drugs_complete: pick(['2', '1', '0'], 10),
          }),
        ),
      ]);
    });
    return { shape, study: studyOf(shape, hasGroups, rows) };
  });

function eventsOf(shape: StudyShape, isFirst: boolean): string[] {
  if (shape === 'classic') return [''];
  if (shape === 'events') return isFirst ? ['one_arm_1', 'two_arm_1'] : ['one_arm_1'];
  return [isFirst ? 'one_arm_1' : 'one_arm_2'];
}

function studyOf(shape: StudyShape, hasGroups: boolean, rows: Study['rows']): Study {
  const events =
    shape === 'classic' ? [] : shape === 'events' ? ['one_arm_1', 'two_arm_1'] : ['one_arm_1', 'one_arm_2'];
  const instruments = ['base', 'visit', 'drugs'];
  const choices = CODES.map((code) => `${code}, Choice ${code}`).join(' | ');
  const armOf = (event: string): number => Number(event.slice(-1));
  return {
    ...classicStudy(),
    fields: [
      ...defineInstrument('base', [
        { name: 'id', type: 'text', label: 'Id' },
        { name: 'joined', type: 'text', label: 'Joined', validationType: 'date_ymd' },
      ]),
      ...defineInstrument('visit', [
        { name: 'sex', type: 'radio', label: 'Sex', choicesOrCalculations: '1, Man | 2, Woman' },
        {
          name: 'births',
          type: 'text',
          label: 'Births',
          validationType: 'integer',
          branchingLogic: "[sex] = '2'",
        },
        { name: 'weight', type: 'text', label: 'Weight', validationType: 'integer' },
        { name: 'sites', type: 'checkbox', label: 'Sites', choicesOrCalculations: choices },
      ]),
      ...defineInstrument('drugs', [
        { name: 'dose', type: 'text', label: 'Dose', validationType: 'integer' },
      ]),
    ],
    instruments: instruments.map((name) => ({ name, label: name })),
    arms: [...new Set(events.map(armOf))].map((number) => ({ number, name: `Arm ${number}` })),
    events: events.map((uniqueName) => ({ uniqueName, label: uniqueName, arm: armOf(uniqueName) })),
    mappings: events.flatMap((event, index) =>
      (shape === 'events' && index > 0 ? instruments.slice(1) : instruments).map((instrument) => ({
        event,
        instrument,
      })),
    ),
    repeating: (events.length === 0 ? [''] : events).map((event) => ({
      event,
      instrument: 'drugs',
      customLabel: '',
    })),
    groups: hasGroups
      ? ['north', 'south'].map((name, index) => ({ uniqueName: name, name, id: index + 1 }))
      : [],
    rows,
  };
}

/** A generator of numbers from 0 to 1 that always gives the same ones for a seed. */
function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
