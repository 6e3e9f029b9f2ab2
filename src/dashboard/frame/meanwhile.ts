/** Forms of what several people may edit: what they carry along, and what they say when somebody else saved first. */
import { html, type Markup } from '../../http/pages.ts'
import { Problem } from '../../http/problems.ts'
import { versionOf } from '../../http/versions.ts'
import { faultsOf, type ShownForm, valueAt } from './forms.ts'

/** The field `Version` of a form: which state of it was shown. */
export function versionField(version: string): Markup {
  return html`<input type="hidden" name="Version" value="${version}">`
}

type EditedForm = {
  /** The body that was sent, with its Version. */
  given: unknown
  /** What stands now, in the same shape, and what its version is made of. */
  standing: unknown
  state: unknown
  /** Paths of the fields that people see. */
  fields: readonly string[]
}

/**
 * How a form is shown again that could not be saved: as it was sent, with the faults; and when somebody else saved
 * first, with what stands now beside each field that differs, and the version that saves it all the same.
 * @param read what stands now; only of what is in order to be asked for.
 * @throws the error itself, when its sender cannot mend it.
 */
export async function shownAgain(
  error: unknown,
  read: () => Promise<EditedForm>,
): Promise<ShownForm & { status: number; version: string }> {
  const { faults, status } = faultsOf(error)
  const { given, standing, state, fields } = await read()
  if (!(error instanceof Problem && error.slug === 'edited-meanwhile'))
    return { values: given, faults, status, version: valueAt(given, 'Version') }
  const differing = fields.filter((name) => valueAt(given, name) !== valueAt(standing, name))
  const now = differing.map((name) => [name, `is now “${valueAt(standing, name)}”`] as const)
  return {
    values: given,
    faults: { message: faults.message, fields: new Map(now) },
    status,
    version: versionOf(state),
  }
}
