import type { Child } from 'hono/jsx';
import type { QualityRule } from '../../records/rules/quality-finding.js';
import type { VisitState } from '../../services/summary/due-visits.js';
import type { ListedStatus } from '../../services/summary/listed-forms.js';
import type { InLanguage } from './in-language.js';

/** The texts of the dashboard, its plots and its report. In German, arms and events have the names that REDCap gives them. */
export const studyTexts = ({ t, counted, number, percent }: InLanguage) => ({
  study: {
    statuses: {
      complete: t('Complete', 'Vollständig'),
      unverified: t('Unverified', 'Ungeprüft'),
      incomplete: t('Incomplete', 'Unvollständig'),
      notBegun: t('Not begun', 'Nicht begonnen'),
    } satisfies Record<ListedStatus, string>,
    visitStates: {
      overdue: t('Overdue', 'Überfällig'),
      thisWeek: t('This week', 'Diese Woche'),
      coming: t('Later', 'Später'),
    } satisfies Record<VisitState, string>,
    /** The rules of quality in a few words. */
    rules: {
      invalid_value: t('Not a valid value', 'Ungültiger Wert'),
      out_of_range: t('Out of range', 'Grenzwert verletzt'),
      required_empty: t('Required but empty', 'Pflichtfeld leer'),
      hidden_value: t('Hidden but filled in', 'Verborgen mit Wert'),
      stale_calculation: t('Outdated calculation', 'Berechnung veraltet'),
      contradicting_status: t('Status does not fit', 'Status passt nicht'),
      not_checked: t('Could not be checked', 'Nicht prüfbar'),
    } satisfies Record<QualityRule, string>,
    noDag: t('No data access group', 'Keine Datenzugriffsgruppe'),
    arm: (arm: string) => `Arm ${arm}`,
    /** What follows the label of an event. */
    inArm: (arm: string) => t(`, arm ${arm}`, `, Arm ${arm}`),
    records: (count: number) => counted(count, t('record', 'Datensatz'), t('records', 'Datensätze')),
    findings: (count: number) =>
      counted(count, t('finding', 'Auffälligkeit'), t('findings', 'Auffälligkeiten')),
    leftOut: t('left out', 'ausgelassen'),
  },

  figures: {
    few: t('Few', 'Wenige'),
    records: (count: number | null): string =>
      count === 1 ? t('record', 'Datensatz') : t('records', 'Datensätze'),
    ofPlanned: (target: number) =>
      t(`of ${number(target)} planned records`, `von ${number(target)} geplanten Datensätzen`),
    complete: t('of forms complete', 'der Formulare vollständig'),
    missing: t('of values missing', 'der Werte fehlen'),
    findings: (count: number): string =>
      count === 1 ? t('open finding', 'offene Auffälligkeit') : t('open findings', 'offene Auffälligkeiten'),
  },

  plot: {
    asTable: t('The figures as a table', 'Die Zahlen als Tabelle'),
    labelOfTable: (title: string) => t(`${title}, as a table`, `${title}, als Tabelle`),
    firstRows: (title: string, shown: number, rows: number) =>
      t(
        `${title}: the first ${number(shown)} of ${counted(rows, 'row', 'rows')}; the CSV file has them all.`,
        `${title}: die ersten ${number(shown)} von ${counted(rows, 'Zeile', 'Zeilen')}; die CSV-Datei enthält alle.`,
      ),
    saveAs: t('Save as', 'Speichern als'),
    saveAsFormat: (title: string, format: string) => t(`${title} as ${format}`, `${title} als ${format}`),
  },

  recruitment: {
    title: t('Recruitment', 'Rekrutierung'),
    recordsUpTo: (count: number, month: string) =>
      t(
        `${counted(count, 'record', 'records')} up to ${month}.`,
        `${counted(count, 'Datensatz', 'Datensätze')} bis ${month}.`,
      ),
    arePlanned: (target: number) => t(`${number(target)} are planned.`, `Geplant sind ${number(target)}.`),
    datedBy: (label: string, field: string, isChosen: boolean) =>
      t(
        `Dated by ${label === '' ? '' : `“${label}” `}(${field}), ${isChosen ? 'as planned' : 'the first date field of the first form'}.`,
        `Datiert nach ${label === '' ? '' : `„${label}“ `}(${field}), ${isChosen ? 'wie geplant' : 'dem ersten Datumsfeld des ersten Formulars'}.`,
      ),
    undated: (count: number) =>
      t(
        `${counted(count, 'record has', 'records have')} no likely date.`,
        `${counted(count, 'Datensatz hat', 'Datensätze haben')} kein plausibles Datum.`,
      ),
    allSoFar: t('All records so far', 'Alle bisherigen Datensätze'),
    recordsOf: {
      month: t('Records of the month', 'Datensätze des Monats'),
      week: t('Records of the week', 'Datensätze der Woche'),
    },
    planned: t('Planned', 'Geplant'),
    columns: {
      month: t('Month', 'Monat'),
      week: t('Week from', 'Woche ab'),
      records: t('Records', 'Datensätze'),
      soFar: t('All so far', 'Alle bisher'),
    },
    note: t('A count leads to the list of its records.', 'Eine Zahl führt zur Liste ihrer Datensätze.'),
    by: t('Recruitment by', 'Rekrutierung nach'),
    intervals: { month: t('month', 'Monat'), week: t('week', 'Woche') },
  },

  completeness: {
    title: t('Completeness', 'Vollständigkeit'),
    none: t(
      'No form has been started, or too few to show.',
      'Kein Formular ist begonnen, oder zu wenige, um sie zu zeigen.',
    ),
    complete: (complete: number, forms: number, share: number) =>
      t(
        `${number(complete)} of ${number(forms)} expected or begun forms are complete (${percent(share)}).`,
        `${number(complete)} von ${number(forms)} erwarteten oder begonnenen Formularen sind vollständig (${percent(share)}).`,
      ),
    smallLeftOut: t('Small counts are left out.', 'Kleine Zahlen sind ausgelassen.'),
    heat: {
      none: t('none complete', 'keines vollständig'),
      half: t('half', 'die Hälfte'),
      all: t('all complete', 'alle vollständig'),
    },
    columns: { form: t('Form', 'Formular'), records: t('Records', 'Datensätze') },
    notExpected: t('not expected', 'nicht erwartet'),
    repeats: t('(repeats)', '(wiederholt sich)'),
    note: t(
      'A form leads to the list of those that are not complete, a count to the list of what it counts.',
      'Ein Formular führt zur Liste derer, die nicht vollständig sind, eine Zahl zur Liste dessen, was sie zählt.',
    ),
    tile: (complete: number, forms: number) =>
      t(
        `${number(complete)} of ${number(forms)} complete`,
        `${number(complete)} von ${number(forms)} vollständig`,
      ),
    lists: t('Lists of forms', 'Listen der Formulare'),
    notComplete: (form: string) => t(`${form}: not complete`, `${form}: nicht vollständig`),
  },

  missing: {
    title: t('Missing data', 'Fehlende Werte'),
    words: (field: string, share: number) =>
      t(
        `Empty values of fields that were shown, on forms that were begun. The worst is ${field}: ${percent(share)}.`,
        `Leere Werte von Feldern, die angezeigt wurden, auf begonnenen Formularen. Am meisten fehlt bei ${field}: ${percent(share)}.`,
      ),
    columns: {
      field: t('Field', 'Feld'),
      percent: t('Missing in %', 'Fehlend in %'),
      missing: t('Missing', 'Fehlend'),
      shown: t('Shown', 'Angezeigt'),
    },
  },

  dags: {
    title: t('Data access groups', 'Datenzugriffsgruppen'),
    records: (dags: number) =>
      t(
        `Records of ${counted(dags, 'data access group', 'data access groups')}.`,
        `Datensätze aus ${counted(dags, 'Datenzugriffsgruppe', 'Datenzugriffsgruppen')}.`,
      ),
    most: (dag: string, records: number) =>
      t(`Most are in ${dag}: ${number(records)}.`, `Die meisten sind in ${dag}: ${number(records)}.`),
    /** With soft hyphens, because there may be eight of them. */
    columns: {
      dag: 'DAG',
      records: t('Records', 'Daten\u00adsätze'),
      forms: t('Forms', 'Formu\u00adlare'),
      complete: t('Complete', 'Voll\u00adständig'),
      percent: t('Complete in %', 'Voll\u00adständig in %'),
      findings: t('Open findings', 'Auffällig\u00adkeiten'),
      recent: t('New findings', 'Neue Auffällig\u00adkeiten'),
      daysToEntry: t('Days to entry', 'Tage bis zur Ein\u00adgabe'),
    },
    note: t(
      'A count leads to the list of what it counts. Forms are those that were begun or are expected.',
      'Eine Zahl führt zur Liste dessen, was sie zählt. Formulare sind die begonnenen und die erwarteten.',
    ),
    recentNote: (since: string) =>
      t(
        `New findings: on what was entered or changed since ${since}.`,
        `Neue Auffälligkeiten: in dem, was seit ${since} erfasst oder geändert wurde.`,
      ),
    daysNote: t(
      'Days to entry: the median from a visit to the entry of its date, over the visits that were entered in the last 90 days.',
      'Tage bis zur Eingabe: der Median von der Visite bis zur Eingabe ihres Datums, über die Visiten, die in den letzten 90 Tagen eingegeben wurden.',
    ),
  },

  activity: {
    title: t('Activity', 'Aktivität'),
    words: (days: number, saves: string, imports: string, exports: string) =>
      t(
        `In the last ${days} days of the log: ${saves}, ${imports}, ${exports}.`,
        `In den letzten ${days} Tagen des Logs: ${saves}, ${imports}, ${exports}.`,
      ),
    day: t('Day', 'Tag'),
    saves: {
      label: t('Saves', 'Gespeichert'),
      count: (count: number) => t(counted(count, 'save', 'saves'), `${number(count)}-mal gespeichert`),
    },
    imports: {
      label: t('Imports', 'Importe'),
      count: (count: number) => counted(count, t('import', 'Import'), t('imports', 'Importe')),
    },
    exports: {
      label: t('Exports', 'Exporte'),
      count: (count: number) => counted(count, t('export', 'Export'), t('exports', 'Exporte')),
    },
  },

  quality: {
    title: t('Quality', 'Datenqualität'),
    words: (findings: number, records: number, at: string) =>
      t(
        `${findings === 0 ? 'No findings' : counted(findings, 'finding', 'findings')} in ${counted(records, 'record', 'records')}, as of ${at}.`,
        `${findings === 0 ? 'Keine Auffälligkeiten' : counted(findings, 'Auffälligkeit', 'Auffälligkeiten')} in ${counted(records, 'Datensatz', 'Datensätzen')}, Stand ${at}.`,
      ),
    columns: { rule: t('Rule', 'Regel'), findings: t('Findings', 'Auffälligkeiten') },
    note: t('A count leads to the list of its findings.', 'Eine Zahl führt zur Liste ihrer Auffälligkeiten.'),
    everyFinding: t('Every finding', 'Alle Auffälligkeiten'),
    recent: (count: number, since: string) =>
      t(
        `${counted(count, 'finding', 'findings')} on what was entered or changed since ${since}`,
        `${counted(count, 'Auffälligkeit', 'Auffälligkeiten')} in dem, was seit ${since} erfasst oder geändert wurde`,
      ),
    notYet: t(
      'The records are being held against the rules. Look again in a moment.',
      'Die Datensätze werden gerade geprüft. Sehen Sie gleich noch einmal nach.',
    ),
  },

  distribution: {
    title: t('Distribution', 'Verteilung'),
    columns: { values: t('Values', 'Werte'), missing: t('Missing', 'Fehlend') },
    figures: t(
      ['Least', 'Lower quartile', 'Median', 'Upper quartile', 'Greatest'],
      ['Minimum', 'Unteres Quartil', 'Median', 'Oberes Quartil', 'Maximum'],
    ),
    all: t('All', 'Alle'),
    valuesLeftOut: t('The number of values is left out.', 'Die Zahl der Werte ist ausgelassen.'),
    values: (count: number, missing: number | null) =>
      t(
        `${counted(count, 'value', 'values')}${missing === null ? '' : `, ${number(missing)} missing`}.`,
        `${counted(count, 'Wert', 'Werte')}${missing === null ? '' : `, ${counted(missing, 'fehlt', 'fehlen')}`}.`,
      ),
    median: (median: number, range: readonly [least: number, greatest: number] | undefined) =>
      t(
        `Median ${number(median)}${range === undefined ? '' : `, from ${number(range[0])} to ${number(range[1])}`}.`,
        `Median ${number(median)}${range === undefined ? '' : `, von ${number(range[0])} bis ${number(range[1])}`}.`,
      ),
    notShown: t(
      'Values of identifiers and free text are not shown.',
      'Werte von Identifikatoren und Freitext werden nicht gezeigt.',
    ),
    tooFew: t(
      'Too few values in some groups to compare them.',
      'In manchen Gruppen sind zu wenige Werte, um sie zu vergleichen.',
    ),
    bin: (from: number, to: number, count: number) =>
      t(
        `${number(from)} to ${number(to)}: ${number(count)}`,
        `${number(from)} bis ${number(to)}: ${number(count)}`,
      ),
    noFigures: t('There are no figures for this field.', 'Für dieses Feld gibt es keine Zahlen.'),
    of: t('Distribution of', 'Verteilung von'),
    split: t('Split', 'Aufteilen'),
    splits: {
      none: t('not at all', 'gar nicht'),
      dag: t('by data access group', 'nach Datenzugriffsgruppe'),
      arm: t('by arm', 'nach Arm'),
    },
    show: t('Show', 'Anzeigen'),
  },

  dashboard: {
    title: 'Dashboard',
    notAnswered: (failedAt: Child, madeAt: Child) =>
      t(
        <>
          REDCap did not answer at {failedAt}. These are the figures of {madeAt}; what is not known from then
          is left out.
        </>,
        <>
          REDCap hat nicht geantwortet ({failedAt}). Diese Zahlen sind von {madeAt}; was von damals nicht
          bekannt ist, fehlt.
        </>,
      ),
    due: t('Who is due', 'Fällige Visiten'),
    notComplete: t('Forms that are not complete', 'Nicht vollständige Formulare'),
    allRecords: t('All records', 'Alle Datensätze'),
    report: t('Report to print', 'Bericht zum Drucken'),
    smallCell: (most: number) =>
      t(
        `Counts from 1 to ${most} are left out, and others that would tell them: they could lead to a participant.`,
        `Zahlen von 1 bis ${most} sind ausgelassen, und andere, aus denen sie sich ergäben: Sie könnten zu einer teilnehmenden Person führen.`,
      ),
    madeAt: (at: Child) => t(<>Figures of {at}.</>, <>Stand: {at}.</>),
    lookAgain: t('Look again', 'Noch einmal nachsehen'),
    signedInAs: (email: string) => t(`Signed in as ${email}`, `Angemeldet als ${email}`),
    account: t('Account and sessions', 'Konto und Sitzungen'),
    noRecords: {
      title: t('No records yet', 'Noch keine Datensätze'),
      text: t(
        <>
          Figures and plots appear here with the first record that is saved in REDCap. Have you a file with
          records already? <a href="/try-file">Check it against the data dictionary</a>.
        </>,
        <>
          Zahlen und Diagramme erscheinen hier mit dem ersten Datensatz, der in REDCap gespeichert wird. Haben
          Sie schon eine Datei mit Datensätzen?{' '}
          <a href="/try-file">Prüfen Sie sie gegen das Data Dictionary</a>.
        </>,
      ),
    },
    waiting: t(
      'The records are being read for the first time. The figures appear here in a moment.',
      'Die Datensätze werden zum ersten Mal gelesen. Die Zahlen erscheinen hier gleich.',
    ),
    neverAnswered: (failedAt: Child) =>
      t(
        <>REDCap did not answer at {failedAt}, and there are no earlier figures.</>,
        <>REDCap hat nicht geantwortet ({failedAt}), und es gibt keine früheren Zahlen.</>,
      ),
    asksAgain: t('This page asks again by itself.', 'Diese Seite fragt von selbst noch einmal.'),
  },

  notShown: {
    title: t('What is not shown', 'Was nicht gezeigt wird'),
    noSuchDateField: t(
      'Recruitment: STUDY_DATE_FIELD names a field that the project does not have. Whoever runs this service can correct it.',
      'Rekrutierung: STUDY_DATE_FIELD nennt ein Feld, das das Projekt nicht hat. Wer diesen Dienst betreibt, kann das ändern.',
    ),
    noDateField: t(
      'Recruitment: the first instrument has no date field. Whoever runs this service can name another with STUDY_DATE_FIELD.',
      'Rekrutierung: Das erste Instrument hat kein Datumsfeld. Wer diesen Dienst betreibt, kann mit STUDY_DATE_FIELD ein anderes Feld nennen.',
    ),
    noDates: (field: string) =>
      t(
        `Recruitment: no record has a date in ${field} yet, or too few have.`,
        `Rekrutierung: Noch kein Datensatz hat ein Datum in ${field}, oder zu wenige haben eines.`,
      ),
    fewForDags: t(
      'Data access groups: there are too few records to show them.',
      'Datenzugriffsgruppen: Es gibt zu wenige Datensätze, um sie zu zeigen.',
    ),
    noDags: t('Data access groups: the project has none.', 'Datenzugriffsgruppen: Das Projekt hat keine.'),
    noLog: t(
      'Activity, and findings on what was entered lately: the log cannot be read here.',
      'Aktivität und Auffälligkeiten in dem, was zuletzt erfasst wurde: Das Log lässt sich hier nicht lesen.',
    ),
    numbersAlone: t(
      'Quality and lists of records: you see numbers alone. Whoever runs this service decides who may see more.',
      'Datenqualität und Listen der Datensätze: Sie sehen nur Zahlen. Wer diesen Dienst betreibt, entscheidet, wer mehr sehen darf.',
    ),
  },

  report: {
    title: t('Report', 'Bericht'),
    smallCell: (most: number) =>
      t(`Counts from 1 to ${most} are left out.`, `Zahlen von 1 bis ${most} sind ausgelassen.`),
    dag: (dag: string) => t(`Data access group: ${dag}`, `Datenzugriffsgruppe: ${dag}`),
    arm: (arm: number) => t(`arm ${arm}`, `Arm ${arm}`),
    from: (date: string) => t(`joined from ${date}`, `aufgenommen ab ${date}`),
    until: (date: string) => t(`joined until ${date}`, `aufgenommen bis ${date}`),
    findings: {
      title: t('Open findings', 'Offene Auffälligkeiten'),
      label: t('Open findings by rule', 'Offene Auffälligkeiten nach Regel'),
    },
    visits: (overdue: string, thisWeek: string, coming: string) =>
      t(
        `Visits: ${overdue} overdue, ${thisWeek} this week, ${coming} later.`,
        `Visiten: ${overdue} überfällig, ${thisWeek} diese Woche, ${coming} später.`,
      ),
    dags: t('Data access groups side by side', 'Datenzugriffsgruppen im Vergleich'),
  },
});
