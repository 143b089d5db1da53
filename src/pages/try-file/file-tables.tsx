import { shownApart } from '../../domain/dictionary/without-tags.js';
import type { FieldProblem, RecordProblem } from '../../domain/errors/field-problem.js';
import { saidIn } from '../../domain/errors/sentences.js';
import type { ImportChanges } from '../../gateways/redcap/crf-client.js';
import type { ImportWarningList } from '../../records/import/warnings/import-warning.js';
import type { Worded } from '../parts.js';
import { Table, type Column } from '../table.js';
import type { Texts } from '../texts/texts.js';

interface FaultTableProps {
  readonly problems: readonly RecordProblem[];
  readonly total: number;
}

/** What is wrong with a file. Equal mistakes stand together, as one misunderstanding makes many. */
export function FaultTable({ t, problems, total }: Worded<FaultTableProps>) {
  const { columns, firstOf } = t.tryFile;
  return (
    <section aria-labelledby="report">
      <p class="problem" role="alert" id="report">
        {t.fileReport.faults(total)}
      </p>
      <div class="card">
        <Table
          label={t.fileReport.toCorrect}
          caption={problems.length < total ? firstOf(problems.length, total) : t.fileReport.together}
          columns={[
            { name: columns.values, kind: 'number' },
            columns.field,
            { name: columns.wrong, kind: 'words' },
            columns.meant,
            { name: columns.lines, kind: 'words' },
            columns.firstRecord,
          ]}
          rows={alike(problems).map(({ count, lines, first: { suggestion, ...problem } }) => [
            count,
            <code key="field">{problem.field}</code>,
            <Rule key="rule" t={t} {...problem} />,
            suggestion ?? '',
            lines,
            problem.record ?? '',
          ])}
        />
      </div>
    </section>
  );
}

type RuleProps = Omit<FieldProblem, 'field'> & Pick<RecordProblem, 'hint'>;

/** A rule that the data breaks, in the language of the page; in the words of REDCap if it is REDCap that refuses. */
export function Rule({ t, code, parameters = {}, message, hint }: Worded<RuleProps>) {
  if (code === undefined) return <span lang="en">{message}</span>;
  const rule = saidIn(t.sentences, { code, parameters });
  return <>{hint === undefined ? rule : `${rule}; ${saidIn(t.sentences, hint)}`}</>;
}

/** Equal mistakes of a field, where the first of them stands. */
function alike(problems: readonly RecordProblem[]): { first: RecordProblem; count: number; lines: string }[] {
  const groups = new Map<string, RecordProblem[]>();
  for (const problem of problems) {
    const key = JSON.stringify([problem.field, problem.message, problem.suggestion]);
    const group = groups.get(key) ?? [];
    group.push(problem);
    groups.set(key, group);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const lines = group.slice(0, 8).map(({ line, row }) => line ?? row ?? '');
    return [{ first, count: group.length, lines: lines.join(', ') + (group.length > 8 ? ', …' : '') }];
  });
}

/** The warnings of a file. */
export function FileWarnings(props: Worded<ImportWarningList & { readonly isStored: boolean }>) {
  const { t, count, rules, first, isStored } = props;
  const words = t.fileReport;
  const { columns, firstOf, inOrder } = t.tryFile;
  return (
    <section aria-labelledby="warnings">
      <p id="warnings">
        {words.warnings(count)}:{' '}
        {isStored ? words.storedAnyway : rules.invalid_value > 0 ? words.mayRefuse : words.wouldStore}
      </p>
      <Table
        label={words.labelOfWarnings}
        caption={first.length < count ? firstOf(first.length, count) : inOrder}
        columns={[
          { name: columns.line, kind: 'number' },
          columns.field,
          { name: columns.warning, kind: 'words' },
          columns.record,
          ...placeColumns(t, first),
        ]}
        rows={first.map(({ line, field, record, event, instance, ...sentence }) => [
          line,
          <code key="field">{field}</code>,
          saidIn(t.sentences, sentence),
          record,
          event,
          instance ?? '',
        ])}
      />
    </section>
  );
}

/** The columns of event and instance, where a row has one. */
function placeColumns(
  { tryFile: { columns } }: Texts,
  rows: readonly { readonly event: string; readonly instance: number | null }[],
): (Column | string | false)[] {
  return [
    rows.some(({ event }) => event !== '') && columns.event,
    rows.some(({ instance }) => instance !== null) && { name: columns.instance, kind: 'number' },
  ];
}

const MAX_CHANGES_SHOWN = 100;

/** What storing a file would change: the counts, what is probably a mistake, and the first changes. */
export function FileChanges({ t, changes }: Worded<{ readonly changes: ImportChanges }>) {
  const { records, values, dags, erasing, lookalikes } = changes;
  const { columns, inOrder } = t.tryFile;
  const words = t.fileChanges;
  const [lookalike] = lookalikes.first;
  const { set, changed, erased } = values;
  const total = records.new + set + changed + erased;
  const first = changes.first.slice(0, MAX_CHANGES_SHOWN);
  return (
    <section aria-labelledby="changes">
      <p id="changes">
        {words.ofRecords(records.new, records.changed, records.unchanged)};{' '}
        {words.ofValues(set, changed, erased)}
      </p>
      {erasing.length > 0 && <p class="problem">{words.erasing(erasing.join(', '))}</p>}
      {dags > 0 && <p class="problem">{words.dags(dags)}</p>}
      {lookalike !== undefined && (
        <p class="problem">
          {words.lookalikes(lookalikes.count, lookalike.record, lookalike.line, lookalike.stored)}
        </p>
      )}
      {total > 0 && (
        <Table
          label={words.label}
          caption={first.length < total ? words.firstOf(first.length, total) : inOrder}
          columns={[
            { name: columns.line, kind: 'number' },
            columns.record,
            ...placeColumns(t, first),
            columns.field,
            columns.change,
            { name: columns.stored, kind: 'words' },
            { name: columns.newValue, kind: 'words' },
          ]}
          rows={first.map(({ line, record, event, instance, field, kind, old, new: now }) => {
            const [stored, newValue] = shownApart(old, now);
            return [
              ...[line, record, event, instance ?? ''],
              <code key="field">{field}</code>,
              words.kinds[kind],
              ...[stored, kind === 'new' ? '' : newValue],
            ];
          })}
        />
      )}
    </section>
  );
}
