import type { studyTexts as english } from './en-study.js';
import { GERMAN } from './in-language.js';

const { counted, number, percent } = GERMAN;

/** The German texts of the dashboard, its plots and its report. Arms and events have the names that REDCap gives them. */
export const studyTexts: typeof english = {
  study: {
    statuses: {
      complete: 'Vollständig',
      unverified: 'Ungeprüft',
      incomplete: 'Unvollständig',
      notBegun: 'Nicht begonnen',
    },
    visitStates: { overdue: 'Überfällig', thisWeek: 'Diese Woche', coming: 'Später' },
    rules: {
      invalid_value: 'Ungültiger Wert',
      out_of_range: 'Grenzwert verletzt',
      required_empty: 'Pflichtfeld leer',
      hidden_value: 'Verborgen mit Wert',
      stale_calculation: 'Berechnung veraltet',
      contradicting_status: 'Status passt nicht',
      not_checked: 'Nicht prüfbar',
    },
    noSite: 'Kein Zentrum',
    arm: (arm) => `Arm ${arm}`,
    inArm: (arm) => `, Arm ${arm}`,
    records: (count) => counted(count, 'Datensatz', 'Datensätze'),
    findings: (count) => counted(count, 'Auffälligkeit', 'Auffälligkeiten'),
    leftOut: 'ausgelassen',
  },

  figures: {
    few: 'Wenige',
    records: (count) => (count === 1 ? 'Datensatz' : 'Datensätze'),
    ofPlanned: (target) => `von ${number(target)} geplanten Datensätzen`,
    complete: 'der Formulare vollständig',
    missing: 'der Werte fehlen',
    findings: (count) => (count === 1 ? 'offene Auffälligkeit' : 'offene Auffälligkeiten'),
  },

  plot: {
    asTable: 'Die Zahlen als Tabelle',
    labelOfTable: (title) => `${title}, als Tabelle`,
    firstRows: (title, shown, rows) =>
      `${title}: die ersten ${number(shown)} von ${counted(rows, 'Zeile', 'Zeilen')}; die CSV-Datei enthält alle.`,
    saveAs: 'Speichern als',
    saveAsFormat: (title, format) => `${title} als ${format}`,
  },

  recruitment: {
    title: 'Rekrutierung',
    recordsUpTo: (count, month) => `${counted(count, 'Datensatz', 'Datensätze')} bis ${month}.`,
    arePlanned: (target) => `Geplant sind ${number(target)}.`,
    datedBy: (label, field, isChosen) =>
      `Datiert nach ${label === '' ? '' : `„${label}“ `}(${field}), ${isChosen ? 'wie geplant' : 'dem ersten Datumsfeld des ersten Formulars'}.`,
    undated: (count) => `${counted(count, 'Datensatz hat', 'Datensätze haben')} kein plausibles Datum.`,
    allSoFar: 'Alle bisherigen Datensätze',
    recordsOf: { month: 'Datensätze des Monats', week: 'Datensätze der Woche' },
    planned: 'Geplant',
    columns: { month: 'Monat', week: 'Woche ab', records: 'Datensätze', soFar: 'Alle bisher' },
    note: 'Eine Zahl führt zur Liste ihrer Datensätze.',
    by: 'Rekrutierung nach',
    intervals: { month: 'Monat', week: 'Woche' },
  },

  completeness: {
    title: 'Vollständigkeit',
    none: 'Kein Formular ist begonnen, oder zu wenige, um sie zu zeigen.',
    complete: (complete, forms, share) =>
      `${number(complete)} von ${number(forms)} erwarteten oder begonnenen Formularen sind vollständig (${percent(share)}).`,
    smallLeftOut: 'Kleine Zahlen sind ausgelassen.',
    heat: { none: 'keines vollständig', half: 'die Hälfte', all: 'alle vollständig' },
    columns: { form: 'Formular', records: 'Datensätze' },
    notExpected: 'nicht erwartet',
    repeats: '(wiederholt sich)',
    note: 'Ein Formular führt zur Liste derer, die nicht vollständig sind, eine Zahl zur Liste dessen, was sie zählt.',
    tile: (complete, forms) => `${number(complete)} von ${number(forms)} vollständig`,
    lists: 'Listen der Formulare',
    notComplete: (form) => `${form}: nicht vollständig`,
  },

  missing: {
    title: 'Fehlende Werte',
    words: (field, share) =>
      `Leere Werte von Feldern, die angezeigt wurden, auf begonnenen Formularen. Am meisten fehlt bei ${field}: ${percent(share)}.`,
    columns: { field: 'Feld', percent: 'Fehlend in %', missing: 'Fehlend', shown: 'Angezeigt' },
  },

  sites: {
    title: 'Zentren',
    records: (sites) => `Datensätze aus ${counted(sites, 'Zentrum', 'Zentren')}.`,
    most: (site, records) => `Die meisten sind in ${site}: ${number(records)}.`,
    /** With soft hyphens, because there may be eight of them. */
    columns: {
      site: 'Zentrum',
      records: 'Daten\u00adsätze',
      forms: 'Formu\u00adlare',
      complete: 'Voll\u00adständig',
      percent: 'Voll\u00adständig in %',
      findings: 'Auffällig\u00adkeiten',
      recent: 'Neue Auffällig\u00adkeiten',
      daysToEntry: 'Tage bis zur Ein\u00adgabe',
    },
    note: 'Eine Zahl führt zur Liste dessen, was sie zählt. Formulare sind die begonnenen und die erwarteten.',
    recentNote: (since) => `Neue Auffälligkeiten: in dem, was seit ${since} erfasst oder geändert wurde.`,
    daysNote:
      'Tage bis zur Eingabe: der Median von der Visite bis zur Eingabe ihres Datums, über die Visiten, die in den letzten 90 Tagen eingegeben wurden.',
  },

  activity: {
    title: 'Aktivität',
    words: (days, saves, imports, exports) =>
      `In den letzten ${days} Tagen des Logs: ${saves}, ${imports}, ${exports}.`,
    day: 'Tag',
    saves: {
      label: 'Gespeichert',
      count: (count) => `${number(count)}-mal gespeichert`,
    },
    imports: { label: 'Importe', count: (count) => counted(count, 'Import', 'Importe') },
    exports: { label: 'Exporte', count: (count) => counted(count, 'Export', 'Exporte') },
  },

  quality: {
    title: 'Datenqualität',
    words: (findings, records, at) =>
      `${findings === 0 ? 'Keine Auffälligkeiten' : counted(findings, 'Auffälligkeit', 'Auffälligkeiten')} in ${counted(records, 'Datensatz', 'Datensätzen')}, Stand ${at}.`,
    columns: { rule: 'Regel', findings: 'Auffälligkeiten' },
    note: 'Eine Zahl führt zur Liste ihrer Auffälligkeiten.',
    everyFinding: 'Alle Auffälligkeiten',
    recent: (count, since) =>
      `${counted(count, 'Auffälligkeit', 'Auffälligkeiten')} in dem, was seit ${since} erfasst oder geändert wurde`,
    notYet: 'Die Datensätze werden gerade geprüft. Sehen Sie gleich noch einmal nach.',
  },

  distribution: {
    title: 'Verteilung',
    columns: { values: 'Werte', missing: 'Fehlend' },
    figures: ['Minimum', 'Unteres Quartil', 'Median', 'Oberes Quartil', 'Maximum'],
    all: 'Alle',
    valuesLeftOut: 'Die Zahl der Werte ist ausgelassen.',
    values: (count, missing) =>
      `${counted(count, 'Wert', 'Werte')}${missing === null ? '' : `, ${counted(missing, 'fehlt', 'fehlen')}`}.`,
    median: (median, range) =>
      `Median ${number(median)}${range === undefined ? '' : `, von ${number(range[0])} bis ${number(range[1])}`}.`,
    notShown: 'Werte von Identifikatoren und Freitext werden nicht gezeigt.',
    tooFew: 'In manchen Gruppen sind zu wenige Werte, um sie zu vergleichen.',
    bin: (from, to, count) => `${number(from)} bis ${number(to)}: ${number(count)}`,
    noFigures: 'Für dieses Feld gibt es keine Zahlen.',
    of: 'Verteilung von',
    split: 'Aufteilen',
    splits: { none: 'gar nicht', site: 'nach Zentrum', arm: 'nach Arm' },
    show: 'Anzeigen',
  },

  dashboard: {
    title: 'Dashboard',
    notAnswered: (failedAt, madeAt) => (
      <>
        REDCap hat nicht geantwortet ({failedAt}). Diese Zahlen sind von {madeAt}; was von damals nicht
        bekannt ist, fehlt.
      </>
    ),
    due: 'Fällige Visiten',
    notComplete: 'Nicht vollständige Formulare',
    allRecords: 'Alle Datensätze',
    report: 'Bericht zum Drucken',
    smallCell: (most) =>
      `Zahlen von 1 bis ${most} sind ausgelassen, und andere, aus denen sie sich ergäben: Sie könnten zu einer teilnehmenden Person führen.`,
    madeAt: (at) => <>Stand: {at}.</>,
    lookAgain: 'Noch einmal nachsehen',
    signedInAs: (email) => `Angemeldet als ${email}`,
    account: 'Konto und Sitzungen',
    noRecords: {
      title: 'Noch keine Datensätze',
      text: (
        <>
          Zahlen und Diagramme erscheinen hier mit dem ersten Datensatz, der in REDCap gespeichert wird. Haben
          Sie schon eine Datei mit Datensätzen?{' '}
          <a href="/try-file">Prüfen Sie sie gegen das Data Dictionary</a>.
        </>
      ),
    },
    waiting: 'Die Datensätze werden zum ersten Mal gelesen. Die Zahlen erscheinen hier gleich.',
    neverAnswered: (failedAt) => (
      <>REDCap hat nicht geantwortet ({failedAt}), und es gibt keine früheren Zahlen.</>
    ),
    asksAgain: 'Diese Seite fragt von selbst noch einmal.',
  },

  notShown: {
    title: 'Was nicht gezeigt wird',
    noSuchDateField:
      'Rekrutierung: STUDY_DATE_FIELD nennt ein Feld, das das Projekt nicht hat. Wer diesen Dienst betreibt, kann das ändern.',
    noDateField:
      'Rekrutierung: Das erste Instrument hat kein Datumsfeld. Wer diesen Dienst betreibt, kann mit STUDY_DATE_FIELD ein anderes Feld nennen.',
    noDates: (field) =>
      `Rekrutierung: Noch kein Datensatz hat ein Datum in ${field}, oder zu wenige haben eines.`,
    fewForSites: 'Zentren: Es gibt zu wenige Datensätze, um sie zu zeigen.',
    noSites: 'Zentren: Das Projekt hat keine Data Access Groups.',
    noLog:
      'Aktivität und Auffälligkeiten in dem, was zuletzt erfasst wurde: Das Log lässt sich hier nicht lesen.',
    numbersAlone:
      'Datenqualität und Listen der Datensätze: Sie sehen nur Zahlen. Wer diesen Dienst betreibt, entscheidet, wer mehr sehen darf.',
  },

  report: {
    title: 'Bericht',
    smallCell: (most) => `Zahlen von 1 bis ${most} sind ausgelassen.`,
    site: (site) => `Zentrum: ${site}`,
    arm: (arm) => `Arm ${arm}`,
    from: (date) => `aufgenommen ab ${date}`,
    to: (date) => `aufgenommen bis ${date}`,
    findings: { title: 'Offene Auffälligkeiten', label: 'Offene Auffälligkeiten nach Regel' },
    visits: (overdue, thisWeek, coming) =>
      `Visiten: ${overdue} überfällig, ${thisWeek} diese Woche, ${coming} später.`,
    sites: 'Zentren im Vergleich',
  },
};
