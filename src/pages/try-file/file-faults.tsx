import type { FieldProblem, RecordProblem } from '../../domain/errors/field-problem.js';
import { saidIn } from '../../domain/errors/sentences.js';
import { Table } from '../table.js';
import type { Texts } from '../texts/texts.js';

/** What is wrong with a file. Equal mistakes stand together, as one misunderstanding makes many. */
export function FileFaults({
  t,
  problems,
  total,
}: {
  readonly t: Texts;
  readonly problems: readonly RecordProblem[];
  readonly total: number;
}) {
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

/** A rule that the data breaks, in the language of the page; in the words of REDCap if it is REDCap that refuses. */
export function Rule({
  t,
  code,
  parameters = {},
  message,
  hint,
}: { readonly t: Texts } & Omit<FieldProblem, 'field'> & Pick<RecordProblem, 'hint'>) {
  if (code === undefined) return <span lang="en">{message}</span>;
  const rule = saidIn(t.sentences, { code, parameters });
  return <>{hint === undefined ? rule : `${rule}; ${saidIn(t.sentences, hint)}`}</>;
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
