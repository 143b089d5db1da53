import { createHash } from 'node:crypto';
import { projectSchema } from '../../domain/dictionary/project-schema/project-schema.js';
import { writeProjectTypes } from '../../domain/dictionary/project-types/write-project-types.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import type { CallOptions } from '../../gateways/redcap/crf-client.js';
import { exampleFile } from '../../records/import/example-file.js';
import { loadProjectStructure, type StructureSource } from '../../records/load-project-structure.js';
import { PACKAGE_VERSION } from '../package-version.js';
import { projectOpenApi } from './project-openapi.js';

/** A document generated from the structure of the project. */
export interface ProjectDocument {
  /** The ETag, with quotes as in the header. It changes only with the structure, the options and the package. */
  readonly etag: string;
  readonly contentType: string;
  /** Generates the document on demand: a client that already has it needs only the ETag. */
  text(): string;
}

export interface ProjectDocumentsOptions {
  /** Minimum length of a record id; 20 by default. */
  readonly recordIdMinLength?: number | undefined;
  /** The OpenAPI document of the service. */
  readonly openApi: () => string;
}

/** Describes the project for programs: JSON Schema, TypeScript, OpenAPI. */
export class ProjectDocuments {
  /** The documents of the last requested structure, because generating them takes a while for a large project. */
  #made: { readonly structure: string; readonly texts: Map<string, string> } | undefined;

  constructor(
    private readonly source: StructureSource,
    private readonly options: ProjectDocumentsOptions,
    private readonly version: string = PACKAGE_VERSION,
  ) {}

  /** @throws {CrfError} errors of the client */
  schema(values: 'raw' | 'typed', call?: CallOptions): Promise<ProjectDocument> {
    const { recordIdMinLength } = this.options;
    return this.#document(`schema ${values}`, JSON_TYPE, call, (structure) =>
      JSON.stringify(projectSchema(structure, { values, recordIdMinLength })),
    );
  }

  /** @throws {CrfError} errors of the client */
  async types(call?: CallOptions): Promise<ProjectDocument> {
    const { title } = await this.source.project.getInfo(call);
    return this.#document(`types ${title}`, 'text/plain; charset=utf-8', call, (structure) =>
      writeProjectTypes(structure, title),
    );
  }

  /** @throws {CrfError} errors of the client */
  openApi(call?: CallOptions): Promise<ProjectDocument> {
    return this.#document('openapi', JSON_TYPE, call, (structure) =>
      JSON.stringify(projectOpenApi(this.options.openApi(), structure, this.options.recordIdMinLength)),
    );
  }

  /** Returns a CSV file with mistakes, for the fields of the project. @throws {CrfError} errors of the client */
  async exampleFile(call?: CallOptions): Promise<string> {
    return exampleFile(await loadProjectStructure(this.source, call));
  }

  async #document(
    name: string,
    contentType: string,
    call: CallOptions | undefined,
    make: (structure: ProjectStructure) => string,
  ): Promise<ProjectDocument> {
    const structure = await loadProjectStructure(this.source, call);
    const hash = hashOf(partsOf(structure));
    if (this.#made?.structure !== hash) this.#made = { structure: hash, texts: new Map() };
    const { texts } = this.#made;
    // Another version of the package may write the same structure differently.
    const version = JSON.stringify([this.version, this.options.recordIdMinLength, hash, name]);
    const etag = createHash('sha256').update(version).digest('base64url').slice(0, 22);
    return {
      etag: `"${etag}"`,
      contentType,
      text: () => {
        const text = texts.get(name) ?? make(structure);
        texts.set(name, text);
        return text;
      },
    };
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Returns what the documents are generated from. */
function partsOf(structure: ProjectStructure): readonly unknown[] {
  const { dictionary, events, missingDataCodes } = structure;
  const places = structure.eventNames.map((event) => [
    event,
    structure.instrumentsAt(event),
    structure.repeatsEvent(event),
    structure.instrumentsAt(event).filter((name) => structure.repeatsInstrument(event, name)),
  ]);
  return [dictionary.fields, events, places, [...missingDataCodes]];
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
