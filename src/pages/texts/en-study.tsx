import type { Child } from 'hono/jsx';
import type { QualityRule } from '../../records/rules/quality-finding.js';
import type { VisitState } from '../../services/summary/due-visits.js';
import type { ListedStatus } from '../../services/summary/listed-forms.js';
import { ENGLISH } from './in-language.js';

const { counted, number, percent } = ENGLISH;

/** The English texts of the dashboard, its plots and its report. */
export const studyTexts = {
  study: {
    statuses: {
      complete: 'Complete',
      unverified: 'Unverified',
      incomplete: 'Incomplete',
      notBegun: 'Not begun',
    } satisfies Record<ListedStatus, string>,
    visitStates: { overdue: 'Overdue', thisWeek: 'This week', coming: 'Later' } satisfies Record<
      VisitState,
      string
    >,
    /** The rules of quality in a few words. */
    rules: {
      invalid_value: 'Not a valid value',
      out_of_range: 'Out of range',
      required_empty: 'Required but empty',
      hidden_value: 'Hidden but filled in',
      stale_calculation: 'Outdated calculation',
      contradicting_status: 'Status does not fit',
      not_checked: 'Could not be checked',
    } satisfies Record<QualityRule, string>,
    noSite: 'No site',
    arm: (arm: string) => `Arm ${arm}`,
    /** What follows the label of an event. */
    inArm: (arm: string) => `, arm ${arm}`,
    records: (count: number) => counted(count, 'record', 'records'),
    findings: (count: number) => counted(count, 'finding', 'findings'),
    leftOut: 'left out',
  },

  figures: {
    few: 'Few',
    records: (count: number | null): string => (count === 1 ? 'record' : 'records'),
    ofPlanned: (target: number) => `of ${number(target)} planned records`,
    complete: 'of forms complete',
    missing: 'of values missing',
    findings: (count: number): string => (count === 1 ? 'open finding' : 'open findings'),
  },

  plot: {
    asTable: 'The figures as a table',
    labelOfTable: (title: string) => `${title}, as a table`,
    firstRows: (title: string, shown: number, rows: number) =>
      `${title}: the first ${number(shown)} of ${counted(rows, 'row', 'rows')}; the CSV file has them all.`,
    saveAs: 'Save as',
    saveAsFormat: (title: string, format: string) => `${title} as ${format}`,
  },

  recruitment: {
    title: 'Recruitment',
    recordsUpTo: (count: number, month: string) => `${counted(count, 'record', 'records')} up to ${month}.`,
    arePlanned: (target: number) => `${number(target)} are planned.`,
    datedBy: (label: string, field: string, isChosen: boolean) =>
      `Dated by ${label === '' ? '' : `“${label}” `}(${field}), ${isChosen ? 'as planned' : 'the first date field of the first form'}.`,
    undated: (count: number) => `${counted(count, 'record has', 'records have')} no likely date.`,
    allSoFar: 'All records so far',
    recordsOf: { month: 'Records of the month', week: 'Records of the week' },
    planned: 'Planned',
    columns: { month: 'Month', week: 'Week from', records: 'Records', soFar: 'All so far' },
    note: 'A count leads to the list of its records.',
    by: 'Recruitment by',
    intervals: { month: 'month', week: 'week' },
  },

  completeness: {
    title: 'Completeness',
    none: 'No form has been started, or too few to show.',
    complete: (complete: number, forms: number, share: number) =>
      `${number(complete)} of ${number(forms)} expected or begun forms are complete (${percent(share)}).`,
    smallLeftOut: 'Small counts are left out.',
    heat: { none: 'none complete', half: 'half', all: 'all complete' },
    columns: { form: 'Form', records: 'Records' },
    notExpected: 'not expected',
    repeats: '(repeats)',
    note: 'A form leads to the list of those that are not complete, a count to the list of what it counts.',
    tile: (complete: number, forms: number) => `${number(complete)} of ${number(forms)} complete`,
    lists: 'Lists of forms',
    notComplete: (form: string) => `${form}: not complete`,
  },

  missing: {
    title: 'Missing data',
    words: (field: string, share: number) =>
      `Empty values of fields that were shown, on forms that were begun. The worst is ${field}: ${percent(share)}.`,
    columns: { field: 'Field', percent: 'Missing in %', missing: 'Missing', shown: 'Shown' },
  },

  sites: {
    title: 'Sites',
    records: (sites: number) => `Records of ${counted(sites, 'data access group', 'data access groups')}.`,
    most: (site: string, records: number) => `Most are in ${site}: ${number(records)}.`,
    columns: {
      site: 'Site',
      records: 'Records',
      forms: 'Forms',
      complete: 'Complete',
      percent: 'Complete in %',
      findings: 'Open findings',
      recent: 'New findings',
      daysToEntry: 'Days to entry',
    },
    note: 'A count leads to the list of what it counts. Forms are those that were begun or are expected.',
    recentNote: (since: string) => `New findings: on what was entered or changed since ${since}.`,
    daysNote:
      'Days to entry: the median from a visit to the entry of its date, over the visits that were entered in the last 90 days.',
  },

  activity: {
    title: 'Activity',
    words: (days: number, saves: string, imports: string, exports: string) =>
      `In the last ${days} days of the log: ${saves}, ${imports}, ${exports}.`,
    day: 'Day',
    saves: { label: 'Saves', count: (count: number) => counted(count, 'save', 'saves') },
    imports: { label: 'Imports', count: (count: number) => counted(count, 'import', 'imports') },
    exports: { label: 'Exports', count: (count: number) => counted(count, 'export', 'exports') },
  },

  quality: {
    title: 'Quality',
    words: (findings: number, records: number, at: string) =>
      `${findings === 0 ? 'No findings' : counted(findings, 'finding', 'findings')} in ${counted(records, 'record', 'records')}, as of ${at}.`,
    columns: { rule: 'Rule', findings: 'Findings' },
    note: 'A count leads to the list of its findings.',
    everyFinding: 'Every finding',
    recent: (count: number, since: string) =>
      `${counted(count, 'finding', 'findings')} on what was entered or changed since ${since}`,
    notYet: 'The records are being held against the rules. Look again in a moment.',
  },

  distribution: {
    title: 'Distribution',
    columns: { values: 'Values', missing: 'Missing' },
    figures: ['Least', 'Lower quartile', 'Median', 'Upper quartile', 'Greatest'],
    all: 'All',
    valuesLeftOut: 'The number of values is left out.',
    values: (count: number, missing: number | null) =>
      `${counted(count, 'value', 'values')}${missing === null ? '' : `, ${number(missing)} missing`}.`,
    median: (median: number, range: readonly [least: number, greatest: number] | undefined) =>
      `Median ${number(median)}${range === undefined ? '' : `, from ${number(range[0])} to ${number(range[1])}`}.`,
    notShown: 'Values of identifiers and free text are not shown.',
    tooFew: 'Too few values in some groups to compare them.',
    bin: (from: number, to: number, count: number) => `${number(from)} to ${number(to)}: ${number(count)}`,
    noFigures: 'There are no figures for this field.',
    of: 'Distribution of',
    split: 'Split',
    splits: { none: 'not at all', site: 'by site', arm: 'by arm' },
    show: 'Show',
  },

  dashboard: {
    title: 'Dashboard',
    notAnswered: (failedAt: Child, madeAt: Child) => (
      <>
        REDCap did not answer at {failedAt}. These are the figures of {madeAt}; what is not known from then is
        left out.
      </>
    ),
    due: 'Who is due',
    notComplete: 'Forms that are not complete',
    allRecords: 'All records',
    report: 'Report to print',
    smallCell: (most: number) =>
      `Counts from 1 to ${most} are left out, and others that would tell them: they could lead to a participant.`,
    madeAt: (at: Child) => <>Figures of {at}.</>,
    lookAgain: 'Look again',
    signedInAs: (email: string) => `Signed in as ${email}`,
    account: 'Account and sessions',
    noRecords: {
      title: 'No records yet',
      text: (
        <>
          Figures and plots appear here with the first record that is saved in REDCap. Have you a file with
          records already? <a href="/try-file">Check it against the data dictionary</a>.
        </>
      ),
    },
    waiting: 'The records are being read for the first time. The figures appear here in a moment.',
    neverAnswered: (failedAt: Child) => (
      <>REDCap did not answer at {failedAt}, and there are no earlier figures.</>
    ),
    asksAgain: 'This page asks again by itself.',
  },

  notShown: {
    title: 'What is not shown',
    noSuchDateField:
      'Recruitment: STUDY_DATE_FIELD names a field that the project does not have. Whoever runs this service can correct it.',
    noDateField:
      'Recruitment: the first instrument has no date field. Whoever runs this service can name another with STUDY_DATE_FIELD.',
    noDates: (field: string) => `Recruitment: no record has a date in ${field} yet, or too few have.`,
    fewForSites: 'Sites: there are too few records to show them.',
    noSites: 'Sites: the project has no data access groups.',
    noLog: 'Activity, and findings on what was entered lately: the log cannot be read here.',
    numbersAlone:
      'Quality and lists of records: you see numbers alone. Whoever runs this service decides who may see more.',
  },

  report: {
    title: 'Report',
    smallCell: (most: number) => `Counts from 1 to ${most} are left out.`,
    site: (site: string) => `Site: ${site}`,
    arm: (arm: number) => `arm ${arm}`,
    from: (date: string) => `joined from ${date}`,
    to: (date: string) => `joined until ${date}`,
    findings: { title: 'Open findings', label: 'Open findings by rule' },
    visits: (overdue: string, thisWeek: string, coming: string) =>
      `Visits: ${overdue} overdue, ${thisWeek} this week, ${coming} later.`,
    sites: 'Sites side by side',
  },
};
