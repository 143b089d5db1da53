/**
 * A field name, or the name of one export column of a checkbox field.
 * @pattern ^[a-z][a-z0-9_]*$ must be the name of a field: lower-case letters, digits and underscores
 * @maxLength 100
 * @example "age"
 */
export type FieldNameText = string;

/**
 * The unique name of an instrument.
 * @pattern ^[a-z][a-z0-9_]*$ must be the name of an instrument: lower-case letters, digits and underscores
 * @maxLength 100
 * @example "demographics"
 */
export type InstrumentNameText = string;

/**
 * A unique event name.
 * @pattern ^[a-z0-9_]*_arm_[0-9]+[a-z]?$ must be a unique event name, as in baseline_arm_1
 * @maxLength 100
 * @example "baseline_arm_1"
 */
export type EventNameText = string;

/**
 * A record id as stored. Reads also accept ids that predate this service's rule for new ids.
 * @pattern ^(?!\s)[^\u0000-\u001f\u007f-\u009f]+(?<!\s)$ must be a record id, without control characters and surrounding blanks
 * @minLength 1
 * @maxLength 100
 * @example "COHORT-2026-PARTICIPANT-0001"
 */
export type RecordIdText = string;

/**
 * A date and time in the time zone of REDCap's server, `YYYY-MM-DD HH:MM:SS`.
 * @pattern ^\d{4}-\d{2}-\d{2}\x20\d{2}:\d{2}:\d{2}$ must be a date and time, as in 2026-01-31 00:00:00
 * @example "2026-01-31 00:00:00"
 */
export type ServerTimeText = string;

/**
 * An expression in REDCap's filter logic. Must not be blank.
 * @pattern ^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$ must not contain control characters
 * @minLength 1
 * @maxLength 4000
 * @example "[age] >= 18"
 */
export type FilterLogicText = string;

/**
 * An idempotency key, chosen by the client: the same key marks a request as a repeat of an earlier one.
 * @pattern ^[A-Za-z0-9._~:-]{1,128}$ must have 1 to 128 letters, digits, or characters of . _ ~ : -
 * @example "3f6d2a60-3f0a-4a55-8f0a-0d8c6d0f2a11"
 */
export type IdempotencyKeyText = string;

/**
 * One or more ETags, in the syntax of `If-Match`.
 * @pattern ^(\*|(W/)?"[\x21\x23-\x7e]*"(\s*,\s*(W/)?"[\x21\x23-\x7e]*")*)$ must be one or more ETags in double quotes, separated by commas, or *
 * @maxLength 1000
 * @example "\"dtNjcyfIQaMS7RGsmkgoIN\""
 */
export type EntityTagsText = string;

/**
 * The number of an arm.
 * @isInt
 * @minimum 1
 * @maximum 1000
 * @example 1
 */
export type ArmNumber = number;

/**
 * The unique name of a data access group, as it appears in exports.
 * @pattern ^[a-z0-9_]+$ must be the unique name of a data access group, as in north_clinic
 * @maxLength 100
 * @example "north_clinic"
 */
export type DagNameText = string;

/**
 * A REDCap user name.
 * @pattern ^[^\u0000-\u001f\u007f,]+$ must be a user name, without commas and control characters
 * @minLength 1
 * @maxLength 255
 * @example "ada.lovelace"
 */
export type UsernameText = string;

/**
 * The unique name of a role.
 * @pattern ^U-[A-Za-z0-9]+$ must be the unique name of a role, as in U-527D39JXAC
 * @maxLength 100
 * @example "U-527D39JXAC"
 */
export type RoleNameText = string;

/**
 * Text shown to people.
 * @pattern ^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$ must not contain control characters
 * @minLength 1
 * @maxLength 1000
 * @example "Baseline"
 */
export type LabelText = string;

/**
 * The number of a repeat instance.
 * @isInt
 * @minimum 1
 * @maximum 99999
 * @example 1
 */
export type RepeatInstanceNumber = number;

/**
 * The number of a folder in the file repository.
 * @isInt
 * @minimum 1
 * @maximum 2147483647
 */
export type FolderNumber = number;

/**
 * The number of a document in the file repository.
 * @isInt
 * @minimum 1
 * @maximum 2147483647
 * @example 1
 */
export type DocumentNumber = number;

/**
 * The name of the file in the body, in the syntax of RFC 6266.
 * @minLength 1
 * @maxLength 2000
 * @example "attachment; filename=\"consent.pdf\""
 */
export type FileNameHeader = string;

/**
 * The number of a report.
 * @isInt
 * @minimum 1
 * @maximum 2147483647
 * @example 1
 */
export type ReportNumber = number;

/**
 * A date, or a date and time. Without an offset it is in the time zone of REDCap's server. With an offset it is
 * converted, which requires `CAPTURE_TIME_ZONE`.
 * @pattern ^\d{4}-\d{2}-\d{2}([T\x20]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$ must be a date, or a date and time, as in 2026-01-31 or 2026-01-31T08:15:00Z
 * @example "2026-01-31T08:15:00Z"
 */
export type MomentText = string;

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

/** The number of entries that a write changed. */
export interface CountResponse {
  data: {
    /**
     * The number of entries that REDCap accepted, changed or deleted.
     * @isInt
     * @example 1
     */
    count: number;
  };
}
