import type { ScaleLinear } from 'd3-scale';
import type { Texts } from '../texts/en.js';

/** Horizontal grid lines with their values, for a plot with a vertical value axis. */
export function ValueAxis(props: {
  readonly t: Texts;
  readonly scale: ScaleLinear<number, number>;
  readonly left: number;
  readonly right: number;
}) {
  const { t, scale, left, right } = props;
  return (
    <g>
      {scale
        .ticks(5)
        .filter(Number.isInteger)
        .map((tick) => (
          <g key={tick}>
            <line class="grid" x1={left} x2={right} y1={scale(tick)} y2={scale(tick)} />
            <text x={left - 8} y={scale(tick)} text-anchor="end" dominant-baseline="middle">
              {t.number(tick)}
            </text>
          </g>
        ))}
    </g>
  );
}
