import { createHash } from 'node:crypto';
import { projectSchema } from '../../dictionary/project-schema/project-schema.js';
import { writeProjectTypes } from '../../dictionary/project-types/write-project-types.js';
import type { ProjectStructure } from '../../dictionary/project-structure.js';
import type { CallOptions } from '../../gateways/redcap/crf-client.js';
import { loadProjectStructure, type StructureSource } from '../project-structure/load-project-structure.js';
import { projectOpenApi } from './project-openapi.js';

/** A document about the project that is made from its structure. */
export interface ProjectDocument {
  /** In quotes, as the header has it; the same as long as the structure is. */
  readonly etag: string;
  readonly contentType: string;
  /** Made when it is asked for: whoever has it already needs the ETag alone. */
  text(): string;
}

export interface ProjectDocumentsOptions {
  /** The least length of a record id; 20 by default. */
  readonly recordIdMinLength?: number | undefined;
  /** The OpenAPI document of the service. */
  readonly openApi: () => string;
}

/** What the project looks like to programs: JSON Schema, TypeScript, OpenAPI. */
export class ProjectDocuments {
  /** The documents of the structure that was asked for last: they take a while to make of a large project. */
  #made: { readonly structure: string; readonly texts: Map<string, string> } | undefined;

  constructor(
    private readonly source: StructureSource,
    private readonly options: ProjectDocumentsOptions,
  ) {}

  /** @throws {CrfError} what the client throws */
  schema(values: 'raw' | 'typed', call?: CallOptions): Promise<ProjectDocument> {
    const { recordIdMinLength } = this.options;
    return this.#document(`schema ${values}`, JSON_TYPE, call, (structure) =>
      JSON.stringify(projectSchema(structure, { values, recordIdMinLength })),
    );
  }

  /** @throws {CrfError} what the client throws */
  async types(call?: CallOptions): Promise<ProjectDocument> {
    const { title } = await this.source.getProjectInfo(call);
    return this.#document(`types ${title}`, 'text/plain; charset=utf-8', call, (structure) =>
      writeProjectTypes(structure, title),
    );
  }

  /** @throws {CrfError} what the client throws */
  openApi(call?: CallOptions): Promise<ProjectDocument> {
    return this.#document('openapi', JSON_TYPE, call, (structure) =>
      JSON.stringify(projectOpenApi(this.options.openApi(), structure, this.options.recordIdMinLength)),
    );
  }

  async #document(
    name: string,
    contentType: string,
    call: CallOptions | undefined,
    make: (structure: ProjectStructure) => string,
  ): Promise<ProjectDocument> {
    const structure = await loadProjectStructure(this.source, call);
    const hash = hashOf(structure);
    if (this.#made?.structure !== hash) this.#made = { structure: hash, texts: new Map() };
    const { texts } = this.#made;
    const etag = createHash('sha256').update(`${hash} ${name}`).digest('base64url').slice(0, 22);
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

/** A hash of everything that the documents are made from. */
function hashOf(structure: ProjectStructure): string {
  const { dictionary, events, missingDataCodes } = structure;
  const places = structure.eventNames.map((event) => [
    event,
    structure.instrumentsAt(event),
    structure.repeatsEvent(event),
    structure.instrumentsAt(event).filter((name) => structure.repeatsInstrument(event, name)),
  ]);
  const parts = [dictionary.fields, events, places, [...missingDataCodes]];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
