/**
 * When two people edit the same data, the second save is refused with 409 and changes nothing. A form has the
 * version of the data that it shows, and sends it back.
 */
import makeEtag from 'etag'
import { problems } from './problems.ts'

/** A hash of a state of rows: different states have different hashes. */
export function versionOf(state: unknown): string {
  return makeEtag(JSON.stringify(state))
}

/**
 * Compares the version in a request with the current state, which the caller has locked.
 * @param seen the version in the request; if undefined, nothing is compared.
 * @throws Problem edited-meanwhile.
 */
export function requireVersion(seen: string | undefined, current: unknown): void {
  if (seen !== undefined && seen !== versionOf(current)) throw problems.editedMeanwhile()
}
