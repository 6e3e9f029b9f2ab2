/** What a refusal for want of places names instead. */
import { type Alternative, Problem } from '../../http/problems.ts'

export function alternativesOf(error: unknown): Alternative[] {
  const { Alternatives = [] } = error instanceof Problem ? error.extensions : {}
  return Alternatives as Alternative[]
}
