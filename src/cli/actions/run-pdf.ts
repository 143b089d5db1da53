import { saveFile, type SaveArguments } from '../files/save-file.js';

export interface PdfArguments extends SaveArguments {
  readonly record?: string | undefined;
  readonly instrument?: string | undefined;
  readonly event?: string | undefined;
  readonly instance?: number | undefined;
  readonly compact: boolean;
  readonly all: boolean;
}

/** `crf pdf`. */
export async function savePdf(options: PdfArguments): Promise<void> {
  const { record, instrument, event, instance, compact, all } = options;
  const selection = {
    record: record === undefined ? undefined : String(record),
    instrument,
    event,
    repeatInstance: instance,
    compact,
  };
  await saveFile(options, 'forms.pdf', (client, signal) =>
    all ? client.pdf.downloadAll({ compact, signal }) : client.pdf.download(selection, { signal }),
  );
}
