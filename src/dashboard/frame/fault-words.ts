/** The faults of a form, in the words of the form. Pure. */
import type { FormFaults } from './forms.ts'

/**
 * Adds the labels of fields to the faults, and replaces names of fields in their messages with the labels. Text in
 * quotation marks is not changed, because it may be a name that a user chose: a unit may be called “Places”.
 */
export function inWords(
  faults: NonNullable<FormFaults>,
  labels: ReadonlyMap<string, string>,
): NonNullable<FormFaults> {
  const quoted = (name: string) => (labels.has(name) ? `“${labels.get(name)}”` : name)
  const fields = [...faults.fields].map(
    ([field, message]) => [field, message.replace(/“[^”]*”|\b[A-Z]\w+\b/g, quoted)] as const,
  )
  return { ...faults, fields: new Map(fields), labels }
}
