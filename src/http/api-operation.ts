/** The rules of the OpenAPI document for one query parameter. */
export interface QueryParameter {
  readonly isList: boolean;
  /** Whether an item may contain a comma, as a record id may. If so, commas do not split a value. */
  readonly mayHoldCommas: boolean;
  /** Whether a blank value is refused: a list must have an item, and a text with a minimum length must not be blank. */
  readonly isNeverBlank: boolean;
}

/** The rules of the OpenAPI document for one operation, in the form used to check requests. */
export interface Operation {
  /** The `operationId`. */
  readonly id: string;
  readonly method: string;
  /** The path in the document, such as `/api/v1/people/{email}`. */
  readonly template: string;
  readonly queryParameters: ReadonlyMap<string, QueryParameter>;
  /** The scopes that it requires; none for what everybody may call, or a session alone. */
  readonly scopes: readonly string[];
  /** The media types of the body: empty if there is no body, a wildcard if any type is accepted. */
  readonly bodyTypes: readonly string[];
  /** The media types of a successful response: a wildcard for files. */
  readonly answerTypes: readonly string[];
}
