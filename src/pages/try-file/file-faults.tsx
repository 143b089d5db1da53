import type { RecordProblem } from '../../errors/field-problem.js';
import { Table } from '../table.js';

/** What is wrong with a file. Equal mistakes stand together, as one misunderstanding makes many. */
export function FileFaults({
  problems,
  total,
}: {
  readonly problems: readonly RecordProblem[];
  readonly total: number;
}) {
  return (
    <section aria-labelledby="report">
      <p class="problem" role="alert" id="report">
        {total === 1 ? 'One value is' : `${total} values are`} not valid. Nothing was stored.
      </p>
      <div class="card">
        <Table
          label="What to correct"
          caption={
            problems.length < total
              ? `The first ${problems.length} of ${total}`
              : 'What to correct; equal mistakes stand together'
          }
          columns={[
            { name: 'Values', kind: 'number' },
            'Field',
            { name: 'What is wrong', kind: 'words' },
            'Probably meant',
            { name: 'Lines', kind: 'words' },
            'First record',
          ]}
          rows={alike(problems).map(({ count, lines, first: { record, field, message, suggestion } }) => [
            count,
            <code key="field">{field}</code>,
            message,
            suggestion ?? '',
            lines,
            record,
          ])}
        />
      </div>
    </section>
  );
}

/** Equal mistakes of a field, where the first of them stands. */
function alike(problems: readonly RecordProblem[]): { first: RecordProblem; count: number; lines: string }[] {
  const groups = new Map<string, RecordProblem[]>();
  for (const problem of problems) {
    const key = JSON.stringify([problem.field, problem.message, problem.suggestion]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [problem]);
    else group.push(problem);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const lines = group.slice(0, 8).map(({ line, row }) => line ?? row ?? '');
    return [{ first, count: group.length, lines: lines.join(', ') + (group.length > 8 ? ', …' : '') }];
  });
}
