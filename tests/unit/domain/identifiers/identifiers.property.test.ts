import { expect } from 'chai';
import fc from 'fast-check';
import { Email, isEmail } from '../../../../src/domain/identifiers/email.js';
import {
  EVENT_NAME_PATTERN,
  EventName,
  isEventName,
  FIELD_NAME_PATTERN,
  FieldName,
  isFieldName,
  INSTRUMENT_NAME_PATTERN,
  InstrumentName,
  isInstrumentName,
  isUserId,
  USER_ID_PATTERN,
  UserId,
} from '../../../../src/domain/identifiers/names.js';
import { isRecordId, RecordId } from '../../../../src/domain/identifiers/record-id.js';
import { printed } from '../../../support/printed.js';

/** Text close to the grammar, and text far from it. */
const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 130 }), fc.string({ maxLength: 130 }));

const families = [
  {
    name: 'FieldName',
    parse: FieldName,
    is: isFieldName,
    valid: fc.stringMatching(FIELD_NAME_PATTERN, { size: 'small' }),
  },
  {
    name: 'InstrumentName',
    parse: InstrumentName,
    is: isInstrumentName,
    valid: fc.stringMatching(INSTRUMENT_NAME_PATTERN, { size: 'small' }),
  },
  {
    name: 'EventName',
    parse: EventName,
    is: isEventName,
    valid: fc.stringMatching(EVENT_NAME_PATTERN, { size: 'small' }),
  },
  { name: 'UserId', parse: UserId, is: isUserId, valid: fc.stringMatching(USER_ID_PATTERN) },
  {
    name: 'RecordId',
    parse: RecordId,
    is: isRecordId,
    valid: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 é李-]{18,97}[A-Za-z0-9]$/),
  },
  {
    name: 'Email',
    parse: Email,
    is: isEmail,
    valid: fc
      .emailAddress()
      .filter((address) => !/['`"]/.test(address))
      .map((address) => Email(address)),
  },
] as const;

for (const { name, parse, is, valid } of families) {
  describe(`${name}, for any text`, () => {
    it('parses what the guard accepts, and returns it unchanged', () => {
      fc.assert(
        fc.property(valid, (text) => {
          expect(is(text)).to.be.true;
          expect(parse(text)).to.equal(text);
        }),
      );
    });

    it('either throws and the guard refuses, or returns a value that the guard accepts', () => {
      fc.assert(
        fc.property(anyText, (text) => {
          const outcome = attempt(() => parse(text));
          if (outcome instanceof Error) expect(is(text)).to.be.false;
          else expect(is(outcome)).to.be.true;
        }),
      );
    });

    it('never repeats the refused value', () => {
      fc.assert(
        fc.property(fc.string({ unit: 'binary', minLength: 12, maxLength: 60 }), (text) => {
          const outcome = attempt(() => parse(`\u0000${text}`));
          expect(outcome).to.be.an('error');
          expect(printed(outcome)).to.not.include(text);
        }),
      );
    });
  });
}

function attempt<T>(work: () => T): T | Error {
  try {
    return work();
  } catch (error) {
    return error as Error;
  }
}
