import type { QualityFinding } from '../../records/rules/quality-finding.js';
import type { Texts } from '../texts/en.js';

/** A finding as the end of a sentence that begins with its field: the message that programs get, where no text stands for it. */
export function FindingMessage({
  t,
  rule,
  message,
}: Pick<QualityFinding, 'rule' | 'message'> & { readonly t: Texts }) {
  const text = t.study.findingsOf[rule];
  return text === undefined ? <span lang="en">{message}</span> : <>{text}</>;
}
