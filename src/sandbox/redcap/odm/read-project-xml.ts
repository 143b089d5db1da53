import { DataDictionary } from '../../../domain/dictionary/data-dictionary.js';
import { InvalidRequestError } from '../../../domain/errors/caller-errors.js';
import { refusal } from '../../../domain/errors/refusal.js';
import {
  EVENT_NAME_RULE,
  isEventName,
  FIELD_NAME_RULE,
  isFieldName,
  INSTRUMENT_NAME_RULE,
  isInstrumentName,
} from '../../../domain/identifiers/names.js';
import { ClinicalDataReader, type OdmLayout } from '../../../wire/read-odm.js';
import { readXml } from '../../../wire/xml.js';
import { placeKey } from '../project-structure.js';
import type { Study } from '../study.js';
import { readDesign } from './design-reader.js';

/** A project as read from its XML. */
interface ReadProject {
  /** The content of the file, without users: REDCap does not export them. */
  readonly study: Omit<Study, 'users'>;
  /** Messages about content that the sandbox does not support. */
  readonly notes: readonly string[];
}

/**
 * Reads a file from REDCap's "Download metadata & data as REDCap XML".
 *
 * @throws {InvalidRequestError} the document is not well-formed, has a document type declaration, is not a REDCap
 * project, or has a name that a data dictionary may not have
 * @see docs/protocol/redcap.md 9.8 (client)
 */
export async function readProjectXml(document: string): Promise<ReadProject> {
  let data: ClinicalDataReader | undefined;
  const root = await readXml(document, (subject, before) => {
    data ??= new ClinicalDataReader(layoutOf(readDesign(before).study));
    data.read(subject);
  });
  const { study, unknown } = readDesign(root);
  if (study.fields.length === 0)
    throw refusal('project XML', 'must be a project XML of REDCap (CDISC ODM with its fields)');
  refuseNames(study);
  const { rows = [], files = [], lost = 0 } = data ?? {};
  return { study: { ...study, rows, files, hasStoredCalculations: true }, notes: notesOf(unknown, lost) };
}

/** Refuses what a data dictionary in CSV may not have either. */
function refuseNames({ fields, instruments, events, mappings }: Omit<Study, 'users' | 'rows'>): void {
  const forms = [...instruments.map(({ name }) => name), ...mappings.map(({ instrument }) => instrument)];
  const kinds = [
    { kind: 'a field', names: fields.map(({ name }) => name), fits: isFieldName, rule: FIELD_NAME_RULE },
    { kind: 'an instrument', names: forms, fits: isInstrumentName, rule: INSTRUMENT_NAME_RULE },
    {
      kind: 'an event',
      names: events.map(({ uniqueName }) => uniqueName),
      fits: isEventName,
      rule: EVENT_NAME_RULE,
    },
  ];
  const broken = kinds
    .filter(({ names, fits }) => !names.every((name) => fits(name)))
    .map(({ kind, rule }) => `${kind} whose name does not fit: it ${rule}`);
  if (broken.length > 0)
    throw new InvalidRequestError(
      broken.map((message) => ({ field: 'project XML', message: `has ${message}` })),
    );
}

function layoutOf(study: Pick<Study, 'fields' | 'repeating'>): OdmLayout {
  const repeats = new Set(study.repeating.map(({ event, instrument }) => placeKey(event, instrument)));
  return {
    dictionary: new DataDictionary(study.fields),
    isRepeatingInstrument: (event, instrument) =>
      instrument !== '' && repeats.has(placeKey(event, instrument)),
    isRepeatingEvent: (event) => repeats.has(placeKey(event, '')),
  };
}

function notesOf(unknown: ReadonlyMap<string, number>, lost: number): string[] {
  return [
    ...[...unknown].map(
      ([name, count]) => `${name}: the sandbox has no place for them (${count} not loaded)`,
    ),
    ...(lost === 0
      ? []
      : [`${lost} values of repeat instances whose instrument does not repeat: not loaded`]),
  ];
}
