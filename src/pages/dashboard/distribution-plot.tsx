import { scaleLinear } from 'd3-scale';
import type {
  DistributionFigures,
  DistributionPart,
  FieldDistribution,
} from '../../services/summary/field-distribution.js';
import { cut, ValueAxis, Mark } from './plot-parts.js';
import { barDrawing } from './bar-plot.js';
import { PLOT_WIDTH as WIDTH, shown, type Plot } from './plot-frame.js';
import type { Texts } from '../texts/texts.js';

const HEIGHT = 240;
const BOX = { left: 48, right: WIDTH - 20, top: 12, bottom: HEIGHT - 30 };
const BOX_ROW = 34;
const LABEL = 132;

/** Plots the values of one field: as a histogram, as bars, or as one box per group. */
export function distributionPlot(t: Texts, distribution: FieldDistribution): Plot {
  const { label, field, kind, parts } = distribution;
  const words = t.distribution;
  return {
    name: 'distribution',
    title: label === '' ? field : label,
    words: wordsOf(t, distribution),
    ...drawingOf(t, distribution),
    isEmpty: distribution.n === 0 && distribution.missing === 0,
    columns: [
      '',
      words.columns.values,
      words.columns.missing,
      ...(kind === 'numbers' ? words.figures : []),
      ...choiceColumns(distribution),
    ],
    rows: [
      rowOf(words.all, distribution, distribution),
      ...parts.map((group) => rowOf(nameOf(t, group, distribution), group, distribution)),
    ],
  };
}

function nameOf(t: Texts, { part, label }: DistributionPart, { by }: FieldDistribution): string {
  if (by === 'arm') return t.study.arm(part);
  return part === '' ? t.study.noDag : label;
}

function choiceColumns({ kind, choices }: FieldDistribution): string[] {
  return kind === 'choices' ? choices.map(({ label, code }) => `${label} (${code})`) : [];
}

function rowOf(
  name: string,
  figures: DistributionFigures,
  { kind }: FieldDistribution,
): (string | number | null)[] {
  const { n, missing, min, lowerQuartile, median, upperQuartile, max, choices } = figures;
  return [
    name,
    n,
    missing,
    ...(kind === 'numbers' ? [min, lowerQuartile, median, upperQuartile, max] : []),
    ...(kind === 'choices' ? choices.map((choice) => choice.n) : []),
  ];
}

function wordsOf(t: Texts, distribution: FieldDistribution): string {
  const { n, missing, median, min, max, kind, by, parts } = distribution;
  const words = t.distribution;
  return [
    n === null ? words.valuesLeftOut : words.values(n, missing),
    median === null ? '' : words.median(median, min === null || max === null ? undefined : [min, max]),
    kind === 'presence' ? words.notShown : '',
    by !== null && parts.length === 0 ? words.tooFew : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function drawingOf(t: Texts, distribution: FieldDistribution): Pick<Plot, 'drawing' | 'width' | 'height'> {
  const { kind, parts, choices, bins, n, missing } = distribution;
  if (kind === 'numbers' && parts.some(({ lowerQuartile }) => lowerQuartile !== null))
    return boxes(t, distribution);
  if (kind === 'numbers' && bins.length > 0)
    return { drawing: <Histogram t={t} {...distribution} />, width: WIDTH, height: HEIGHT };
  if (kind === 'choices' && parts.length > 0)
    return barDrawing(
      parts.flatMap((group) =>
        group.choices.map(({ label, n: count }) => ({
          label: `${nameOf(t, group, distribution)}: ${label}`,
          value: count,
          text: shown(t, count),
        })),
      ),
    );
  const bars = kind === 'choices' ? choices.map(({ label, n: count }) => ({ label, count })) : [];
  return barDrawing(
    [
      ...bars,
      ...(kind === 'choices' ? [] : [{ label: t.distribution.columns.values, count: n }]),
      { label: t.distribution.columns.missing, count: missing },
    ].map(({ label, count }) => ({ label, value: count, text: shown(t, count) })),
  );
}

function Histogram({ t, bins }: FieldDistribution & { readonly t: Texts }) {
  const [first, last] = [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 1];
  const x = scaleLinear([first, last], [BOX.left, BOX.right]);
  const y = scaleLinear([0, Math.max(1, ...bins.map(({ n }) => n ?? 0))], [BOX.bottom, BOX.top]).nice(5);
  return (
    <>
      <ValueAxis t={t} scale={y} left={BOX.left} right={BOX.right} />
      {bins.map(
        ({ from, to, n }) =>
          n !== null && (
            <Mark key={from} words={t.distribution.bin(from, to, n)} x={(x(from) + x(to)) / 2} y={y(n)}>
              <rect
                class="plot-1"
                x={x(from) + 1}
                width={Math.max(1, x(to) - x(from) - 2)}
                y={y(n)}
                height={BOX.bottom - y(n)}
              />
            </Mark>
          ),
      )}
      {x.ticks(8).map((tick) => (
        <text key={tick} x={x(tick)} y={HEIGHT - 10} text-anchor="middle">
          {t.number(tick)}
        </text>
      ))}
    </>
  );
}

/** Draws one box per group: quartiles and median, and the minimum and maximum if they may be shown. */
function boxes(t: Texts, distribution: FieldDistribution): Pick<Plot, 'drawing' | 'width' | 'height'> {
  const withQuartiles = distribution.parts.filter(({ lowerQuartile }) => lowerQuartile !== null);
  const values = withQuartiles.flatMap(({ min, lowerQuartile, upperQuartile, max }) => [
    min ?? lowerQuartile ?? 0,
    max ?? upperQuartile ?? 0,
  ]);
  const x = scaleLinear([Math.min(...values), Math.max(...values)], [LABEL, WIDTH - 20]).nice(6);
  const height = withQuartiles.length * BOX_ROW + 30;
  const drawing = (
    <>
      {x.ticks(6).map((tick) => (
        <g key={tick}>
          <line class="grid" x1={x(tick)} x2={x(tick)} y1="0" y2={height - 26} />
          <text x={x(tick)} y={height - 8} text-anchor="middle">
            {t.number(tick)}
          </text>
        </g>
      ))}
      {withQuartiles.map((group, index) => {
        const { min, lowerQuartile, median, upperQuartile, max } = group;
        const middle = index * BOX_ROW + BOX_ROW / 2;
        const [low, high] = [x(lowerQuartile ?? 0), x(upperQuartile ?? 0)];
        return (
          <g key={group.part}>
            <text x={LABEL - 10} y={middle} text-anchor="end" dominant-baseline="middle">
              {cut(nameOf(t, group, distribution), 13)}
            </text>
            <line
              class="whisker"
              x1={min === null ? low : x(min)}
              x2={max === null ? high : x(max)}
              y1={middle}
              y2={middle}
            />
            <rect class="plot-4" x={low} width={Math.max(1, high - low)} y={middle - 9} height="18" rx="2" />
            <line class="median" x1={x(median ?? 0)} x2={x(median ?? 0)} y1={middle - 9} y2={middle + 9} />
          </g>
        );
      })}
    </>
  );
  return { drawing, width: WIDTH, height };
}
