import { hasSeveralArms } from '../../services/summary/form-counts.js';
import type { FieldDistribution } from '../../services/summary/field-distribution.js';
import type { ChoosableField } from '../../services/summary/study-summaries.js';
import type { StudySummary } from '../../services/summary/study-summary.js';
import { Choice, Section } from '../parts.js';
import { cut } from './plot-parts.js';
import { queryOf, type DashboardChoice } from './list-address.js';
import { HiddenChoice } from './filter-form.js';
import { distributionPlot } from './distribution-plot.js';
import { PlotCard } from './plot-frame.js';
import type { Texts } from '../texts/texts.js';

export interface DistributionCardProps {
  readonly t: Texts;
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
export function DistributionCard({ t, fields, choice, distribution, summary }: DistributionCardProps) {
  if (fields.length === 0) return null;
  const form = <ChoiceForm t={t} fields={fields} choice={choice} summary={summary} />;
  if (distribution !== undefined)
    return (
      <PlotCard
        t={t}
        plot={distributionPlot(t, distribution)}
        query={queryOf({ ...choice, interval: 'month' })}
      >
        {form}
      </PlotCard>
    );
  return (
    <Section id="distribution" title={t.distribution.title}>
      {form}
      {choice.field !== undefined && <p role="status">{t.distribution.noFigures}</p>}
    </Section>
  );
}

function ChoiceForm({ t, fields, choice, summary }: Omit<DistributionCardProps, 'distribution'>) {
  const words = t.distribution;
  const groupings = groupingsOf(summary);
  return (
    <form class="inline" method="get" action="/dashboard#distribution-heading">
      {fields.length > MOST_OPTIONS ? (
        <div>
          <label for="field">{words.of}</label>
          <input id="field" name="field" list="fields" required value={choice.field} autocomplete="off" />
          <datalist id="fields">
            {fields.slice(0, MOST_OPTIONS).map(({ name, label }) => (
              <option key={name} value={name} label={cut(label, 60)} />
            ))}
          </datalist>
        </div>
      ) : (
        <Choice
          name="field"
          label={words.of}
          chosen={choice.field}
          options={fields.map(({ name, label }) => [
            name,
            label === '' ? name : `${cut(label, 60)} (${name})`,
          ])}
        />
      )}
      {groupings.length > 0 && (
        <Choice
          name="by"
          label={words.split}
          chosen={choice.by}
          options={[['', words.splits.none], ...groupings.map((by) => [by, words.splits[by]] as const)]}
        />
      )}
      <button type="submit">{words.show}</button>
      <HiddenChoice interval={choice.interval} filter={choice.filter} />
    </form>
  );
}

/** Returns the possible groupings: those of which the study has more than one group. */
function groupingsOf({ dags, completeness }: StudySummary): ('dag' | 'arm')[] {
  return [
    ...(dags.length > 0 ? (['dag'] as const) : []),
    ...(hasSeveralArms(completeness) ? (['arm'] as const) : []),
  ];
}
