import type { StudyActivity } from '../../services/summary/study-activity.js';
import type { StudySummary } from '../../services/summary/study-summary.js';
import type { Texts } from '../texts/en.js';

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
  const { recruitment, records, sites, smallCell } = summary;
  return [
    ...(recruitment.dateField === null
      ? [recruitment.isChosen ? notShown.noSuchDateField : notShown.noDateField]
      : []),
    ...(recruitment.dateField !== null && recruitment.months.length === 0
      ? [notShown.noDates(recruitment.dateField)]
      : []),
    ...(sites.length === 0 ? [smallCell > 0 && !records ? notShown.fewForSites : notShown.noSites] : []),
    ...(activity === undefined ? [notShown.noLog] : []),
    ...(mayReadRecords ? [] : [notShown.numbersAlone]),
  ];
}
