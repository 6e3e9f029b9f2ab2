/** In which languages a response says what products say (RFC 9110, 12.5.4). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { preferredTo } from '../../languages/locales.ts'
import type { Translation } from '../translation.ts'

/** The languages that the caller prefers to the products' own; none for most callers. */
export function wantedLanguages({ caller, headers }: Pick<FastifyRequest, 'caller' | 'headers'>): string[] {
  return preferredTo(caller.language, headers['accept-language'])
}

/** Names the languages of these products in the response, or their own language where there are none. */
export function nameLanguages(
  { caller }: Pick<FastifyRequest, 'caller'>,
  reply: FastifyReply,
  products: readonly { translation?: Pick<Translation, 'language'> | null }[],
): void {
  const own = caller.language
  const languages = new Set(products.map(({ translation }) => translation?.language ?? own))
  reply.header('content-language', languages.size === 0 ? own : [...languages].join(', '))
  reply.vary('Accept-Language')
}
