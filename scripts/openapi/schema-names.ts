import { CSV_DELIMITERS } from '../../src/gateways/redcap/csv-delimiter.js';
import { QUALITY_RULES } from '../../src/records/rules/quality-finding.js';
import type { OpenApiDocument } from './document.js';

/**
 * The names of schemas that differ from those of their types. Generated clients have them: a type can be renamed, a
 * published schema cannot.
 */
const SCHEMA_NAMES: Readonly<Record<string, string>> = {
  DataAccessGroup: 'DagResponse',
  DataAccessGroupChange: 'DagEntry',
  DependencyState: 'DependencyResponse',
  DueVisit: 'DueVisitResponse',
  EventDocument_unknown_: 'RecordEventResponse',
  FormRights: 'FormRightNumbers',
  IgnoredColumn: 'IgnoredColumnResponse',
  ImportChange: 'ImportChangeResponse',
  ImportChanges: 'ImportChangesResponse',
  ImportConflicts: 'ImportConflictsResponse',
  ImportWarning: 'ImportWarningResponse',
  ImportWarningList: 'ImportWarningsResponse',
  InstanceDocument_unknown_: 'RecordInstanceResponse',
  InstrumentDocument_unknown_: 'RecordInstrumentResponse',
  Lookalike: 'LookalikeResponse',
  ManifestRule: 'ManifestRuleResponse',
  Misfit: 'MisfitResponse',
  MisfitList: 'MisfitsResponse',
  NewFolder: 'NewFolderRequest',
  ProjectEntry: 'ListedProject',
  ProjectEventChange: 'EventEntry',
  QualityCounts: 'QualityCountsResponse',
  QualityFinding: 'QualityFindingResponse',
  QualityRule: 'QualityRuleText',
  QualitySummary: 'QualitySummaryResponse',
  ReadLogEntry: 'LogEntryResponse',
  Readiness: 'ReadinessResponse',
  RecordDocument_unknown_: 'RecordDocumentResponse',
  RecordProblem: 'ProblemField',
  RepeatedRow: 'RepeatedRowResponse',
  RepeatedRows: 'RepeatedRowsResponse',
  RepositoryEntry: 'RepositoryEntryResponse',
  Rights: 'RightNumbers',
  RowRange: 'ProblemRows',
  Sentence: 'SentenceResponse',
  SessionSummary: 'SessionResponse',
  SurveyParticipant: 'ParticipantResponse',
  UnstoredValue: 'UnstoredValueResponse',
  UserRights: 'UserResponse',
  UserRightsChange: 'UserEntry',
  UserRole: 'RoleResponse',
  UserRoleChange: 'RoleEntry',
  Verification: 'VerificationResponse',
  VisitState: 'VisitStateText',
  WarningRule: 'ImportWarningRule',
};

/** Types that only one response has, whose properties are written out in its `data`. */
const IN_ENVELOPE: ReadonlySet<string> = new Set([
  'RepositoryFileInfo',
  'ExportManifest',
  'ImportOutcome',
  'Randomization',
  'ResolvedUser',
  'SignedInPerson',
  'SignupResult',
]);

/** Names that more are added to in any version: any text, for programs that are older. */
const OPEN_NAMES: ReadonlySet<string> = new Set(['SentenceCode']);

/**
 * Gives the schemas of a document their published names, and writes out where it is used what has no description or is in
 * one response only. Modifies the given document.
 */
export function publishNames({ paths, components }: OpenApiDocument): void {
  const { schemas } = components;
  for (const name of [...IN_ENVELOPE, ...OPEN_NAMES, ...Object.keys(SCHEMA_NAMES)])
    if (!(name in schemas)) throw new Error(`No route has ${name}: see scripts/openapi/schema-names.ts`);
  for (const name of OPEN_NAMES) schemas[name] = { type: 'string' };
  // The compiler, whose order tsoa takes, orders the texts of a type as it met them anywhere.
  const inOrder = (name: string, texts: readonly string[]): void => {
    schemas[name] = { ...schemas[name], enum: texts };
  };
  inOrder('CsvDelimiter', Object.keys(CSV_DELIMITERS));
  inOrder('QualityRule', QUALITY_RULES);
  // tsoa has the properties of a type literal backwards.
  inOrder('WarningRule', Object.keys(schemas['WarningCounts']?.properties ?? {}).reverse());
  for (const schema of Object.values(schemas)) if (schema.nullable === false) delete schema.nullable;
  const each = (value: unknown, change: (reference: { $ref?: string }, name: string) => void): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as { readonly $ref?: unknown };
    if (typeof $ref === 'string' && $ref.startsWith(SCHEMAS)) change(value, $ref.slice(SCHEMAS.length));
    for (const child of Object.values(value)) each(child, change);
  };
  each([paths, schemas], (reference, name) => {
    const { description, additionalProperties: _, ...schema } = structuredClone(schemas[name] ?? {});
    if (description !== undefined && !IN_ENVELOPE.has(name)) return;
    delete reference.$ref;
    Object.assign(reference, { ...schema, ...reference });
  });
  each([paths, schemas], (reference, name) => (reference.$ref = SCHEMAS + (SCHEMA_NAMES[name] ?? name)));
  components.schemas = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [SCHEMA_NAMES[name] ?? name, schema]),
  );
}

const SCHEMAS = '#/components/schemas/';
