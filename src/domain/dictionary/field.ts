/**
 * One field of the data dictionary, as defined by the designer of the project.
 *
 * @see docs/protocol/redcap.md 8.1 (wire): REDCap gives all eighteen columns as strings, empty when unset
 */
export interface Field {
  /** The variable name, such as `age`. */
  readonly name: string;
  /** The unique name of the instrument that contains the field. */
  readonly instrument: string;
  /** The heading above the field, or empty. May be any text, including HTML. */
  readonly sectionHeader: string;
  /**
   * `text`, `notes`, `radio`, `dropdown`, `checkbox`, `yesno`, `truefalse`, `calc`, `slider`, `file`, `descriptive` or
   * `sql`. Not limited to these, because newer REDCap versions may add types.
   *
   * @see docs/protocol/redcap.md 8.2
   */
  readonly type: string;
  /** The label shown to people. May be any text, including HTML: escape it before displaying it. */
  readonly label: string;
  /** Choices (`1, Yes | 0, No`), the formula of a calculated field, or the labels of a slider. */
  readonly choicesOrCalculations: string;
  /** The note below the field, or empty. */
  readonly note: string;
  /** The text validation (`integer`, `date_ymd`), or empty. */
  readonly validationType: string;
  /** The minimum, as written by the designer; only a soft limit in REDCap's API. */
  readonly validationMin: string;
  /** The maximum, as written by the designer; only a soft limit in REDCap's API. */
  readonly validationMax: string;
  /** Whether the field identifies a person. */
  readonly isIdentifier: boolean;
  /** The condition under which the field is shown, in REDCap's logic; empty for always. */
  readonly branchingLogic: string;
  /** Whether the field is required. REDCap's API does not enforce it. */
  readonly isRequired: boolean;
  /** `LV`, `LH`, `RH`, or empty for right vertical. */
  readonly alignment: string;
  /** The number shown on surveys, or empty. */
  readonly questionNumber: string;
  /** The matrix the field belongs to, or empty. */
  readonly matrixGroup: string;
  /** Whether each choice can be selected only once in the matrix. */
  readonly isMatrixRanking: boolean;
  /** Free text and action tags (`@HIDDEN`). */
  readonly annotation: string;
}

/** An empty text field without an instrument: the base for fields of which only some properties matter. */
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
