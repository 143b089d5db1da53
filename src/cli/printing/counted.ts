/** @returns `1 record`, `2 records` */
export function counted(count: number, what: string, several = `${what}s`): string {
  return `${count} ${count === 1 ? what : several}`;
}
