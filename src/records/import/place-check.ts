import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { nearestName } from '../../domain/identifiers/nearest-name.js';
import { say, type Sentence } from '../../domain/errors/sentences.js';
import type { DataAccessGroup } from '../../gateways/redcap/crf-client.js';
import type { Cells } from './cell-values.js';
import { GROUP } from './import-changes.js';
import type { ProblemList } from './problem-list.js';
import { meantBy } from './unknown-columns.js';

/**
 * Checks where rows go: whether the project has the event and the group, the event has the instruments of the values,
 * and what repeats there repeats. REDCap would refuse the whole call for one such row.
 *
 * @see docs/protocol/redcap.md 5.5 (client)
 */
export class PlaceCheck {
  /** By place, what is wrong with a value of each instrument there. */
  readonly #faults = new Map<string, Map<string, Sentence | undefined>>();
  readonly #nearest = new Map<string, string | undefined>();

  constructor(
    private readonly structure: ProjectStructure,
    private readonly isEav: boolean,
  ) {}

  /** @param cells a row as it would be sent @param groups those of the project; undefined if they cannot be read */
  check(cells: Cells, groups: readonly DataAccessGroup[] | undefined, problems: ProblemList): void {
    const { structure } = this;
    const sent = cells['redcap_event_name'] ?? '';
    // Without an event, the row goes to the first one. @see docs/protocol/redcap.md 5.2 (client)
    const event = structure.isLongitudinal ? sent || (structure.eventNames[0] ?? '') : '';
    if (structure.isLongitudinal && !structure.eventNames.includes(event)) {
      problems.add('redcap_event_name', say('unknown_event', { name: event }), meantBy(this.#meant(event)));
      return;
    }
    const instrument = cells['redcap_repeat_instrument'] ?? '';
    const instance = cells['redcap_repeat_instance'] ?? '';
    if (this.#hasWrongInstance({ event, instrument, instance }, problems)) return;
    if (groups !== undefined) checkGroup(cells[GROUP] ?? '', groups, problems);
    if (!structure.isLongitudinal && !structure.hasRepeats) return;
    if (this.isEav) this.#checkValue(event, instrument, cells['field_name'] ?? '', cells['value'], problems);
    else for (const name in cells) this.#checkValue(event, instrument, name, cells[name], problems);
  }

  #hasWrongInstance({ event, instrument, instance }: RowPosition, problems: ProblemList): boolean {
    const { structure } = this;
    if (instrument !== '' && !structure.repeatsInstrument(event, instrument)) {
      problems.add('redcap_repeat_instrument', say('not_repeating', { name: instrument, event }));
      return true;
    }
    const doesRepeat = instrument !== '' || structure.repeatsEvent(event);
    if (doesRepeat === (instance !== '')) return false;
    const forms = structure.instrumentsAt(event).filter((form) => structure.repeatsInstrument(event, form));
    if (doesRepeat) problems.add('redcap_repeat_instance', say(this.isEav ? 'instance' : 'instance_or_new'));
    else if (forms.length > 0)
      problems.add(
        'redcap_repeat_instrument',
        say('instrument_needed', { forms: forms.slice(0, MAX_NAMES) }),
      );
    else problems.add('redcap_repeat_instance', say('instance_needless'));
    return true;
  }

  #checkValue(
    event: string,
    instrument: string,
    name: string,
    value: string | undefined,
    problems: ProblemList,
  ): void {
    if (value === '' || value === undefined) return;
    const { dictionary } = this.structure;
    const column = dictionary.column(name);
    if (column === undefined || column.field === dictionary.recordIdField) return;
    const fault = this.#faultOf(event, instrument, column.instrument);
    if (fault !== undefined) problems.add(name, fault);
  }

  #faultOf(event: string, instrument: string, form: string): Sentence | undefined {
    const key = `${event}\n${instrument}`;
    const faults = this.#faults.get(key) ?? new Map<string, Sentence | undefined>();
    this.#faults.set(key, faults);
    if (!faults.has(form)) faults.set(form, this.#newFault(event, instrument, form));
    return faults.get(form);
  }

  #newFault(event: string, instrument: string, form: string): Sentence | undefined {
    const { structure } = this;
    if (!structure.stands(form, event))
      return say('form_elsewhere', { form, event, events: structure.eventsOf(form).slice(0, MAX_NAMES) });
    if (instrument === '' && structure.repeatsInstrument(event, form)) return say('form_repeats', { form });
    return instrument === '' || instrument === form ? undefined : say('form_of_others', { form, instrument });
  }

  /** Returns the event that was most likely meant, by its name or by its label. */
  #meant(event: string): string | undefined {
    if (!this.#nearest.has(event) && this.#nearest.size < MAX_SUGGESTIONS)
      this.#nearest.set(event, nearestName(event, this.structure.eventNames));
    return this.#nearest.get(event);
  }
}

interface RowPosition {
  readonly event: string;
  readonly instrument: string;
  readonly instance: string;
}

function checkGroup(sent: string, groups: readonly DataAccessGroup[], problems: ProblemList): void {
  if (sent === '' || groups.some(({ uniqueName }) => uniqueName === sent)) return;
  const names = groups.map(({ uniqueName }) => uniqueName);
  if (names.length === 0) {
    problems.add(GROUP, say('no_dags'));
    return;
  }
  const label = sent.trim().toLowerCase();
  const meant = groups.find(({ name }) => name.trim().toLowerCase() === label)?.uniqueName;
  const more = Math.max(0, names.length - MAX_NAMES);
  const rule = say('dag_name', { dags: names.slice(0, MAX_NAMES), more });
  problems.add(GROUP, rule, meantBy(meant ?? nearestName(sent, names)));
}

const MAX_NAMES = 8;
const MAX_SUGGESTIONS = 10;
