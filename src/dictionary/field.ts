/**
 * One field of the data dictionary, as a project's designer made it.
 *
 * @see docs/protocol/redcap.md 8.1 (wire): REDCap gives all eighteen columns as strings, empty when unset
 */
export interface Field {
  /** The variable name: `age`. */
  readonly name: string;
  /** The unique name of the instrument it stands on. */
  readonly instrument: string;
  /** The heading above the field, or empty. Any text, HTML included. */
  readonly sectionHeader: string;
  /**
   * `text`, `notes`, `radio`, `dropdown`, `checkbox`, `yesno`, `truefalse`, `calc`, `slider`, `file`, `descriptive` or
   * `sql`; any text, because a newer REDCap may know more.
   *
   * @see docs/protocol/redcap.md 8.2
   */
  readonly type: string;
  /** What people read. Any text, HTML included: escape it before showing it. */
  readonly label: string;
  /** Choices (`1, Yes | 0, No`), the formula of a calculated field, or the labels of a slider. */
  readonly choicesOrCalculations: string;
  /** The note below the field, or empty. */
  readonly note: string;
  /** The text validation (`integer`, `date_ymd`), or empty. */
  readonly validationType: string;
  /** The least value, as written by the designer; a soft limit in REDCap's API. */
  readonly validationMin: string;
  /** The greatest value, as written by the designer; a soft limit in REDCap's API. */
  readonly validationMax: string;
  /** Whether it identifies a person. */
  readonly isIdentifier: boolean;
  /** When the field is shown, in REDCap's logic; empty for always. */
  readonly branchingLogic: string;
  /** Whether people must fill it in. REDCap's API does not enforce it. */
  readonly isRequired: boolean;
  /** `LV`, `LH`, `RH`, or empty for right vertical. */
  readonly alignment: string;
  /** The number shown on surveys, or empty. */
  readonly questionNumber: string;
  /** The matrix the field belongs to, or empty. */
  readonly matrixGroup: string;
  /** Whether a choice may be taken once in the matrix. */
  readonly isMatrixRanking: boolean;
  /** Free text and action tags (`@HIDDEN`). */
  readonly annotation: string;
}

/** A text field of no instrument of which nothing is said: what a field is made from when only a part of it matters. */
export const BLANK_FIELD: Field = Object.freeze({
  name: '',
  instrument: '',
  sectionHeader: '',
  type: 'text',
  label: '',
  choicesOrCalculations: '',
  note: '',
  validationType: '',
  validationMin: '',
  validationMax: '',
  isIdentifier: false,
  branchingLogic: '',
  isRequired: false,
  alignment: '',
  questionNumber: '',
  matrixGroup: '',
  isMatrixRanking: false,
  annotation: '',
});
