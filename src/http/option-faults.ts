/**
 * Errors of commands. A command turns its options into the same fields that a request to the API has. If fields are
 * invalid, the error message names the options instead.
 */
import type { FieldError } from '../platform/schema/validation.ts'
import { Problem } from './problems.ts'

/**
 * Runs the work of a command.
 * @param optionOf returns the option for the name of a field. It is also called with each capitalised word of a
 * message; if the word is not the name of a field, it must return the word unchanged.
 * @throws an error that names options, for a problem that names fields.
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
