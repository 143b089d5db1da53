import type { Readable } from 'node:stream';
import * as z from 'zod';
import type { Logic } from '../../../domain/logic/builder.js';
import {
  argument,
  only,
  options,
  strictObject,
  type Shape,
  type OrUndefined,
} from '../../../domain/identifiers/check-options.js';
import {
  anyText,
  eventName,
  fieldName,
  flag,
  integerFrom,
  listed,
  narrowing,
  narrowingLogic,
  nonBlankText,
  recordId,
  type LabelText,
} from './argument-values.js';
import type { EventNameText, FieldNameText } from '../../../domain/identifiers/names.js';
import type { RecordIdText } from '../../../domain/identifiers/record-id.js';
import { CALL, type CallOptions, WRITE, type WriteOptions } from '../call-options.js';
import { PROJECT_XML_FORM } from '../export-form.js';
import { type ProjectInfo, PROJECT, ProjectRow } from '../rows.js';
import { content, type ContentCalls } from './content-calls.js';

/** Settings to change. Omitted settings are unchanged. @see docs/protocol/redcap.md 9.6 (client) */
export interface ProjectSettings {
  /** @example "Cohort study 2026" */
  readonly title?: LabelText;
  /** @maxLength 100 */
  readonly language?: string;
  /**
   * 0 practice, 1 other, 2 research, 3 quality improvement, 4 operational support.
   * @isInt
   * @minimum 0
   * @maximum 4
   */
  readonly purpose?: number;
  /** @maxLength 1000 */
  readonly purposeOther?: string;
  /** @maxLength 10000 */
  readonly notes?: string;
  /** @maxLength 1000 */
  readonly customRecordLabel?: string;
  /**
   * The field whose values must be unique across records; empty for none.
   * @maxLength 100
   */
  readonly secondaryUniqueField?: string;
  readonly isLongitudinal?: boolean;
  readonly surveysEnabled?: boolean;
  readonly schedulingEnabled?: boolean;
  readonly recordAutonumberingEnabled?: boolean;
  readonly randomizationEnabled?: boolean;
  /** @maxLength 1000 */
  readonly irbNumber?: string;
  /** @maxLength 1000 */
  readonly grantNumber?: string;
  /** @maxLength 1000 */
  readonly piFirstName?: string;
  /** @maxLength 1000 */
  readonly piLastName?: string;
}

/** A project to create with a super token. @see docs/protocol/redcap.md 9.7 (client, doc) */
export interface NewProject {
  readonly title: string;
  /** 0 practice, 1 other, 2 research, 3 quality improvement, 4 operational support. */
  readonly purpose: number;
  /** Required with purpose 1. */
  readonly purposeOther?: string | undefined;
  readonly notes?: string | undefined;
  readonly isLongitudinal?: boolean | undefined;
  readonly surveysEnabled?: boolean | undefined;
  readonly recordAutonumberingEnabled?: boolean | undefined;
  /**
   * Project XML, as `openXml` returns it: the new project has its design and its records. Title, purpose and notes come
   * from here; `isLongitudinal`, `surveysEnabled` and `recordAutonumberingEnabled` from the XML.
   */
  readonly odm?: string | undefined;
}

/** What the document contains in addition to the design. */
export interface ProjectXmlContent {
  /** Omits the records. */
  readonly metadataOnly?: boolean;
  /** Only these records. */
  readonly records?: readonly RecordIdText[];
  /** Only these fields. */
  readonly fields?: readonly FieldNameText[];
  /** Only these events. Longitudinal projects only. */
  readonly events?: readonly EventNameText[];
  /** Adds the survey identifier and the survey timestamps. */
  readonly exportSurveyFields?: boolean;
  /** Adds the data access group. */
  readonly exportDataAccessGroups?: boolean;
}

/** What a project in XML contains besides its design. A list must have at least one name. */
export interface ProjectXmlOptions extends OrUndefined<ProjectXmlContent>, CallOptions {
  /** A condition in REDCap's logic syntax, or one that `where` builds. */
  readonly filterLogic?: string | Logic | undefined;
  /** Adds the bytes of uploaded files, which can make the document very large. */
  readonly exportFiles?: boolean | undefined;
}

/** `content=project`, `content=project_xml`, `content=project_settings`, and creating projects. */
export class Project {
  constructor(private readonly calls: ContentCalls) {}

  /** Returns the settings of the project. @see docs/protocol/redcap.md 9.5 (client): newer versions add keys */
  getInfo(options: CallOptions = {}): Promise<ProjectInfo> {
    return this.calls.read({ content: 'project' }, ProjectRow, options);
  }

  /**
   * Opens the whole project as ODM 1.3.1 with REDCap's own attributes, from which REDCap can create a copy. The bytes
   * are REDCap's, as they arrive; the stream ends normally only if the document was complete.
   *
   * @see docs/protocol/redcap.md 9.8 (client)
   */
  async openXml(options: ProjectXmlOptions = {}): Promise<Readable> {
    const { metadataOnly, filterLogic, ...selection } = only(options, XML_CONTENT);
    const parameters = {
      ...{ content: 'project_xml', ...selection },
      returnMetadataOnly: metadataOnly,
      filterLogic: filterLogic?.toString(),
    };
    return this.calls.stream(parameters, PROJECT_XML_FORM, options);
  }

  /**
   * Changes settings of the project.
   *
   * @returns how many values REDCap accepted
   * @throws {InvalidRequestError} no setting is given
   */
  async putInfo(settings: OrUndefined<ProjectSettings>, options: WriteOptions = {}): Promise<number> {
    return this.calls.import('project_settings', toRow(settings), options, { isRepeatable: true });
  }

  /**
   * Creates a project. The client must have been created with a super token. Never retried, because a project could be
   * created twice.
   *
   * @returns the token of the new project, which gives access to everything in it; protect it like the super token
   */
  async create(project: NewProject, options: CallOptions = {}): Promise<string> {
    const { odm, ...about } = project;
    const data = JSON.stringify([toRow(about)]);
    const parameters = { content: 'project', action: 'import', data, odm: odm?.replace(DECLARED, '$1UTF-8') };
    const answer = await this.calls.writeText(parameters, /[0-9A-Fa-f]{32}"?$/, options);
    return answer.replaceAll('"', '').slice(-32).toUpperCase();
  }
}

/** The encoding that the XML declaration states: a text is sent as UTF-8, whatever the file was. */
const DECLARED = /^(\s*<\?xml\s[^?>]*\bencoding\s*=\s*["'])[\w.:-]+/;

/** The settings under REDCap's names; what it only exports is left out. */
function toRow(settings: OrUndefined<ProjectSettings>): Record<string, string | number> {
  return Object.fromEntries(
    (Object.keys(SETTINGS) as (keyof ProjectSettings)[]).flatMap((name) => {
      const value = settings[name];
      if (value === undefined) return [];
      return [[PROJECT[name][0], typeof value === 'boolean' ? Number(value) : value] as const];
    }),
  );
}

const text = anyText.optional();
const optionalFlag = flag.optional();

const SETTINGS = {
  title: text,
  language: text,
  purpose: integerFrom(0).optional(),
  purposeOther: text,
  notes: text,
  customRecordLabel: text,
  secondaryUniqueField: text,
  isLongitudinal: optionalFlag,
  surveysEnabled: optionalFlag,
  schedulingEnabled: optionalFlag,
  recordAutonumberingEnabled: optionalFlag,
  randomizationEnabled: optionalFlag,
  irbNumber: text,
  grantNumber: text,
  piFirstName: text,
  piLastName: text,
} satisfies Shape<ProjectSettings>;

const NEW_PROJECT = {
  title: nonBlankText,
  purpose: integerFrom(0),
  purposeOther: text,
  notes: text,
  isLongitudinal: optionalFlag,
  surveysEnabled: optionalFlag,
  recordAutonumberingEnabled: optionalFlag,
  odm: nonBlankText.optional(),
} satisfies Shape<NewProject>;

const XML_CONTENT = {
  metadataOnly: optionalFlag,
  records: narrowing(listed(recordId)).optional(),
  fields: narrowing(listed(fieldName)).optional(),
  events: narrowing(listed(eventName)).optional(),
  filterLogic: narrowingLogic.optional(),
  exportSurveyFields: optionalFlag,
  exportDataAccessGroups: optionalFlag,
  exportFiles: optionalFlag,
} satisfies Shape<Omit<ProjectXmlOptions, keyof CallOptions>>;

/** What REDCap only exports is ignored, so that an exported project can be sent. */
export const EXPORTED_ONLY = {
  id: z.unknown().optional(),
  creationTime: z.unknown().optional(),
  productionTime: z.unknown().optional(),
  isInProduction: z.unknown().optional(),
  hasRepeatingInstrumentsOrEvents: z.unknown().optional(),
  missingDataCodes: z.unknown().optional(),
  ddpEnabled: z.unknown().optional(),
  piEmail: z.unknown().optional(),
  displayTodayNowButton: z.unknown().optional(),
  externalModules: z.unknown().optional(),
  bypassBranchingEraseFieldPrompt: z.unknown().optional(),
} satisfies Shape<Record<Exclude<keyof ProjectInfo, keyof ProjectSettings>, unknown>>;

const settings = strictObject({ ...SETTINGS, ...EXPORTED_ONLY }, 'a property').refine(
  (given) => Object.keys(toRow(given)).length > 0,
  'must not be empty',
);

export const PROJECT_CONTENT = content(Project, {
  getInfo: [options(CALL)],
  openXml: [options({ ...CALL, ...XML_CONTENT })],
  putInfo: [argument('settings', settings), options(WRITE)],
  create: [argument('project', strictObject(NEW_PROJECT, 'a property')), options(CALL)],
});
