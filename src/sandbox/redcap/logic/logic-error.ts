/** The logic is not valid. `reason` says why, without quoting the logic. */
export class LogicError extends Error {
  constructor(readonly reason: string) {
    super(reason);
  }
}
