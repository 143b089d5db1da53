import type { StudyActivity } from '../../services/summary/study-activity.js';
import type { StudySummary } from '../../services/summary/study-summary.js';
import type { Texts } from '../texts/texts.js';
import { completeOf } from '../../services/summary/form-counts.js';
import type { QualitySummary } from '../../services/quality/quality-report.js';
import type { Child } from 'hono/jsx';

interface NotShownProps {
  readonly t: Texts;
  readonly summary: StudySummary;
  readonly activity: StudyActivity | undefined;
  readonly mayReadRecords: boolean;
}

/** Explains why a part is not available in this study or to this reader. */
export function NotShown(props: NotShownProps) {
  const reasons = reasonsOf(props);
  if (reasons.length === 0) return null;
  return (
    <details class="small">
      <summary>{props.t.notShown.title}</summary>
      <ul class="quiet">
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </details>
  );
}

function reasonsOf({ t: { notShown }, summary, activity, mayReadRecords }: NotShownProps): string[] {
  const { recruitment, records, dags, smallCell } = summary;
  return [
    ...(recruitment.dateField === null
      ? [recruitment.isChosen ? notShown.noSuchDateField : notShown.noDateField]
      : []),
    ...(recruitment.dateField !== null && recruitment.months.length === 0
      ? [notShown.noDates(recruitment.dateField)]
      : []),
    ...(dags.length === 0 ? [smallCell > 0 && !records ? notShown.fewForDags : notShown.noDags] : []),
    ...(activity === undefined ? [notShown.noLog] : []),
    ...(mayReadRecords ? [] : [notShown.numbersAlone]),
  ];
}

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

/** A card with its approximate height, in the units of a plot. */
export interface SizedCard {
  readonly height: number;
  readonly card: Child;
}

/**
 * Lays out cards in two columns of the most equal height, each in the order of the cards. In a narrow window the columns
 * are stacked.
 */
export function Columns({ cards }: { readonly cards: readonly SizedCard[] }) {
  const rights = rightColumn(cards.map(({ height }) => height));
  const columns = [false, true].map((isRight) =>
    cards.filter((_, index) => rights.has(index) === isRight).map(({ card }) => card),
  );
  return (
    <div class="glance">
      {columns.map((column, index) => column.length > 0 && <div key={index}>{column}</div>)}
    </div>
  );
}

/** Returns the positions of the cards on the right. The first card is always on the left; there are few enough to try all. */
function rightColumn(heights: readonly number[]): ReadonlySet<number> {
  const total = heights.reduce((sum, height) => sum + height, 0);
  let [best, least] = [new Set<number>(), Infinity];
  for (let choice = 0; choice < 2 ** (heights.length - 1); choice++) {
    const right = heights.flatMap((_, index) => (index > 0 && (choice >> (index - 1)) & 1 ? [index] : []));
    const height = right.reduce((sum, index) => sum + (heights[index] ?? 0), 0);
    if (Math.abs(total - 2 * height) >= least) continue;
    [best, least] = [new Set(right), Math.abs(total - 2 * height)];
  }
  return best;
}
