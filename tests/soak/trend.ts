/** A figure over time. */
export interface Sample {
  /** Hours since the first sample. */
  readonly hours: number;
  readonly value: number;
}

/** @returns the rise of a figure per hour, by linear regression; 0 for fewer than two samples */
export function slopePerHour(samples: readonly Sample[]): number {
  const middle = (pick: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + pick(sample), 0) / samples.length;
  const [hours, value] = [middle((sample) => sample.hours), middle((sample) => sample.value)];
  const spread = samples.reduce((sum, sample) => sum + (sample.hours - hours) ** 2, 0);
  if (samples.length < 2 || spread === 0) return 0;
  return samples.reduce((sum, sample) => sum + (sample.hours - hours) * (sample.value - value), 0) / spread;
}

/** @returns how much higher the mean of the last third is than that of the first */
export function riseOf(samples: readonly Sample[]): number {
  const third = Math.max(1, Math.floor(samples.length / 3));
  const mean = (part: readonly Sample[]): number =>
    part.reduce((sum, { value }) => sum + value, 0) / Math.max(1, part.length);
  return mean(samples.slice(-third)) - mean(samples.slice(0, third));
}
