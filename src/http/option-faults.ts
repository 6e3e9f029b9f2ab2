/** What is wrong with the fields of a request, said of the options of the command that does the same. */
import type { FieldError } from '../platform/schema/validation.ts'
import { Problem } from './problems.ts'

/**
 * Does the work of a command.
 * @param optionOf the option that stands for a field, which messages name as well; any other word as it is.
 * @throws an error that names options in place of a problem that names fields.
 */
export async function namingOptions<T>(
  optionOf: (field: string) => string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem && error.slug === 'validation')) throw error
    const errors = error.extensions.errors as FieldError[]
    const lines = errors.map(({ field, message }) => {
      return `${optionOf(field)} ${message.replace(/\b[A-Z]\w+\b/g, optionOf)}`
    })
    throw new Error(lines.join('; '))
  }
}
