import { expect } from 'chai';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { BLANK_FIELD, type Field } from '../../../src/domain/dictionary/field.js';
import { UpstreamRejectedError } from '../../../src/domain/errors/upstream-errors.js';
import { startFaultServer } from '../../support/fault-server.js';
import { printed } from '../../support/printed.js';
import { rejection } from '../../support/rejection.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';
import { classicStudy } from '../../support/studies.js';

const field = (parts: Partial<Field>): Field => ({
  ...BLANK_FIELD,
  instrument: 'base',
  label: 'SENTINEL',
  ...parts,
});
const ID = field({ name: 'id' });

describe('A data dictionary that REDCap refuses', () => {
  let opened: SandboxClient;
  before(async () => {
    opened = await startSandboxClient(classicStudy());
  });
  after(() => opened.close());

  for (const [what, fields, errors] of [
    [
      'a field without a name or an instrument',
      [ID, field({}), field({ name: 'b', instrument: '' })],
      [
        { field: 'fields[1].name', message: 'is missing (cell A3)' },
        { field: 'fields[2].instrument', message: 'is missing (cell B4)' },
      ],
    ],
    [
      'a limit without a validation type',
      [ID, field({ name: 'b', validationMin: '1' })],
      [{ field: 'fields[1].validationMin', message: 'needs a validation type (cell I3)' }],
    ],
    [
      'a name that is repeated',
      [ID, field({ name: 'b' }), field({ name: 'b' })],
      [
        { field: 'fields[1].name', message: 'must not be that of another field (cell A3)' },
        { field: 'fields[2].name', message: 'must not be that of another field (cell A4)' },
      ],
    ],
    [
      'an instrument in two places',
      [ID, field({ name: 'b', instrument: 'other' }), field({ name: 'c' })],
      [{ field: 'fields', message: 'must keep the fields of an instrument together: base' }],
    ],
    [
      'an id field that is not text',
      [field({ name: 'id', type: 'radio' })],
      [{ field: 'fields[0].type', message: 'must be text: the first field holds the record ID' }],
    ],
    [
      'a name that is not valid',
      [ID, field({ name: 'SENTINEL' })],
      [{ field: 'fields[1].name', message: 'is not a valid name (cell A3)' }],
    ],
  ] as const) {
    it(`for ${what} names the field and the rule`, async () => {
      const error = await rejection(opened.client.fields.put(fields));

      expect(error).to.be.instanceOf(UpstreamRejectedError).with.property('errors').that.deep.equals(errors);
      expect(printed(error)).to.not.include('SENTINEL');
    });
  }

  it('for an unknown type lists the types', async () => {
    const error = await rejection(opened.client.fields.put([ID, field({ name: 'b', type: 'SENTINEL' })]));

    expect(error.message).to.match(/^fields must have types that REDCap knows: text, .* slider\.$/);
  });

  for (const [what, text, field, message] of [
    [
      'an unknown rule that names a cell',
      'SENTINEL rules were broken in F12.',
      'fields[10].choicesOrCalculations',
      'was refused by REDCap (cell F12)',
    ],
    ['an unknown rule', 'SENTINEL is not allowed.', undefined, undefined],
  ] as const) {
    it(`for ${what} reports what REDCap's answer says, but not in its own words`, async () => {
      const server = await startFaultServer(() => ({
        kind: 'answer',
        status: 400,
        body: JSON.stringify({ error: text }),
      }));
      const client = createCrfClient({ url: server.url, token: 'A'.repeat(32) });
      const error = await rejection(client.fields.put([ID]));
      client.close();
      await server.close();

      expect(error).to.be.instanceOf(UpstreamRejectedError);
      const { errors } = error as unknown as UpstreamRejectedError;
      expect(printed(error)).to.not.include('SENTINEL');
      expect(errors?.[0]).to.deep.equal(field && { field, message });
    });
  }
});
