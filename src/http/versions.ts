/**
 * Of two people who edit the same, the second learns of the first: what is shown to be edited has a version, and
 * whoever saves says which they saw.
 */
import makeEtag from 'etag'
import { problems } from './problems.ts'

/** Names a state of rows; another state has another name. */
export function versionOf(state: unknown): string {
  return makeEtag(JSON.stringify(state))
}

/**
 * To be called with what stands locked. Who names no version wants it whatever stands.
 * @throws Problem edited-meanwhile.
 */
export function requireVersion(seen: string | undefined, standing: unknown): void {
  if (seen !== undefined && seen !== versionOf(standing)) throw problems.editedMeanwhile()
}
