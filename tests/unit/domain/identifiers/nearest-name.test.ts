import { expect } from 'chai';
import { nearestName, nearestOption } from '../../../../src/domain/identifiers/nearest-name.js';

const NAMES = ['record_id', 'age', 'first_name', 'last_name', 'sites___1', 'visit_date'];

describe('nearestName', () => {
  for (const [written, meant] of [
    ['Record ID', 'record_id'],
    ['recordid', 'record_id'],
    ['frist_name', 'first_name'],
    ['lastname', 'last_name'],
    ['visit_dat', 'visit_date'],
    ['AGE ', 'age'],
  ] as const) {
    it(`suggests ${meant} for ${written}, given similar names`, () => {
      expect(nearestName(written, NAMES)).to.equal(meant);
    });
  }

  for (const written of ['nonesuch', '', 'ag', 'x'.repeat(200), '!!!']) {
    it(`suggests nothing for ${JSON.stringify(written.slice(0, 12))}`, () => {
      expect(nearestName(written, NAMES)).to.equal(undefined);
    });
  }
});

describe('nearestOption', () => {
  const OPTIONS = ['records', 'filterLogic', 'csv-delimiter', 'output', 'exportSurveyFields'];

  for (const [written, meant] of [
    ['recrods', 'records'],
    ['filter', 'filterLogic'],
    ['filter-logic-text', 'filterLogic'],
    ['delimiter', 'csv-delimiter'],
    ['out', 'output'],
    ['export_survey', 'exportSurveyFields'],
  ] as const)
    it(`suggests ${meant} for ${written}`, () => {
      expect(nearestOption(written, OPTIONS)).to.equal(meant);
    });

  for (const written of ['colour', 'ou', 'put', 'logicfilter', 'x'.repeat(200)])
    it(`suggests nothing for ${written.slice(0, 12)}`, () => {
      expect(nearestOption(written, OPTIONS)).to.equal(undefined);
    });
});
