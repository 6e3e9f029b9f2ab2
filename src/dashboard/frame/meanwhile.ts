/**
 * Forms for data that several users may edit: the field with the version that the user saw, and the content
 * of the form if another user saved first.
 */
import { html, type Markup } from '../../http/pages.ts'
import { Problem } from '../../http/problems.ts'
import { versionOf } from '../../http/versions.ts'
import { type ShownForm, valueAt } from './form-fields.ts'
import { faultsOf } from './forms.ts'

/** The field `Version` of a form: the state that the user saw. */
export function versionField(version: string): Markup {
  return html`<input type="hidden" name="Version" value="${version}">`
}

/**
 * Whether a fault only says which value another user has saved for the field. showFormAgain() writes such
 * faults.
 */
export function namesStoredValue(fault: string): boolean {
  return /^is now “/.test(fault)
}

/** A field with its sent and its stored value as text, to compare and show. */
export type ComparedField = { field: string; given: string; existing: string }

type EditedForm = {
  /** The sent body, with its Version. */
  given: unknown
  /** The stored data, in the same shape as `given`. */
  existing: unknown
  /** The state from which the version is computed. */
  state: unknown
  /** Paths of the visible fields. */
  fields: readonly string[]
  /** The visible fields that have no path. */
  others?: readonly ComparedField[]
  /** How the form shows the stored value of a field. Without it, the value is shown as it is. */
  shownAs?: (field: string, existing: string) => string
}

/**
 * The content of a form that could not be saved: the sent values with their faults. If another user saved
 * first, the fault of each field that differs names the stored value instead, and the version is the stored
 * one, so that the user can replace the changes of the other user.
 * @param read returns the sent values and the stored data. It is not called if the error is thrown again.
 * @throws the error itself, if the sender cannot correct it.
 */
export async function showFormAgain(
  error: unknown,
  read: () => Promise<EditedForm>,
): Promise<ShownForm & { status: number; version: string }> {
  const { faults, status } = faultsOf(error)
  const { given, existing, state, fields, others = [], shownAs } = await read()
  if (!(error instanceof Problem && error.slug === 'edited-meanwhile'))
    return { values: given, faults, status, version: valueAt(given, 'Version') }
  const compared = fields.map((field): ComparedField => {
    return { field, given: valueAt(given, field), existing: valueAt(existing, field) }
  })
  const isDifferent = (one: ComparedField) => one.given !== one.existing
  const shown = compared
    .filter(isDifferent)
    .map((one) => (shownAs ? { ...one, existing: shownAs(one.field, one.existing) } : one))
  const differing = [...shown, ...others.filter(isDifferent)]
  const now = differing.map((one) => [one.field, `is now “${one.existing}”`] as const)
  return {
    values: given,
    faults: { message: faults.message, fields: new Map(now) },
    status,
    version: versionOf(state),
  }
}
