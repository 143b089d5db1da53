import { expect } from 'chai';
import { operationRules } from '../../../../scripts/openapi/operation-rules.js';
import { OperationTable } from '../../../../src/http/openapi/operation-table.js';

const text = { type: 'string' };

/** A query parameter of a document. */
const parameter = (name: string, schema: object) => ({ in: 'query', name, schema });

const DOCUMENT = {
  paths: {
    '/records/{id}': {
      get: {
        operationId: 'GetRecord',
        parameters: [{ in: 'path', name: 'id', schema: text }],
        responses: { '200': { content: { 'application/json': {}, 'text/csv': {} } } },
      },
    },
    '/records/next': { get: { operationId: 'GetNext', responses: { '204': {} } } },
    '/records': {
      get: {
        parameters: [
          parameter('records', { type: 'array', items: text }),
          parameter('fields', { type: 'array', items: { $ref: '#/components/schemas/FieldName' } }),
          parameter('formats', { type: 'array', items: { type: 'string', enum: ['csv', 'json'] } }),
          parameter('filterLogic', { type: 'string', minLength: 1 }),
          parameter('title', text),
        ],
        responses: {},
      },
      post: { requestBody: { content: { 'text/csv': {} } }, responses: {} },
    },
  },
  components: { schemas: { FieldName: { type: 'string', pattern: '^[a-z_]+$' } } },
};

describe('The table of operations, which the build takes from the OpenAPI document', () => {
  const table = new OperationTable(operationRules(DOCUMENT));

  it('finds the operations of a path, one without parameters first', () => {
    const idOf = (path: string) => table.find(path)?.methods.get('GET')?.id;

    expect(idOf('/records/next')).to.equal('GetNext');
    expect(idOf('/records/A-1')).to.equal('GetRecord');
    expect(idOf('/records')).to.equal('GET /records');
    expect(table.find('/records/A-1/files')).to.be.undefined;
    expect(table.find('/reports')).to.be.undefined;
  });

  it('knows the methods of a path, and the media types of bodies and responses', () => {
    const records = table.find('/records');

    expect([...(records?.methods.keys() ?? [])]).to.deep.equal(['GET', 'POST']);
    expect(records?.methods.get('POST')?.bodyTypes).to.deep.equal(['text/csv']);
    expect(table.find('/records/A-1')?.methods.get('GET')?.answerTypes).to.deep.equal([
      'application/json',
      'text/csv',
    ]);
  });

  it('knows which parameters are lists, which items hold commas, and what must not be blank', () => {
    const { queryParameters } = table.find('/records')?.methods.get('GET') ?? {};

    expect(Object.fromEntries(queryParameters ?? [])).to.deep.equal({
      records: { isList: true, mayHoldCommas: true, isNeverBlank: true },
      fields: { isList: true, mayHoldCommas: false, isNeverBlank: true },
      formats: { isList: true, mayHoldCommas: false, isNeverBlank: true },
      filterLogic: { isList: false, mayHoldCommas: false, isNeverBlank: true },
      title: { isList: false, mayHoldCommas: false, isNeverBlank: false },
    });
  });

  it('has no path parameters among those of the query', () => {
    expect(table.find('/records/A-1')?.methods.get('GET')?.queryParameters.size).to.equal(0);
  });
});
