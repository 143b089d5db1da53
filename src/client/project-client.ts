import type { FieldLogic } from '../domain/logic/builder.js';
import type {
  CallOptions,
  CrfClient,
  DeleteRecordsOptions,
  ExportRecordsOptions,
  FileDownload,
  FilePlace,
  FileUpload,
  GetRecordOptions,
  CheckedImportOptions,
  CheckedImportResult,
  InstrumentRowsOptions,
  RecordDocument,
  StreamRecordsOptions,
} from '../gateways/redcap/crf-client.js';
import type { CheckboxField, FieldType, FileField, ProjectRecordId } from './field-types.js';

/** A project as a type, as written by `crf types`. */
export interface ProjectType {
  recordId: string;
  fields: object;
  instruments: object;
  events: object;
  repeating: string;
  missing: string;
}

type Key<T> = keyof T & string;
type AnyField = FieldType<string, unknown, unknown, string | number>;
type AnyCheckbox = { readonly columns: object };
type InstrumentOf<P extends ProjectType> = Key<P['instruments']>;

/** Events that include at least one of the instruments; any event if no instrument is named. */
export type EventOf<P extends ProjectType, I extends string = never> = [I] extends [never]
  ? Key<P['events']>
  : { [E in Key<P['events']>]: Extract<I, P['events'][E]> extends never ? never : E }[Key<P['events']>];

type CheckboxColumns<F> = F extends CheckboxField<infer Columns> ? Key<Columns> : never;

/** The columns that identify a row: event, repeat instrument and repeat instance. */
type PlaceColumns<P extends ProjectType> = ([Key<P['events']>] extends [never]
  ? unknown
  : { readonly redcap_event_name: Key<P['events']> }) &
  ([P['repeating']] extends [never]
    ? unknown
    : {
        readonly redcap_repeat_instrument: P['repeating'] | '';
        readonly redcap_repeat_instance: number | '';
      });

type RawValue<F, Missing extends string> = F extends AnyField ? F['raw'] | Missing : never;

/** The raw columns of the selected fields. */
type RawColumns<Fields, Names extends keyof Fields, Missing extends string> = {
  readonly [Name in Names as Fields[Name] extends AnyCheckbox ? never : Name]: RawValue<
    Fields[Name],
    Missing
  >;
} & { readonly [Column in CheckboxColumns<Fields[Names]>]: '0' | '1' | '' };

type Selected<P extends ProjectType, F extends string, I extends string> = [F | I] extends [never]
  ? keyof P['fields']
  : (F | FieldsOf<P, I>) & keyof P['fields'];

type FieldsOf<P extends ProjectType, I extends string> = I extends keyof P['instruments']
  ? keyof P['instruments'][I]
  : never;

/** A row of an export that selects fields and the fields of instruments; without either, all fields are selected. */
export type ExportRow<P extends ProjectType, F extends string = never, I extends string = never> = RawColumns<
  P['fields'],
  Selected<P, F, I>,
  P['missing']
> &
  (P['recordId'] extends Selected<P, F, I> ? PlaceColumns<P> : unknown);

/** The selection of an export, with the names of the project. */
export type ProjectSelection<
  P extends ProjectType,
  F extends string,
  I extends string,
  Options extends ExportRecordsOptions,
> = Omit<Options, 'fields' | 'forms' | 'events' | 'type' | 'rawOrLabel' | 'combineCheckboxOptions'> & {
  readonly fields?: readonly F[];
  readonly forms?: readonly I[];
  readonly events?: readonly EventOf<P, I>[];
};

type MissingValue<P extends ProjectType> = [P['missing']] extends [never]
  ? never
  : { readonly missing: P['missing'] };

type Labelled<Code, HasLabels extends boolean> = HasLabels extends true
  ? { readonly code: Code; readonly label: string }
  : Code;

type TypedFieldValue<F, HasLabels extends boolean> =
  F extends CheckboxField<infer Columns>
    ? readonly Labelled<Columns[keyof Columns], HasLabels>[]
    : F extends { readonly code: infer Code }
      ? Labelled<Code, HasLabels>
      : F extends AnyField
        ? F['typed']
        : never;

/** The typed values of an instrument, without the record id. */
export type InstrumentValues<
  P extends ProjectType,
  I extends InstrumentOf<P>,
  HasLabels extends boolean = false,
> = {
  readonly [Name in Exclude<keyof P['instruments'][I], P['recordId']>]:
    TypedFieldValue<P['instruments'][I][Name], HasLabels> | MissingValue<P> | null;
};

/**
 * A row of an instrument with typed values. At run time, values that do not match their type stay text: see `onMisfit`.
 */
export type InstrumentRow<
  P extends ProjectType,
  I extends InstrumentOf<P>,
  HasLabels extends boolean = false,
> = InstrumentValues<P, I, HasLabels> & { readonly [Name in P['recordId']]: ProjectRecordId } & ([
    Key<P['events']>,
  ] extends [never]
    ? unknown
    : { readonly redcap_event_name: EventOf<P, I> }) &
  (I extends P['repeating']
    ? { readonly redcap_repeat_instrument: I | null; readonly redcap_repeat_instance: number | null }
    : unknown);

/** The options of `rows`, with the events of the project. */
export type ProjectRowsOptions<
  P extends ProjectType,
  I extends InstrumentOf<P>,
  HasLabels extends boolean,
> = Omit<InstrumentRowsOptions, 'events' | 'labels'> & {
  readonly events?: readonly EventOf<P, I>[];
  readonly labels?: HasLabels;
};

/** A record as a nested document. With `fields`, an instrument has only the values of those fields. */
export interface ProjectRecord<
  P extends ProjectType,
  HasLabels extends boolean = false,
  IsPart extends boolean = false,
> extends Omit<RecordDocument, 'events'> {
  readonly events: readonly {
    /** The unique event name; empty in a classic project. */
    readonly event: [Key<P['events']>] extends [never] ? '' : Key<P['events']>;
    /** In project order. Compare `instrument` to know which `values` there are. */
    readonly instruments: readonly {
      [I in InstrumentOf<P>]: {
        readonly instrument: I;
        readonly instances: readonly {
          /** The repeat instance; null if neither the instrument nor its event repeats. */
          readonly instance: number | null;
          readonly values: IsPart extends true
            ? Partial<InstrumentValues<P, I, HasLabels>>
            : InstrumentValues<P, I, HasLabels>;
        }[];
      };
    }[InstrumentOf<P>][];
  }[];
}

/** The selection of `getRecord`, with the names of the project. */
export type ProjectRecordOptions<P extends ProjectType, F extends string, HasLabels extends boolean> = Omit<
  GetRecordOptions,
  'fields' | 'forms' | 'events' | 'labels'
> & {
  readonly fields?: readonly F[];
  readonly forms?: readonly InstrumentOf<P>[];
  readonly events?: readonly Key<P['events']>[];
  readonly labels?: HasLabels;
};

/** A file field of the project. */
export type FileFieldOf<P extends ProjectType> = {
  [Name in Key<P['fields']>]: P['fields'][Name] extends FileField ? Name : never;
}[Key<P['fields']>];

/** The place of a file: a file field and an event of the project. */
export type ProjectFilePlace<P extends ProjectType> = Omit<FilePlace, 'field' | 'event'> & {
  readonly field: FileFieldOf<P>;
  readonly event?: Key<P['events']>;
};

/** The files of file fields of the project. */
export interface ProjectFiles<P extends ProjectType> {
  get(place: ProjectFilePlace<P>, options?: CallOptions): Promise<FileDownload>;
  put(place: ProjectFilePlace<P>, file: FileUpload, options?: CallOptions): Promise<void>;
  delete(place: ProjectFilePlace<P>, options?: CallOptions): Promise<void>;
}

/** Operations on records of the project. */
export interface ProjectRecords<P extends ProjectType> extends Pick<
  CrfClient['records'],
  'rename' | 'randomize' | 'nextId'
> {
  delete<const I extends InstrumentOf<P> = never>(
    records: readonly string[],
    options?: Omit<DeleteRecordsOptions, 'instrument' | 'event'> & {
      readonly instrument?: I;
      readonly event?: EventOf<P, I>;
    },
  ): Promise<number>;
}

/** A row to import with typed values, as `rows` returns them, of any instruments of the project. */
export type ProjectTypedRow<P extends ProjectType> = { readonly [Name in P['recordId']]: string } & {
  readonly [Name in Exclude<keyof P['fields'], P['recordId']>]?:
    | TypedFieldValue<P['fields'][Name], false>
    | TypedFieldValue<P['fields'][Name], true>
    | MissingValue<P>
    | null;
} & {
  readonly [Column in CheckboxColumns<P['fields'][keyof P['fields']]>]?: '0' | '1' | '' | null;
} & {
  readonly redcap_event_name?: Key<P['events']>;
  readonly redcap_repeat_instrument?: P['repeating'] | '' | null;
  readonly redcap_repeat_instance?: number | 'new' | '' | null;
  readonly redcap_data_access_group?: string;
};

/** A row to import: any columns of the project, and the record id. */
export type ProjectImportRow<P extends ProjectType> = { readonly [Name in P['recordId']]: string } & {
  readonly [
    Name in Exclude<keyof P['fields'], P['recordId']> as P['fields'][Name] extends AnyCheckbox ? never : Name
  ]?: P['fields'][Name] extends AnyField ? P['fields'][Name]['import'] | P['missing'] | null : never;
} & {
  readonly [Column in CheckboxColumns<P['fields'][keyof P['fields']]>]?:
    '0' | '1' | 0 | 1 | boolean | '' | null;
} & {
  readonly redcap_event_name?: Key<P['events']>;
  readonly redcap_repeat_instrument?: P['repeating'] | '';
  readonly redcap_repeat_instance?: number | 'new' | '';
  readonly redcap_data_access_group?: string;
};

type Comparable<F> = F extends AnyField ? F['compare'] : never;
type CodeOf<F> = F extends CheckboxField<infer Columns> ? Columns[keyof Columns] & string : never;

/** A client that is typed for a project: names, codes and values that the project does not have do not compile. */
export interface ProjectClient<P extends ProjectType> extends Omit<
  CrfClient,
  | 'exportRecords'
  | 'streamRecords'
  | 'rows'
  | 'getRecord'
  | 'importRecords'
  | 'importRows'
  | 'files'
  | 'records'
  | 'where'
> {
  readonly files: ProjectFiles<P>;
  readonly records: ProjectRecords<P>;
  /** Returns rows with only the columns of the selected fields and instruments. */
  exportRecords<const F extends Key<P['fields']> = never, const I extends InstrumentOf<P> = never>(
    options?: ProjectSelection<P, F, I, ExportRecordsOptions>,
  ): Promise<ExportRow<P, F, I>[]>;
  streamRecords<const F extends Key<P['fields']> = never, const I extends InstrumentOf<P> = never>(
    options?: ProjectSelection<P, F, I, StreamRecordsOptions>,
  ): AsyncIterable<ExportRow<P, F, I>>;
  rows<const I extends InstrumentOf<P>, const HasLabels extends boolean = false>(
    instrument: I,
    options?: ProjectRowsOptions<P, I, HasLabels>,
  ): AsyncIterable<InstrumentRow<P, I, HasLabels>>;
  importRecords(
    rows: readonly ProjectImportRow<P>[],
    options?: CheckedImportOptions,
  ): Promise<CheckedImportResult>;
  importRows(
    rows: readonly ProjectTypedRow<P>[],
    options?: CheckedImportOptions,
  ): Promise<CheckedImportResult>;
  /** Returns one record as a nested document with typed values. */
  getRecord<const F extends Key<P['fields']> = never, const HasLabels extends boolean = false>(
    record: string,
    options?: ProjectRecordOptions<P, F, HasLabels>,
  ): Promise<ProjectRecord<P, HasLabels, [F] extends [never] ? false : true>>;
  /** Begins filter logic: `client.where('age').gte(18)`. */
  where<const F extends Key<P['fields']>>(
    field: F,
  ): FieldLogic<Comparable<P['fields'][F]>, CodeOf<P['fields'][F]>>;
}
