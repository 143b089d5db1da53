import { expect } from 'chai';
import { fieldsFromJson } from '../../../../src/domain/dictionary/fields-from-json.js';
import { InvalidRequestError, MalformedRequestError } from '../../../../src/domain/errors/caller-errors.js';

describe('fieldsFromJson', () => {
  for (const [text, field, message] of [
    ['[]', 'body', 'must be an object'],
    ['{}', 'data', 'must be a list'],
    ['{"data":[]}', 'data', 'must not be empty'],
    ['{"data":[1]}', 'fields[0]', 'must be an object'],
  ] as const) {
    it(`refuses ${text}: ${field} ${message}`, () => {
      expect(() => fieldsFromJson(text))
        .to.throw(InvalidRequestError)
        .with.deep.property('errors', [{ field, message }]);
    });
  }

  it('IN-03: names the first hundred problems of many fields', () => {
    expect(() => fieldsFromJson(`{"data":[${Array(1000).fill('{}').join()}]}`))
      .to.throw(InvalidRequestError)
      .with.property('errors')
      .that.has.lengthOf(100);
  });

  it('IN-03: refuses more than 100,000 objects and lists before it parses them', () => {
    const fields = (count: number) => `{"data":[${Array(count).fill('{}').join()}]}`;

    expect(() => fieldsFromJson(fields(99_998))).to.throw(InvalidRequestError);
    expect(() => fieldsFromJson(fields(99_999))).to.throw(MalformedRequestError, 'more than 100000 objects');
  });

  for (const [what, text] of [
    ['numbers in place of fields', `{"data":[${'0,'.repeat(200)}0]}`],
    [
      'properties of one object',
      `{"data":[{${Array.from({ length: 200 }, (_, at) => `"k${at}":0`).join()}}]}`,
    ],
  ] as const)
    it(`IN-03: refuses 200 ${what} before it parses them`, () => {
      expect(() => fieldsFromJson(text)).to.throw(MalformedRequestError, 'more than 100 values');
    });

  it('IN-03: does not count what is written in a label', () => {
    const label = JSON.stringify(`"${'[{,'.repeat(100_000)}\\`);

    expect(
      fieldsFromJson(`{"data":[{"name":"age","instrument":"visit","type":"text","label":${label}}]}`),
    ).to.have.lengthOf(1);
  });
});
