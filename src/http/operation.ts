/** What the document says of one query parameter. */
export interface QueryParameter {
  readonly isList: boolean;
  /** Whether an item may hold a comma, as a record id may: then commas do not split a value. */
  readonly mayHoldCommas: boolean;
  /** Whether it says something once it is given: a list has an item, a text with a least length is not blank. */
  readonly isNeverBlank: boolean;
}

/** What the document says of one operation, in the form in which a request is held against it. */
export interface Operation {
  /** Its `operationId`. */
  readonly id: string;
  readonly method: string;
  /** The path as the document has it: `/api/v1/users/{email}`. */
  readonly template: string;
  readonly queryParameters: ReadonlyMap<string, QueryParameter>;
  /** The media types of its body; empty when it reads none; the wildcard when any will do. */
  readonly bodyTypes: readonly string[];
  /** The media types of its success; the wildcard for files. */
  readonly answerTypes: readonly string[];
}
