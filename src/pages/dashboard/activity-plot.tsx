import { scaleBand, scaleLinear } from 'd3-scale';
import type { StudyActivity } from '../../services/summary/study-activity.js';
import { ValueAxis } from './value-axis.js';
import { counted, dayOf } from './in-words.js';
import { Mark } from './mark.js';
import { PLOT_WIDTH as WIDTH, type Plot } from './plot-frame.js';

const HEIGHT = 220;
const BOX = { left: 48, right: WIDTH - 12, top: 12, bottom: HEIGHT - 30 };
const KINDS = [
  { key: 'saves', one: 'save', label: 'Saves', className: 'plot-1' },
  { key: 'imports', one: 'import', label: 'Imports', className: 'plot-3' },
  { key: 'exports', one: 'export', label: 'Exports', className: 'plot-2' },
] as const;

/** Plots the activity in the project, by day. */
export function activityPlot({ days }: StudyActivity): Plot {
  const total = (key: (typeof KINDS)[number]['key']): number => days.reduce((sum, day) => sum + day[key], 0);
  return {
    name: 'activity',
    title: 'Activity',
    words: `In the last ${days.length} days of the log: ${counted(total('saves'), 'save')}, ${counted(total('imports'), 'import')}, ${counted(total('exports'), 'export')}.`,
    width: WIDTH,
    height: HEIGHT,
    drawing: <Drawing days={days} />,
    legend: KINDS,
    columns: ['Day', ...KINDS.map(({ label }) => label)],
    rows: days.map((day) => [day.day, ...KINDS.map(({ key }) => day[key])]),
  };
}

function Drawing({ days }: StudyActivity) {
  const x = scaleBand(
    days.map(({ day }) => day),
    [BOX.left, BOX.right],
  ).padding(0.2);
  const most = Math.max(1, ...days.map(({ saves, imports, exports }) => saves + imports + exports));
  const y = scaleLinear([0, most], [BOX.bottom, BOX.top]).nice(4);
  return (
    <>
      <ValueAxis scale={y} left={BOX.left} right={BOX.right} />
      {days.map((day) => {
        let below = 0;
        return KINDS.map(({ key, one, className }) => {
          const from = below;
          below += day[key];
          return (
            day[key] > 0 && (
              <Mark
                words={`${dayOf(day.day)}: ${counted(day[key], one)}`}
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
              {dayOf(day)}
            </text>
          ),
      )}
    </>
  );
}
