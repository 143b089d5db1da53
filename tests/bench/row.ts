/** One line of the report: what was measured, the figures, and the claimed ratio. */
export interface Row {
  readonly what: string;
  readonly figures: string;
  readonly ratio?: number | undefined;
  readonly target?: string | undefined;
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

export function milliseconds(ms: number): string {
  return `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
}

/** There is no figure without `/proc`. */
export function megabytes(mb: number): string {
  return Number.isNaN(mb) ? 'not measured here' : `${Math.round(mb)} MB`;
}

export function count(value: number): string {
  return value.toLocaleString('en');
}
