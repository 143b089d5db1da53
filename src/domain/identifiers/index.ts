/** The branded identifiers, as exported by the public entry points. */
export { ApiToken, API_TOKEN_PATTERN, isApiToken } from './api-token.js';
export { ApiUrl, isApiUrl } from './api-url.js';
export { Email, EMAIL_PATTERN, isEmail } from './email.js';
export {
  EventName,
  EVENT_NAME_PATTERN,
  FieldName,
  FIELD_NAME_PATTERN,
  InstrumentName,
  INSTRUMENT_NAME_PATTERN,
  UserId,
  USER_ID_PATTERN,
  isEventName,
  isFieldName,
  isInstrumentName,
  isUserId,
} from './names.js';
export { RecordId, RECORD_ID_MIN_LENGTH, RECORD_ID_PATTERN, isRecordId } from './record-id.js';
