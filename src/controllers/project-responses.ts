import type {
  ExportFieldName,
  FieldValidation,
  Instrument,
  ProjectInfo,
} from '../gateways/redcap/crf-client.js';

/** REDCap's version. */
export interface VersionResponse {
  data: {
    /**
     * Three numbers separated by dots.
     * @example "16.1.9"
     */
    version: string;
  };
}

/** The project. */
export interface ProjectInfoResponse {
  data: ProjectInfo;
}

/** The instruments. */
export interface InstrumentsResponse {
  data: Instrument[];
}

/** The export columns. */
export interface ExportFieldNamesResponse {
  data: ExportFieldName[];
}

/** The text validations. */
export interface FieldValidationsResponse {
  data: FieldValidation[];
}
