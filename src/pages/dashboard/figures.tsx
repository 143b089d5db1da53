import { completeOf } from '../../services/summary/form-counts.js';
import type { QualitySummary } from '../../services/quality/quality-tally.js';
import type { StudySummary } from '../../services/summary/study-summary.js';
import { numberInWords } from './in-words.js';

/** What the figures at the top are made from. */
interface FiguresProps {
  readonly summary: StudySummary;
  readonly quality: QualitySummary | undefined;
}

/** The figures of a study that stand above its plots. */
export function Figures({ summary, quality }: FiguresProps) {
  const { records, recruitment, completeness, missingPercent } = summary;
  const { target } = recruitment;
  const { complete, forms } = completeOf(completeness);
  return (
    <ul class="figures">
      <Figure
        value={records === null ? 'Few' : numberInWords(records)}
        label={
          target === null
            ? records === 1
              ? 'record'
              : 'records'
            : `of ${numberInWords(target)} planned records`
        }
      />
      <Figure
        value={forms === 0 ? '–' : `${Math.round((complete / forms) * 100)} %`}
        label="of forms complete"
      />
      <Figure value={missingPercent === null ? '–' : `${missingPercent} %`} label="of values missing" />
      {quality !== undefined && (
        <Figure
          value={numberInWords(quality.findings)}
          label={quality.findings === 1 ? 'open finding' : 'open findings'}
        />
      )}
    </ul>
  );
}

function Figure({ value, label }: { readonly value: string | number; readonly label: string }) {
  return (
    <li>
      <strong>{value}</strong>
      <span>{label}</span>
    </li>
  );
}
