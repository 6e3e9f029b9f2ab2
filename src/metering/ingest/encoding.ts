/**
 * Writes accepted entries as JSON, for the job and for the response, before they wait to be stored. A waiting request
 * then keeps only two strings in memory, which cost the garbage collector less than the parsed entries.
 */
import { toDecimal } from '../../platform/text/decimal.ts'
import type { Acceptance, Submission } from '../model.ts'

export type EncodedEntries = {
  accountId: number
  count: number
  /** The tuples of a job's payload (`entryTuple`), separated by commas. */
  tuples: string
  /** The entries of the response (`acceptedSchema`), separated by commas. */
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

// For longer text, JSON.stringify() is faster than a regular expression.
const shortLength = 1000
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes them
const escaped = /["\\\u0000-\u001f]/

/** A string as JSON. The schema has refused lone surrogates. */
function quote(text: string): string {
  return text.length > shortLength || escaped.test(text) ? JSON.stringify(text) : `"${text}"`
}

/**
 * Returns the text as a flat string. V8 stores a concatenation as a tree of its parts until a character of it
 * is read.
 */
function flatten(text: string): string {
  text.charCodeAt(0)
  return text
}
