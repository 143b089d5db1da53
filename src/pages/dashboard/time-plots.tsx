import { scaleBand, scaleLinear } from 'd3-scale';
import type { StudyFilter } from '../../services/summary/chosen-records.js';
import { MONTHS, WEEKS, type Interval } from '../../services/summary/recruitment.js';
import type { Recruitment, RecruitmentPeriod } from '../../services/summary/study-summary.js';
import { listAddress } from './list-address.js';
import { Mark, ValueAxis } from './plot-parts.js';
import { PLOT_WIDTH as WIDTH, type Plot } from './plot-frame.js';
import type { Texts } from '../texts/texts.js';
import type { StudyActivity } from '../../services/summary/study-activity.js';

const [RECRUITMENT_HEIGHT, ACTIVITY_HEIGHT] = [270, 220];

/** The frame of a plot over time, with a column for each of its days, weeks or months. */
function frameOf(
  t: Texts,
  starts: readonly string[],
  {
    most,
    bottom,
    padding,
    ticks,
  }: { readonly most: number; readonly bottom: number; readonly padding: number; readonly ticks: number },
) {
  const [left, right] = [48, WIDTH - 12];
  const x = scaleBand(starts, [left, right]).padding(padding);
  const y = scaleLinear([0, most], [bottom, 12]).nice(ticks);
  return {
    y,
    axis: <ValueAxis t={t} scale={y} left={left} right={right} />,
    centre: (start: string): number => (x(start) ?? 0) + x.bandwidth() / 2,
    column: (start: string, from: number, to: number) => ({
      x: x(start) ?? 0,
      width: x.bandwidth(),
      y: y(to),
      height: y(from) - y(to),
    }),
  };
}

/**
 * Plots records over time: a bar per period, the line of the cumulative number, and the line of the target.
 *
 * @param lists the filter of the lists to which every bar leads, for readers who may see records
 */
export function recruitmentPlot(
  t: Texts,
  recruitment: Recruitment,
  by: 'month' | 'week',
  lists?: StudyFilter,
): Plot | undefined {
  const periods = by === 'week' && recruitment.weeks.length > 0 ? recruitment.weeks : recruitment.months;
  if (periods.length === 0) return undefined;
  const interval = by === 'week' && periods === recruitment.weeks ? WEEKS : MONTHS;
  const listOf = (start: string): string | undefined => lists && recordsOfPeriod(start, interval, lists);
  const words = t.recruitment;
  const hasPlan = periods.some(({ hoped }) => hoped !== null);
  return {
    name: 'recruitment',
    title: words.title,
    words: wordsOf(t, recruitment, periods),
    width: WIDTH,
    height: RECRUITMENT_HEIGHT,
    drawing: <RecruitmentDrawing t={t} periods={periods} listOf={listOf} />,
    legend: [
      { className: 'plot-1', label: words.allSoFar },
      { className: 'plot-4', label: words.recordsOf[by] },
      ...(hasPlan ? [{ className: 'plot-2', label: words.planned }] : []),
    ],
    columns: [
      ...[words.columns[by], words.columns.records, words.columns.soFar],
      ...(hasPlan ? [words.planned] : []),
    ],
    rows: periods.map(({ start, records, cumulated, hoped }) => [
      by === 'week' ? start : start.slice(0, 7),
      records,
      cumulated,
      ...(hasPlan ? [hoped] : []),
    ]),
    ...(lists !== undefined && {
      hrefs: periods.map(({ start, records }) => [undefined, records ? listOf(start) : undefined]),
      note: words.note,
    }),
  };
}

function wordsOf(
  t: Texts,
  { dateField, dateLabel, isChosen, undated, target }: Recruitment,
  periods: readonly RecruitmentPeriod[],
) {
  const last = periods.findLast(({ cumulated }) => cumulated !== null);
  const words = t.recruitment;
  return [
    last === undefined
      ? ''
      : words.recordsUpTo(last.cumulated ?? 0, `${t.month(last.start)} ${last.start.slice(0, 4)}`),
    target === null ? '' : words.arePlanned(target),
    words.datedBy(dateLabel, dateField ?? '', isChosen),
    undated === null || undated === 0 ? '' : words.undated(undated),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** Returns the list of the records that joined in a period, as far as they are in the part of the study. */
function recordsOfPeriod(start: string, interval: Interval, filter: StudyFilter): string {
  const last = new Date(Date.parse(interval.next(start)) - DAY_MS).toISOString().slice(0, 10);
  const { from = start, until = last } = filter;
  return listAddress('records', {
    ...filter,
    event: undefined,
    from: from > start ? from : start,
    until: until < last ? until : last,
  });
}

const DAY_MS = 86_400_000;

function RecruitmentDrawing({
  t,
  periods,
  listOf,
}: {
  readonly t: Texts;
  readonly periods: readonly RecruitmentPeriod[];
  readonly listOf: (start: string) => string | undefined;
}) {
  const most = Math.max(1, ...periods.map(({ cumulated, hoped }) => Math.max(cumulated ?? 0, hoped ?? 0)));
  const { y, axis, centre, column } = frameOf(
    t,
    periods.map(({ start }) => start),
    { most, bottom: RECRUITMENT_HEIGHT - 46, padding: 0.25, ticks: 5 },
  );
  const pathOf = (key: 'cumulated' | 'hoped') =>
    periods
      .filter((period) => period[key] !== null)
      .map((period, at) => `${at === 0 ? 'M' : 'L'}${centre(period.start)},${y(period[key] ?? 0)}`)
      .join('');
  const every = Math.ceil(periods.length / 10);
  return (
    <>
      {axis}
      {periods.map(
        ({ start, records }) =>
          records !== null &&
          records > 0 && (
            <Mark
              key={start}
              words={`${start.slice(0, 7)}: ${t.study.records(records)}`}
              x={centre(start)}
              y={y(records)}
              href={listOf(start)}
            >
              <rect class="plot-4" {...column(start, 0, records)} />
            </Mark>
          ),
      )}
      <path class="stroke-2 dashed" d={pathOf('hoped')} />
      <path class="stroke-1" d={pathOf('cumulated')} />
      {periods.length <= 26 &&
        periods.map(
          ({ start, cumulated }) =>
            cumulated !== null && (
              <circle key={start} class="plot-1" cx={centre(start)} cy={y(cumulated)} r="3.5" />
            ),
        )}
      {periods.map(
        ({ start }, index) =>
          index % every === 0 && (
            <text key={start} x={centre(start)} y={RECRUITMENT_HEIGHT - 26} text-anchor="middle">
              {t.month(start)}
              {beginsYear(start, periods[index - every]?.start) && (
                <tspan x={centre(start)} dy="1.2em">
                  {start.slice(0, 4)}
                </tspan>
              )}
            </text>
          ),
      )}
    </>
  );
}

/** Whether to show the year below a month: at the first month, and whenever the year changes. */
function beginsYear(start: string, before: string | undefined): boolean {
  return before?.slice(0, 4) !== start.slice(0, 4);
}

const KINDS = [
  { key: 'saves', className: 'plot-1' },
  { key: 'imports', className: 'plot-3' },
  { key: 'exports', className: 'plot-2' },
] as const;

/** Plots the activity in the project, by day. */
export function activityPlot(t: Texts, { days }: StudyActivity): Plot {
  const words = t.activity;
  const total = (key: (typeof KINDS)[number]['key']): string =>
    words[key].count(days.reduce((sum, day) => sum + day[key], 0));
  return {
    name: 'activity',
    title: words.title,
    words: words.words(days.length, total('saves'), total('imports'), total('exports')),
    width: WIDTH,
    height: ACTIVITY_HEIGHT,
    drawing: <ActivityDrawing t={t} days={days} />,
    legend: KINDS.map(({ key, className }) => ({ className, label: words[key].label })),
    columns: [words.day, ...KINDS.map(({ key }) => words[key].label)],
    rows: days.map((day) => [day.day, ...KINDS.map(({ key }) => day[key])]),
  };
}

function ActivityDrawing({ t, days }: StudyActivity & { readonly t: Texts }) {
  const most = Math.max(1, ...days.map(({ saves, imports, exports }) => saves + imports + exports));
  const { y, axis, centre, column } = frameOf(
    t,
    days.map(({ day }) => day),
    { most, bottom: ACTIVITY_HEIGHT - 30, padding: 0.2, ticks: 4 },
  );
  return (
    <>
      {axis}
      {days.map((day) => {
        let below = 0;
        return KINDS.map(({ key, className }) => {
          const from = below;
          below += day[key];
          return (
            day[key] > 0 && (
              <Mark
                words={`${t.dayOfYear(day.day)}: ${t.activity[key].count(day[key])}`}
                x={centre(day.day)}
                y={y(below)}
              >
                <rect class={className} {...column(day.day, from, below)} />
              </Mark>
            )
          );
        });
      })}
      {days.map(
        ({ day }, index) =>
          index % 7 === 0 && (
            <text key={day} x={centre(day)} y={ACTIVITY_HEIGHT - 10} text-anchor="middle">
              {t.dayOfYear(day)}
            </text>
          ),
      )}
    </>
  );
}
