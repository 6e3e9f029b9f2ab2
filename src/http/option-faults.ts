/** Names the options of a command in messages about the fields of the request that the command makes. */
import type { FieldError } from '../platform/schema/validation.ts'
import { Problem } from './problems.ts'

/**
 * Runs the work of a command.
 * @param optionOf returns the option for a field, also for names in messages, and returns any other word
 * unchanged.
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
