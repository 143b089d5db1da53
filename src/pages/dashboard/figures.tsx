import { completeOf } from '../../services/summary/form-counts.js';
import type { QualitySummary } from '../../services/quality/quality-tally.js';
import type { StudySummary } from '../../services/summary/study-summary.js';
import type { Texts } from '../texts/en.js';

/** What the figures at the top are made from. */
interface FiguresProps {
  readonly t: Texts;
  readonly summary: StudySummary;
  readonly quality: QualitySummary | undefined;
}

/** The figures of a study that stand above its plots. */
export function Figures({ t, summary, quality }: FiguresProps) {
  const { records, recruitment, completeness, missingPercent } = summary;
  const { figures } = t;
  const { target } = recruitment;
  const { complete, forms } = completeOf(completeness);
  return (
    <ul class="figures">
      <Figure
        value={records === null ? figures.few : t.number(records)}
        label={target === null ? figures.records(records) : figures.ofPlanned(target)}
      />
      <Figure
        value={forms === 0 ? '–' : t.percent(Math.round((complete / forms) * 100))}
        label={figures.complete}
      />
      <Figure value={missingPercent === null ? '–' : t.percent(missingPercent)} label={figures.missing} />
      {quality !== undefined && (
        <Figure value={t.number(quality.findings)} label={figures.findings(quality.findings)} />
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
