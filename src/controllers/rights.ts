/**
 * Rights by REDCap's own names: 0 no, 1 yes; `user_rights` 2 is read only.
 * @example { "api_export": 1, "design": 0 }
 */
export interface RightNumbers {
  /** @isInt */
  [right: string]: number;
}

/**
 * Rights by the unique names of instruments. In `forms` 128 none, 129 view, 130 edit, `+8` survey responses, `+16` delete
 * (before REDCap 15.6: 0 none, 1 edit, 2 view); in `formsExport` 0 none, 1 full, 2 de-identified, 3 without identifiers.
 * @example { "demographics": 130 }
 */
export interface FormRightNumbers {
  /** @isInt */
  [instrument: string]: number;
}
