/** The branded identifiers, as exported by the public entry points. */
export { ApiToken, API_TOKEN_PATTERN, isApiToken } from './api-token.js';
export { ApiUrl, isApiUrl } from './api-url.js';
export { Email, EMAIL_PATTERN, isEmail } from './email.js';
export { EventName, EVENT_NAME_PATTERN, isEventName } from './event-name.js';
export { FieldName, FIELD_NAME_PATTERN, isFieldName } from './field-name.js';
export { InstrumentName, INSTRUMENT_NAME_PATTERN, isInstrumentName } from './instrument-name.js';
export { RecordId, RECORD_ID_MIN_LENGTH, RECORD_ID_PATTERN, isRecordId } from './record-id.js';
export { UserId, USER_ID_PATTERN, isUserId } from './user-id.js';
