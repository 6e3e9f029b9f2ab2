/**
 * When two people edit the same data, the second one to save gets a warning. A form has the version of the
 * data that it shows, and sends it back when it is saved.
 */
import makeEtag from 'etag'
import { problems } from './problems.ts'

/** A name for a state of rows; a different state has a different name. */
export function versionOf(state: unknown): string {
  return makeEtag(JSON.stringify(state))
}

/**
 * Call it with the current state, while it is locked. A request without a version overwrites any state.
 * @throws Problem edited-meanwhile.
 */
export function requireVersion(seen: string | undefined, standing: unknown): void {
  if (seen !== undefined && seen !== versionOf(standing)) throw problems.editedMeanwhile()
}
