/**
 * Rights by their REDCap names: 0 for no, 1 for yes; 2 in `user_rights` is read-only.
 * @example { "api_export": 1, "design": 0 }
 */
export interface RightNumbers {
  /** @isInt */
  [right: string]: number;
}

/**
 * Rights by the unique names of instruments. In `forms`: 128 none, 129 view, 130 edit, `+8` survey responses, `+16`
 * delete (before REDCap 15.6: 0 none, 1 edit, 2 view). In `formsExport`: 0 none, 1 full, 2 de-identified, 3 without
 * identifiers.
 * @example { "demographics": 130 }
 */
export interface FormRightNumbers {
  /** @isInt */
  [instrument: string]: number;
}
