import { expect } from 'chai';
import { DataDictionary } from '../../../../src/domain/dictionary/data-dictionary.js';
import { ProjectStructure } from '../../../../src/domain/dictionary/project-structure.js';
import { projectOpenApi } from '../../../../src/services/project-schema/project-openapi.js';
import { someField } from '../../../support/some-field.js';

describe('projectOpenApi', () => {
  it('describes fields that are named like schema keywords', () => {
    const names = ['record_id', 'enum', 'const', 'type', 'properties', 'constructor'];
    const dictionary = new DataDictionary(names.map((name) => someField(name, { label: '' })));
    const base = JSON.stringify({ info: { title: 'x' }, paths: {}, components: { schemas: {} } });
    const { schemas } = projectOpenApi(base, new ProjectStructure({ dictionary })).components;

    for (const [schema, text] of [
      ['Raw_base', { type: 'string' }],
      ['Typed_base', { type: 'string', nullable: true }],
    ] as const) {
      const properties = schemas[schema]?.['properties'] as Record<string, unknown>;
      expect(Object.keys(properties)).to.deep.equal([...names, 'base_complete']);
      for (const name of names.slice(1)) expect(properties[name], name).to.deep.equal(text);
    }
  });
});
