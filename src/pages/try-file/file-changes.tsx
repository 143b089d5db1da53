import type { ImportChange, ImportChanges } from '../../gateways/redcap/crf-client.js';
import { shownApart } from '../../domain/dictionary/without-tags.js';
import { Table } from '../table.js';
import type { Texts } from '../texts/texts.js';

const MAX_SHOWN = 100;

/** What storing a file would change: the counts, what is probably a mistake, and the first changes. */
export function FileChanges({ t, changes }: { readonly t: Texts; readonly changes: ImportChanges }) {
  const { records, values, groups, erasing, lookalikes, first } = changes;
  const words = t.fileChanges;
  const [lookalike] = lookalikes.first;
  const { set, changed, erased } = values;
  const total = records.new + set + changed + erased;
  return (
    <section aria-labelledby="changes">
      <p id="changes">
        {words.ofRecords(records.new, records.changed, records.unchanged)};{' '}
        {words.ofValues(set, changed, erased)}
      </p>
      {erasing.length > 0 && <p class="problem">{words.erasing(erasing.join(', '))}</p>}
      {groups > 0 && <p class="problem">{words.groups(groups)}</p>}
      {lookalike !== undefined && (
        <p class="problem">
          {words.lookalikes(lookalikes.count, lookalike.record, lookalike.line, lookalike.stored)}
        </p>
      )}
      {total > 0 && <ChangeTable t={t} changes={first.slice(0, MAX_SHOWN)} total={total} />}
    </section>
  );
}

function ChangeTable({
  t,
  changes,
  total,
}: {
  readonly t: Texts;
  readonly changes: readonly ImportChange[];
  readonly total: number;
}) {
  const { columns } = t.tryFile;
  const hasEvents = changes.some(({ event }) => event !== '');
  const hasInstances = changes.some(({ instance }) => instance !== null);
  return (
    <Table
      label={t.fileChanges.label}
      caption={changes.length < total ? t.fileChanges.firstOf(changes.length, total) : t.tryFile.inOrder}
      columns={[
        { name: columns.line, kind: 'number' },
        columns.record,
        hasEvents && columns.event,
        hasInstances && { name: columns.instance, kind: 'number' },
        columns.field,
        columns.change,
        { name: columns.stored, kind: 'words' },
        { name: columns.newValue, kind: 'words' },
      ]}
      rows={changes.map(({ line, record, event, instance, field, kind, old, new: now }) => {
        const [stored, newValue] = shownApart(old, now);
        return [
          line,
          record,
          event,
          instance ?? '',
          <code key="field">{field}</code>,
          t.fileChanges.kinds[kind],
          stored,
          kind === 'new' ? '' : newValue,
        ];
      })}
    />
  );
}
