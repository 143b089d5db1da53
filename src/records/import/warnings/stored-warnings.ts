import { isSameNumber } from '../../../domain/dictionary/spreadsheet-damage.js';
import type { ProjectStructure } from '../../../domain/dictionary/project-structure.js';
import { ANY_TEXT } from '../../../domain/dictionary/value-rules.js';
import { say } from '../../../domain/errors/sentences.js';
import type { RecordRow } from '../../../gateways/redcap/crf-client.js';
import { textOf } from '../../rules/record-view.js';
import type { MergedRecord } from './merged-record.js';
import type { PlacedRow } from './sent-rows.js';
import type { WarningList } from './warning-list.js';

/** Warns of what shows only beside the stored rows of a record: the same for an import and for its dry run. */
export class StoredWarnings {
  /** The number of the arm by event; empty if the project has only one. */
  readonly armOf: ReadonlyMap<string, number>;

  constructor(
    private readonly structure: ProjectStructure,
    private readonly list: WarningList,
  ) {
    const arms = new Map(structure.events.map(({ uniqueName, armNumber }) => [uniqueName, armNumber]));
    this.armOf = new Set(arms.values()).size > 1 ? arms : new Map();
  }

  /** Warns of the first row in each arm that a stored record is not in: REDCap would begin it without a word. */
  checkArms(record: string, stored: readonly RecordRow[], rows: readonly PlacedRow[]): void {
    const known = new Set(stored.flatMap((row) => this.armOf.get(textOf(row, EVENT)) ?? []));
    const before = [...known].sort((one, other) => one - other);
    for (const { event, place } of rows) {
      const arm = this.armOf.get(event);
      if (arm === undefined || known.has(arm) || before.length === 0) continue;
      known.add(arm);
      const sentence = say('other_arm', { arm, arms: before });
      const cell = { record, event, instrument: '', instance: null, field: EVENT };
      this.list.add({ ...cell, rule: 'other_arm', ...sentence, ...place });
    }
  }

  /** Warns of numbers in free text that are written in another way than the stored ones, as `0012345` and `12345`. */
  checkNumbers({ view: { id: record }, touched }: MergedRecord): void {
    const { dictionary } = this.structure;
    for (const { row, stored, columns } of touched) {
      if (stored === undefined) continue;
      for (const [field, place] of columns) {
        const [old, now] = [textOf(stored, field), textOf(row.values, field)];
        if (old === now || !isSameNumber(old, now)) continue;
        const column = dictionary.column(field);
        if (column?.field?.type !== 'text' || dictionary.valueRule(field) !== ANY_TEXT) continue;
        const cell = {
          record,
          event: row.event,
          instrument: column.instrument,
          instance: row.instance || null,
        };
        this.list.add({ ...cell, field, rule: 'spreadsheet_damage', ...say('same_number'), ...place });
      }
    }
  }
}

const EVENT = 'redcap_event_name';
