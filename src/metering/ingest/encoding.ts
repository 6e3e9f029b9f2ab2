/**
 * Accepted entries as JSON, both for the job and for the response. Written at once, so that nothing else of a request has
 * to stay in memory while the entries wait for their store: text is one object, which the collector copies in one go.
 */
import { toDecimal } from '../../platform/text/decimal.ts'
import type { Acceptance, Submission } from '../model.ts'

export type EncodedEntries = {
  accountId: number
  count: number
  /** The tuples of a job's payload (`entryTuple`), with commas between them. */
  tuples: string
  /** The entries as their caller is told them (`acceptedSchema`), with commas between them. */
  accepted: string
}

/** Pure. Submissions have passed their schema. */
export function encodeEntries(
  accountId: number,
  submissions: readonly Submission[],
  { ids, acceptedAt, occurredAt }: Acceptance,
): EncodedEntries {
  let [tuples, accepted, comma] = ['', '', '']
  for (let index = 0; index < submissions.length; index++) {
    const { Meter, Usage, ExtraInfo, OccurredAt = occurredAt } = submissions[index]!
    const [id, meter] = [ids[index]!, quote(Meter.trim())]
    const extraInfo = ExtraInfo === undefined ? 'null' : quote(ExtraInfo)
    tuples += `${comma}[${accountId},${id},${acceptedAt},${meter},"${toDecimal(Usage)}",${OccurredAt},${extraInfo}]`
    accepted += `${comma}{"ID":${id},"Meter":${meter},"Usage":${Usage}}`
    comma = ','
  }
  return { accountId, count: submissions.length, tuples: flatten(tuples), accepted: flatten(accepted) }
}

// Longer text is looked through faster by JSON.stringify() than by an expression.
const shortLength = 1000
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes them
const escaped = /["\\\u0000-\u001f]/

/** A string as JSON. The schema has refused lone surrogates. */
function quote(text: string): string {
  return text.length > shortLength || escaped.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** The same text. V8 keeps a concatenation as a tree of its parts until a character of it is read. */
function flatten(text: string): string {
  text.charCodeAt(0)
  return text
}
