import fc from 'fast-check';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { STUDY } from '../../support/random-import-study.js';

type Row = Study['rows'][number];

/** Base rows contain the base cells; these are the columns of the other rows. */
const STRUCTURE = /^record_id$|^redcap_|^visit_|^weight$|^remark$/;

/**
 * A random project like `STUDY`: flat with checkboxes, repeating, or longitudinal. Some have events with other
 * instruments than the first one, and records that have only repeat instances.
 */
export const PROJECT: fc.Arbitrary<Study> = fc
  .tuple(STUDY, fc.boolean(), fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }))
  .map(([study, isUneven, hasBase]) => {
    const uneven = isUneven ? withVisitsAlone(study) : study;
    return uneven.repeating.length === 0 ? uneven : withoutBases(uneven, hasBase);
  });

/** The same project with ids that are numbers or awkward in one of the formats, none of which an import accepts. */
export const ODDLY_NAMED: fc.Arbitrary<Study> = fc
  .tuple(
    PROJECT,
    fc.constantFrom<(number: number) => string>(
      (number: number) => String(number),
      (number: number) => `a "${number}", ü`,
      (number: number) => `=${number};\\`,
    ),
  )
  .map(([study, nameOf]) => {
    const ids = [...new Set(study.rows.map((row) => row.record_id))];
    const rows = study.rows.map((row) => ({ ...row, record_id: nameOf(ids.indexOf(row.record_id)) }));
    return { ...study, rows };
  });

/** Assigns the instrument `base` to the first event only. */
function withVisitsAlone(study: Study): Study {
  const [first, ...others] = study.events.map(({ uniqueName }) => uniqueName);
  if (first === undefined || others.length === 0) return study;
  const mappings = study.mappings.filter(({ event, instrument }) => event === first || instrument !== 'base');
  const rows = study.rows
    .map((row) => (row.redcap_event_name === first ? row : visitPart(row)))
    .filter(hasData);
  return { ...study, mappings, rows };
}

/** Some records without their base rows, if they have others. */
function withoutBases(study: Study, hasBase: readonly boolean[]): Study {
  const ids = [...new Set(study.rows.map((row) => row.record_id))];
  const repeating = new Set(study.rows.filter(isInstance).map((row) => row.record_id));
  const rows = study.rows.filter(
    (row) => isInstance(row) || !repeating.has(row.record_id) || hasBase[ids.indexOf(row.record_id)],
  );
  return { ...study, rows };
}

function isInstance(row: Row): boolean {
  return (row.redcap_repeat_instance ?? '') !== '';
}

function visitPart(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => STRUCTURE.test(name)));
}

function hasData(row: Row): boolean {
  return Object.keys(row).some((name) => name !== 'record_id' && !name.startsWith('redcap_'));
}
