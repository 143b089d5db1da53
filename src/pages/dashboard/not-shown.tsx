import type { StudyActivity } from '../../services/summary/study-activity.js';
import type { StudySummary } from '../../services/summary/study-summary.js';

interface NotShownProps {
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
      <summary>What is not shown</summary>
      <ul class="quiet">
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </details>
  );
}

function reasonsOf({ summary, activity, mayReadRecords }: NotShownProps): string[] {
  const { recruitment, records, sites, smallCell } = summary;
  return [
    ...(recruitment.dateField === null
      ? [
          recruitment.isChosen
            ? 'Recruitment: STUDY_DATE_FIELD names a field that the project does not have. Whoever runs this service can correct it.'
            : 'Recruitment: the first instrument has no date field. Whoever runs this service can name another with STUDY_DATE_FIELD.',
        ]
      : []),
    ...(recruitment.dateField !== null && recruitment.months.length === 0
      ? [`Recruitment: no record has a date in ${recruitment.dateField} yet, or too few have.`]
      : []),
    ...(sites.length === 0
      ? [
          smallCell > 0 && !records
            ? 'Sites: there are too few records to show them.'
            : 'Sites: the project has no data access groups.',
        ]
      : []),
    ...(activity === undefined ? ['Activity: the log cannot be read here.'] : []),
    ...(mayReadRecords
      ? []
      : [
          'Quality and lists of records: you see numbers alone. Whoever runs this service decides who may see more.',
        ]),
  ];
}
