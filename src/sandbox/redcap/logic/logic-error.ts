/** The logic cannot be read. `reason` says why, and holds no value of the logic. */
export class LogicError extends Error {
  constructor(readonly reason: string) {
    super(reason);
  }
}
