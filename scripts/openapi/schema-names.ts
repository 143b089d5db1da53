/**
 * The names of schemas that differ from those of their types. Generated clients have them: a type can be renamed, a
 * published schema cannot.
 */
export const SCHEMA_NAMES: Readonly<Record<string, string>> = {
  DataAccessGroup: 'DagResponse',
  DataAccessGroupChange: 'DagEntry',
  DatasetColumn: 'DatasetColumnResponse',
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
  UserRights: 'ProjectUserResponse',
  UserRightsChange: 'ProjectUserEntry',
  UserRole: 'RoleResponse',
  UserRoleChange: 'RoleEntry',
  Verification: 'VerificationResponse',
  VisitState: 'VisitStateText',
  WarningRule: 'ImportWarningRule',
};

/** Types that only one response has, whose properties are written out in its `data`. */
export const IN_ENVELOPE: ReadonlySet<string> = new Set([
  'DocumentInfo',
  'ExportManifest',
  'ImportOutcome',
  'Randomization',
  'ResolvedUser',
  'SignedInPerson',
  'SignupResult',
]);

/** Names that more are added to in any version: any text, for programs that are older. */
export const OPEN_NAMES: ReadonlySet<string> = new Set(['SentenceCode']);
