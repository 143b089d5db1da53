import type { Field } from '../../dictionary/field.js';
import type { LogEntry } from './action-log.js';
import type { DocumentPlace, UploadedFile } from './files/document-store.js';
import type { FormRights, Rights } from './rights.js';

/** Everything a sandbox project is made of: what `startRedcapSandbox` is given, and the demo study or a user's own files give. */
export interface Study {
  readonly project: StudyProject;
  /** The data dictionary; the first field is the id field. */
  readonly fields: readonly Field[];
  /** In project order; every instrument of `fields` stands here. */
  readonly instruments: readonly StudyInstrument[];
  /** Empty in a classic project. */
  readonly arms: readonly StudyArm[];
  /** Empty in a classic project. */
  readonly events: readonly StudyEvent[];
  /** Which instruments stand at which event; empty in a classic project. */
  readonly mappings: readonly StudyMapping[];
  /** Repeating instruments, and repeating events (`instrument` empty). */
  readonly repeating: readonly StudyRepeating[];
  readonly users: readonly StudyUser[];
  readonly roles?: readonly StudyRole[] | undefined;
  /** Data access groups. */
  readonly groups?: readonly StudyGroup[] | undefined;
  /** Instruments that are surveys; none unless the project has surveys. */
  readonly surveys?: readonly StudySurvey[] | undefined;
  readonly reports?: readonly StudyReport[] | undefined;
  /**
   * The data as flat raw rows, as REDCap's import takes them: the id field, `redcap_event_name`,
   * `redcap_repeat_instrument`, `redcap_repeat_instance`, `redcap_data_access_group`, `redcap_survey_identifier` where
   * they apply, then export columns (`sites___2`) and the time stamps of surveys (`visit_timestamp`).
   */
  readonly rows: readonly Readonly<Record<string, string>>[];
  /** Whether the calculated values in `rows` are all there are, blanks too; else missing ones are computed. */
  readonly hasStoredCalculations?: boolean | undefined;
  /** The files of file fields, whose names stand in `rows`. */
  readonly files?: readonly StudyFile[] | undefined;
  /** The number of the first file; 1 by default. A server counts the files of all its projects together. */
  readonly firstDocumentId?: number | undefined;
  /** What happened before the sandbox was started, the oldest first. */
  readonly log?: readonly LogEntry[] | undefined;
}

/** What a project XML says beyond what the sandbox knows, by its own names: written again as it was read. */
export type Others = Readonly<Record<string, string>>;

export type StudyFile = DocumentPlace & UploadedFile;

export interface StudyProject {
  /** The number of the project; by default the next one that is free. */
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
  /** Settings that the API can change, by REDCap's own name; what is not given has REDCap's default. */
  readonly settings?: Readonly<Record<string, string | number>> | undefined;
  readonly others?: Others | undefined;
}

export interface StudyInstrument {
  readonly name: string;
  readonly label: string;
}

export interface StudyArm {
  readonly number: number;
  readonly name: string;
}

export interface StudyEvent {
  readonly label: string;
  readonly armNumber: number;
  readonly uniqueName: string;
  readonly customLabel?: string | undefined;
  /** Days from the beginning, while scheduling is enabled. */
  readonly dayOffset?: number | undefined;
  readonly offsetMin?: number | undefined;
  readonly offsetMax?: number | undefined;
}

export interface StudyMapping {
  readonly uniqueEventName: string;
  readonly instrument: string;
}

export interface StudyRepeating {
  readonly uniqueEventName: string;
  readonly instrument: string;
  readonly customLabel: string;
}

/** A user of the project, with a token of their own. */
export interface StudyUser {
  readonly username: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** 32 hexadecimal characters, or empty for a user who has none. */
  readonly token: string;
  /** `YYYY-MM-DD`, or empty. */
  readonly expiration: string;
  /** The unique name of a data access group, or empty: then every record is seen. */
  readonly group: string;
  /** The unique name of a role, or empty; a role's rights stand in place of the user's own. */
  readonly role: string;
  readonly rights: Rights;
  /** Without it: every instrument exported in full, and edited where records may be imported. */
  readonly formRights?: FormRights | undefined;
}

export interface StudyRole {
  /** `U-` and ten capitals or digits. */
  readonly uniqueName: string;
  readonly label: string;
  readonly rights: Rights;
  readonly formRights?: FormRights | undefined;
  readonly others?: Others | undefined;
}

export interface StudyGroup {
  readonly uniqueName: string;
  readonly name: string;
  readonly id: number;
}

export interface StudySurvey {
  readonly instrument: string;
  /** What participants read; the instrument's label when it is not given. */
  readonly title?: string | undefined;
  /** Whether a participant may save and return later, with a code. */
  readonly hasReturnCodes: boolean;
  readonly others?: Others | undefined;
}

export interface StudyReport {
  readonly id: number;
  readonly title: string;
  /** `R-` and ten capitals or digits. */
  readonly uniqueName?: string | undefined;
  /** In the order of the report. */
  readonly fields: readonly string[];
  readonly filterLogic: string;
  readonly others?: Others | undefined;
}
