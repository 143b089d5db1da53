import { scaleBand, scaleLinear } from 'd3-scale';
import type { StudyActivity } from '../../services/summary/study-activity.js';
import { ValueAxis } from './value-axis.js';
import { Mark } from './mark.js';
import { PLOT_WIDTH as WIDTH, type Plot } from './plot-frame.js';
import type { Texts } from '../texts/en.js';

const HEIGHT = 220;
const BOX = { left: 48, right: WIDTH - 12, top: 12, bottom: HEIGHT - 30 };
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
    height: HEIGHT,
    drawing: <Drawing t={t} days={days} />,
    legend: KINDS.map(({ key, className }) => ({ className, label: words[key].label })),
    columns: [words.day, ...KINDS.map(({ key }) => words[key].label)],
    rows: days.map((day) => [day.day, ...KINDS.map(({ key }) => day[key])]),
  };
}

function Drawing({ t, days }: StudyActivity & { readonly t: Texts }) {
  const x = scaleBand(
    days.map(({ day }) => day),
    [BOX.left, BOX.right],
  ).padding(0.2);
  const most = Math.max(1, ...days.map(({ saves, imports, exports }) => saves + imports + exports));
  const y = scaleLinear([0, most], [BOX.bottom, BOX.top]).nice(4);
  return (
    <>
      <ValueAxis t={t} scale={y} left={BOX.left} right={BOX.right} />
      {days.map((day) => {
        let below = 0;
        return KINDS.map(({ key, className }) => {
          const from = below;
          below += day[key];
          return (
            day[key] > 0 && (
              <Mark
                words={`${t.dayOfYear(day.day)}: ${t.activity[key].count(day[key])}`}
                x={(x(day.day) ?? 0) + x.bandwidth() / 2}
                y={y(below)}
              >
                <rect
                  class={className}
                  x={x(day.day) ?? 0}
                  width={x.bandwidth()}
                  y={y(below)}
                  height={y(from) - y(below)}
                />
              </Mark>
            )
          );
        });
      })}
      {days.map(
        ({ day }, index) =>
          index % 7 === 0 && (
            <text key={day} x={(x(day) ?? 0) + x.bandwidth() / 2} y={HEIGHT - 10} text-anchor="middle">
              {t.dayOfYear(day)}
            </text>
          ),
      )}
    </>
  );
}
