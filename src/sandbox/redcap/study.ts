import type { Field } from '../../dictionary/field.js';

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
  /**
   * The data as flat raw rows, as REDCap's import takes them: the id field, `redcap_event_name`,
   * `redcap_repeat_instrument`, `redcap_repeat_instance` where they apply, then export columns (`sites___2`).
   */
  readonly rows: readonly Readonly<Record<string, string>>[];
}

export interface StudyProject {
  readonly title: string;
  readonly notes: string;
  readonly purpose: number;
  readonly piFirstName: string;
  readonly piLastName: string;
  readonly surveysEnabled: boolean;
  readonly missingDataCodes: string;
  /** `YYYY-MM-DD HH:MM:SS` */
  readonly creationTime: string;
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
  readonly mayExport: boolean;
  readonly mayImport: boolean;
  readonly mayDelete: boolean;
}
