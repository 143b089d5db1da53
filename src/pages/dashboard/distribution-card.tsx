import type { FieldDistribution } from '../../services/summary/field-distribution.js';
import type { ChoosableField } from '../../services/summary/study-summaries.js';
import type { StudySummary } from '../../services/summary/study-summary.js';
import { cut } from './cut.js';
import { queryOf, type DashboardChoice } from './dashboard-choice.js';
import { HiddenChoice } from './filter-form.js';
import { distributionPlot } from './distribution-plot.js';
import { hasSeveralArms } from './form-statuses.js';
import { PlotCard } from './plot-frame.js';

export interface DistributionCardProps {
  readonly fields: readonly ChoosableField[];
  readonly choice: DashboardChoice;
  readonly distribution: FieldDistribution | undefined;
  readonly summary: StudySummary;
}

/**
 * The maximum number of fields in a list. Above it, the list would be larger than the page, so names are typed and only
 * the first are suggested.
 */
const MOST_OPTIONS = 300;

/** A card with the distribution of the field that the reader selects. */
export function DistributionCard({ fields, choice, distribution, summary }: DistributionCardProps) {
  if (fields.length === 0) return null;
  const form = <ChoiceForm fields={fields} choice={choice} summary={summary} />;
  if (distribution !== undefined)
    return (
      <PlotCard plot={distributionPlot(distribution)} query={queryOf({ ...choice, interval: 'month' })}>
        {form}
      </PlotCard>
    );
  return (
    <section class="card" aria-labelledby="distribution-heading">
      <h2 id="distribution-heading">Distribution</h2>
      {form}
      {choice.field !== undefined && <p role="status">There are no figures for this field.</p>}
    </section>
  );
}

function ChoiceForm({ fields, choice, summary }: Omit<DistributionCardProps, 'distribution'>) {
  const groupings = groupingsOf(summary);
  return (
    <form class="inline" method="get" action="/dashboard#distribution-heading">
      <div>
        <label for="field">Distribution of</label>
        {fields.length > MOST_OPTIONS ? (
          <>
            <input id="field" name="field" list="fields" required value={choice.field} autocomplete="off" />
            <datalist id="fields">
              {fields.slice(0, MOST_OPTIONS).map(({ name, label }) => (
                <option key={name} value={name} label={cut(label, 60)} />
              ))}
            </datalist>
          </>
        ) : (
          <select id="field" name="field">
            {fields.map(({ name, label }) => (
              <option key={name} value={name} selected={name === choice.field}>
                {label === '' ? name : `${cut(label, 60)} (${name})`}
              </option>
            ))}
          </select>
        )}
      </div>
      {groupings.length > 0 && (
        <div>
          <label for="by">Split</label>
          <select id="by" name="by">
            <option value="">not at all</option>
            {groupings.map((by) => (
              <option key={by} value={by} selected={choice.by === by}>
                by {by}
              </option>
            ))}
          </select>
        </div>
      )}
      <button type="submit">Show</button>
      <HiddenChoice interval={choice.interval} filter={choice.filter} />
    </form>
  );
}

/** Returns the possible groupings: those of which the study has more than one group. */
function groupingsOf({ sites, completeness }: StudySummary): ('site' | 'arm')[] {
  return [
    ...(sites.length > 0 ? (['site'] as const) : []),
    ...(hasSeveralArms(completeness) ? (['arm'] as const) : []),
  ];
}
