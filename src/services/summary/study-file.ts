import * as z from 'zod';
import { strictObject } from '../../domain/identifiers/check-options.js';
import { readYaml } from '../../domain/bytes/read-yaml.js';
import {
  EVENT_NAME_RULE,
  isEventName,
  FIELD_NAME_RULE,
  isFieldName,
  INSTRUMENT_NAME_RULE,
  isInstrumentName,
} from '../../domain/identifiers/names.js';
import type { StudyOptions } from './study-options.js';

const PROPERTY = 'a property';
const field = z
  .string('must be the name of a field')
  .refine((name): boolean => isFieldName(name), FIELD_NAME_RULE);
const event = z.string().refine((name): boolean => isEventName(name), EVENT_NAME_RULE);
const form = z.string().refine((name): boolean => isInstrumentName(name), INSTRUMENT_NAME_RULE);
const date = z.iso.date({ error: 'must be a date, as in 2026-01-31' });
const DAYS_RULE = 'must be a whole number of days, at most 36500';
const days = z.int(DAYS_RULE).max(36_500, DAYS_RULE);

const Visit = strictObject(
  {
    day: days.min(-36_500, DAYS_RULE),
    before: days.min(0, DAYS_RULE).default(0),
    after: days.min(0, DAYS_RULE).default(0),
  },
  PROPERTY,
);

const StudyFile = strictObject(
  {
    version: z.literal(1, 'must be 1'),
    recruitment: strictObject(
      {
        start: date.optional(),
        end: date.optional(),
        target: z.int('must be a whole number').min(1, 'must be at least 1').optional(),
        dateField: field.optional(),
      },
      PROPERTY,
    ).optional(),
    optional: strictObject(
      {
        forms: z.array(form, 'must be a list of instruments').default([]),
        events: z.array(event, 'must be a list of events').default([]),
      },
      PROPERTY,
    ).optional(),
    schedule: strictObject(
      {
        anchor: field,
        end: field.optional(),
        visitDate: field.optional(),
        visits: z.record(event, Visit, 'must have events by name'),
      },
      PROPERTY,
    ).optional(),
  },
  PROPERTY,
);

/**
 * Reads what a study plans from its file (docs/dashboard.md, “The plan of a study”): YAML with known properties only.
 *
 * @throws {ConfigurationError} names each mistake with its line, its place and the rule, never a value
 */
export function readStudyFile(source: string | Uint8Array): StudyOptions {
  const { recruitment = {}, optional, schedule } = readYaml(source, StudyFile);
  return { ...recruitment, optional, schedule };
}
