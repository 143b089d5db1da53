import { expect } from 'chai';
import { fieldsFromJson } from '../../../src/dictionary/fields-from-json.js';
import { InvalidRequestError } from '../../../src/errors/caller-errors.js';

describe('fieldsFromJson', () => {
  for (const [text, field, message] of [
    ['[]', 'body', 'must be an object'],
    ['{}', 'fields', 'must be a list'],
    ['{"fields":[]}', 'fields', 'must not be empty'],
    ['{"fields":[1]}', 'fields[0]', 'must be an object'],
  ] as const) {
    it(`refuses ${text}: ${field} ${message}`, () => {
      expect(() => fieldsFromJson(text))
        .to.throw(InvalidRequestError)
        .with.deep.property('errors', [{ field, message }]);
    });
  }
});
