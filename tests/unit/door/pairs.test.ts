import { expect } from 'chai';
import { ON_THE_WAY, OPERATIONS, pairOf } from '../../../src/door/pairs.js';
import { Parameters } from '../../../src/wire/parameters.js';
import { OPERATIONS as API_OPERATIONS } from '../../support/api-operations.js';

const pairIn = (sent: Readonly<Record<string, string>>) => pairOf(new Parameters(Object.entries(sent)));

describe('The pair of content and action of a call', () => {
  it('has an operation of the REST API, with its scopes', () => {
    const known = new Map(
      API_OPERATIONS.map(({ method, template, scopes }) => [`${method} ${template}`, scopes] as const),
    );
    for (const [pair, operation] of Object.entries(OPERATIONS)) {
      const [method = '', path = ''] = operation.split(' ');
      expect(known.get(`${method} /api/v1${path}`), pair)
        .to.be.an('array')
        .with.length.above(0);
    }
    for (const pair of ON_THE_WAY) expect(OPERATIONS).to.have.property(pair);
  });

  it('is an import with data, and else an export, if no action is named', () => {
    expect(pairIn({ content: 'record' })).to.include({ name: 'record/export', isRead: true });
    expect(pairIn({ content: 'record', data: '' })).to.include({ name: 'record/import', isRead: false });
    expect(pairIn({ content: 'record', action: '' })).to.include({ name: 'record/export' });
    expect(pairIn({ content: 'record', action: 'delete', data: '[]' })).to.include({ name: 'record/delete' });
    expect(pairIn({ content: 'version' })).to.include({ name: 'version', isRead: true });
  });

  it('has no name if nothing is known of it', () => {
    for (const sent of [
      {},
      { content: 'Record' },
      { content: 'record ' },
      { content: 'record', action: 'EXPORT' },
      { content: 'version', data: '' },
      { content: 'toString' },
      { content: '__proto__' },
      { content: 'record/export' },
      { 'content[0]': 'record' },
    ])
      expect(pairIn(sent).name, JSON.stringify(sent)).to.equal(undefined);
  });
});
