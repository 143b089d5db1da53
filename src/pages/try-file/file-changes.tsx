import type { ImportChange, ImportChanges } from '../../gateways/redcap/crf-client.js';
import { Table } from '../table.js';

const MAX_SHOWN = 100;

/** What storing a file would change: the counts, what is probably a mistake, and the first changes. */
export function FileChanges({ records, values, groups, erasing, lookalikes, first }: ImportChanges) {
  const { set, changed, erased } = values;
  const total = records.new + set + changed + erased;
  return (
    <section aria-labelledby="changes">
      <p id="changes">
        If the file is stored: records: {records.new} new, {records.changed} changed, {records.unchanged}{' '}
        unchanged; values of existing records: {set} set, {changed} changed, {erased} erased.
      </p>
      {erasing.length > 0 && <p class="problem">It erases more than it sets in {erasing.join(', ')}.</p>}
      {groups > 0 && <p class="problem">Records that move to another data access group: {groups}.</p>}
      {lookalikes.count > 0 && (
        <p class="problem">
          New ids that are probably those of stored records: {lookalikes.count}, such as{' '}
          {lookalikes.first[0]?.record} (line {lookalikes.first[0]?.line}) and {lookalikes.first[0]?.stored}.
          Has a spreadsheet removed leading zeros?
        </p>
      )}
      {total > 0 && <ChangeTable changes={first.slice(0, MAX_SHOWN)} total={total} />}
    </section>
  );
}

function ChangeTable({
  changes,
  total,
}: {
  readonly changes: readonly ImportChange[];
  readonly total: number;
}) {
  const hasEvents = changes.some(({ event }) => event !== '');
  const hasInstances = changes.some(({ instance }) => instance !== null);
  return (
    <Table
      label="Changes"
      caption={
        changes.length < total
          ? `The first ${changes.length} of ${total}; crf import --diff-csv lists all`
          : 'In the order of the file'
      }
      columns={[
        { name: 'Line', kind: 'number' },
        'Record',
        hasEvents && 'Event',
        hasInstances && { name: 'Instance', kind: 'number' },
        'Field',
        'Change',
        { name: 'Stored', kind: 'words' },
        { name: 'New value', kind: 'words' },
      ]}
      rows={changes.map(({ line, record, event, instance, field, kind, old, new: now }) => [
        line,
        record,
        event,
        instance ?? '',
        <code key="field">{field}</code>,
        KINDS[kind],
        old,
        kind === 'new' ? '' : now,
      ])}
    />
  );
}

const KINDS = { new: 'new record', set: 'set', changed: 'changed', erased: 'erased' } as const;
