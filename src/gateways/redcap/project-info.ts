/** Project settings. @see docs/protocol/redcap.md 9.5 (client): REDCap's 0 and 1 are booleans here */
export interface ProjectInfo {
  readonly id: number;
  readonly title: string;
  /** `YYYY-MM-DD HH:MM:SS` in the server's time zone. */
  readonly creationTime: string;
  /** Empty while the project is in development. */
  readonly productionTime: string;
  readonly isInProduction: boolean;
  readonly language: string;
  /** 0 practice, 1 other, 2 research, 3 quality improvement, 4 operational support. */
  readonly purpose: number;
  readonly purposeOther: string;
  readonly notes: string;
  readonly customRecordLabel: string;
  readonly secondaryUniqueField: string;
  readonly isLongitudinal: boolean;
  readonly hasRepeatingInstrumentsOrEvents: boolean;
  readonly surveysEnabled: boolean;
  readonly schedulingEnabled: boolean;
  readonly recordAutonumberingEnabled: boolean;
  readonly randomizationEnabled: boolean;
  readonly irbNumber: string;
  readonly grantNumber: string;
  readonly piFirstName: string;
  readonly piLastName: string;
  readonly missingDataCodes: string;
}
