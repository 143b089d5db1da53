import { expect } from 'chai';
import { createCrfClient } from '../../../../src/client/create-crf-client.js';
import type { CrfClient } from '../../../../src/gateways/redcap/crf-client.js';
import { InvalidRequestError } from '../../../../src/domain/errors/caller-errors.js';
import { unknownName } from '../../../../src/domain/identifiers/nearest-name.js';
import { withSuggestions } from '../../../../src/gateways/redcap/suggest-names.js';
import { printed } from '../../../support/printed.js';
import { rejection } from '../../../support/rejection.js';
import { startTestSandbox } from '../../../support/start-sandbox.js';
import { someField } from '../../../support/some-field.js';

describe('An export of unknown names', () => {
  let client: CrfClient;
  let close: () => Promise<void>;

  before(async () => {
    const sandbox = await startTestSandbox();
    client = createCrfClient({ url: sandbox.url, token: sandbox.token });
    close = () => sandbox.close();
  });
  after(async () => {
    client.close();
    await close();
  });

  it('names the field and suggests the closest one', async () => {
    const error = await rejection(client.exportRecords({ fields: ['record_id', 'frist_name'] }));

    expect(error).to.include({ code: 'invalid_request' });
    expect(error.message).to.equal('frist_name is not a field of this project; did you mean first_name?');
    expect(error['errors']).to.deep.equal([
      {
        field: 'fields[1]',
        name: 'frist_name',
        code: 'unknown_name',
        parameters: { kind: 'field', meant: 'first_name' },
        message: 'is not a field of this project; did you mean first_name?',
      },
    ]);
  });

  it('names a field that resembles no other', async () => {
    const error = await rejection(client.openRecords({ fields: ['nonesuch'], format: 'csv' }));

    expect(error.message).to.equal('nonesuch is not a field of this project.');
  });

  it('names the first of several fields in its message, and lists all of them', async () => {
    const error = await rejection(client.exportRecords({ fields: ['agee', 'nonesuch'] }));

    expect(error.message).to.match(/^2 problems: agee is not a field .* did you mean age\? /);
    expect(error['errors']).to.have.lengthOf(2);
  });

  it('does not suggest a name for itself if only the rights of the token are missing', async () => {
    const names = { fields: { list: async () => [someField('age')] }, events: { list: async () => [] } };
    const problem = unknownName('field', 'fields[0]', 'age');
    const refused = new InvalidRequestError([problem]);
    const error = await withSuggestions(refused, { fields: ['age'] }, names, {});

    expect(error).to.have.deep.property('errors', [problem]);
  });

  it('suggests instruments', async () => {
    const [instrument] = await client.instruments.list();
    const error = await rejection(client.exportRecords({ forms: [`${instrument?.name}s`] }));

    expect(error.message).to.include(
      `is not an instrument of this project; did you mean ${instrument?.name}?`,
    );
  });

  it('never repeats a record id', async () => {
    const error = await rejection(client.exportRecords({ records: ['SECRET-RECORD'], fields: ['nonesuch'] }));

    expect(printed(error)).to.not.include('SECRET');
  });
});
