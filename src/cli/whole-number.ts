/** @returns whether an option is a whole number from 1 to a maximum */
export function isWholeNumber(value: unknown, maximum: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maximum;
}
