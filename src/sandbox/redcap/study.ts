import type { Field } from '../../domain/dictionary/field.js';
import type { LogEntry } from './action-log.js';
import type { DocumentPlace } from './files/document-store.js';
import type { UploadedFile } from '../../wire/parameters.js';
import type { FormRights, Rights } from './rights.js';

/**
 * The design and data of a sandbox project, passed to `startRedcapSandbox`. It comes from the demo study or the user's
 * files.
 */
export interface Study {
  readonly project: StudyProject;
  /** The data dictionary; its first field is the ID field. */
  readonly fields: readonly Field[];
  /** In project order; includes every instrument of `fields`. */
  readonly instruments: readonly StudyInstrument[];
  /** Empty in a classic project. */
  readonly arms: readonly StudyArm[];
  /** Empty in a classic project. */
  readonly events: readonly StudyEvent[];
  /** Whether the project is longitudinal with a single event too, as a view of one event is; otherwise it is classic. */
  readonly keepsEvents?: boolean | undefined;
  /** Whether records stay in the order of `rows`, as those of a de-identified view do; otherwise REDCap sorts them by id. */
  readonly keepsOrder?: boolean | undefined;
  /** The instruments designated for each event; empty in a classic project. */
  readonly mappings: readonly StudyMapping[];
  /** Repeating instruments, and repeating events (`instrument` empty). */
  readonly repeating: readonly StudyRepeating[];
  readonly users: readonly StudyUser[];
  readonly roles?: readonly StudyRole[] | undefined;
  /** Data access groups. */
  readonly groups?: readonly StudyGroup[] | undefined;
  /** Instruments enabled as surveys; ignored if surveys are disabled in the project. */
  readonly surveys?: readonly StudySurvey[] | undefined;
  readonly reports?: readonly StudyReport[] | undefined;
  /**
   * The data as flat raw rows, in the format of REDCap's import: the ID field, then `redcap_event_name`,
   * `redcap_repeat_instrument`, `redcap_repeat_instance`, `redcap_data_access_group` and `redcap_survey_identifier`
   * where they apply, then export columns (`sites___2`) and survey timestamps (`visit_timestamp`).
   */
  readonly rows: readonly Readonly<Record<string, string>>[];
  /** Whether `rows` contain all calculated values, blanks included. Otherwise, missing ones are computed. */
  readonly hasStoredCalculations?: boolean | undefined;
  /** The content of files whose names are in `rows`. */
  readonly files?: readonly StudyFile[] | undefined;
  /** The ID of the first file; 1 by default. On a real server, all projects share one sequence of IDs. */
  readonly firstDocumentId?: number | undefined;
  /** Log entries from before the sandbox was started, oldest first. */
  readonly log?: readonly LogEntry[] | undefined;
}

/** Attributes of a project XML that the sandbox does not use, by their names there. They are exported unchanged. */
export type Others = Readonly<Record<string, string>>;

/** The content of a file field, and the place of the field. */
export type StudyFile = DocumentPlace & UploadedFile;

/** The settings of a project. @see docs/protocol/redcap.md 9.5 (client) */
export interface StudyProject {
  /** The number of the project; by default, its position in the sandbox. */
  readonly id?: number | undefined;
  readonly title: string;
  readonly notes: string;
  /** 0 to 4. @see docs/protocol/redcap.md 9.5 */
  readonly purpose: number;
  readonly piFirstName: string;
  readonly piLastName: string;
  readonly surveysEnabled: boolean;
  readonly missingDataCodes: string;
  /** `YYYY-MM-DD HH:MM:SS` */
  readonly creationTime: string;
  /** Settings that the API can change, by REDCap's names. Those not given have REDCap's default. */
  readonly settings?: Readonly<Record<string, string | number>> | undefined;
  readonly others?: Others | undefined;
}

/** A data entry form. */
export interface StudyInstrument {
  /** The unique name. */
  readonly name: string;
  readonly label: string;
}

/** An arm of a longitudinal project. */
export interface StudyArm {
  readonly number: number;
  readonly name: string;
}

/** A visit within an arm. */
export interface StudyEvent {
  /** The number of the event. The project gives every event one that no event had before; input has none. */
  readonly id?: number | undefined;
  readonly label: string;
  readonly arm: number;
  readonly uniqueName: string;
  readonly customLabel?: string | undefined;
  /** Days since the start, used if scheduling is enabled. */
  readonly dayOffset?: number | undefined;
  readonly offsetMin?: number | undefined;
  readonly offsetMax?: number | undefined;
}

/** The designation of an instrument for an event. */
export interface StudyMapping {
  readonly event: string;
  readonly instrument: string;
}

/** A repeating instrument or event. */
export interface StudyRepeating {
  /** Empty in a classic project. */
  readonly event: string;
  /** Empty if the whole event repeats. */
  readonly instrument: string;
  /** Names an instance in REDCap's pages: `[drug]`. */
  readonly customLabel: string;
}

/** A user of the project, with their own token. */
export interface StudyUser {
  readonly username: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** 32 hexadecimal characters; empty if the user has no token. */
  readonly token: string;
  /** `YYYY-MM-DD`, or empty. */
  readonly expiration: string;
  /** The unique name of a data access group; empty if the user sees every record. */
  readonly group: string;
  /** The unique name of a role, or empty. The role's rights replace the user's own. */
  readonly role: string;
  readonly rights: Rights;
  /**
   * If undefined, users with `api_export` export every instrument in full, and users with `api_import` edit every
   * instrument.
   */
  readonly formRights?: FormRights | undefined;
}

/** A role that users of the project may have. */
export interface StudyRole {
  /** `U-` and ten capital letters or digits. */
  readonly uniqueName: string;
  readonly label: string;
  readonly rights: Rights;
  readonly formRights?: FormRights | undefined;
  readonly others?: Others | undefined;
}

/** A data access group. */
export interface StudyGroup {
  readonly uniqueName: string;
  /** The name that people see. */
  readonly name: string;
  readonly id: number;
}

/** An instrument that participants can fill in. */
export interface StudySurvey {
  readonly instrument: string;
  /** The title for participants; by default, the instrument's label. */
  readonly title?: string | undefined;
  /** Whether participants can save and return later with a code. */
  readonly hasReturnCodes: boolean;
  readonly others?: Others | undefined;
}

/** A report, which `content=report` exports. */
export interface StudyReport {
  readonly id: number;
  readonly title: string;
  /** `R-` and ten capital letters or digits. */
  readonly uniqueName?: string | undefined;
  /** In the report's order. */
  readonly fields: readonly string[];
  readonly filterLogic: string;
  /**
   * Whether the logic selects whole records: all rows of those where it is true anywhere. Otherwise, and by default, it
   * selects rows.
   */
  readonly isFilteredByRecord?: boolean | undefined;
  /** The unique names of the only events of the report; every event by default. */
  readonly filterEvents?: readonly string[] | undefined;
  /** The unique names of the only groups of the report; every record by default. */
  readonly filterGroups?: readonly string[] | undefined;
  readonly others?: Others | undefined;
}
