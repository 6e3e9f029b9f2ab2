/** Chooses the languages of product texts in a response by `Accept-Language` (RFC 9110, 12.5.4). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { preferredTo } from '../../languages/locales.ts'
import type { Translation } from '../translation.ts'

/**
 * The languages that the caller prefers to the products' own language, best first; empty for most callers.
 */
export function wantedLanguages({ caller, headers }: Pick<FastifyRequest, 'caller' | 'headers'>): string[] {
  return preferredTo(caller.language, headers['accept-language'])
}

/**
 * Sets `Content-Language` to the languages of the products in a response, or to the products' own language if
 * the response has none. Also adds `Accept-Language` to `Vary`.
 */
export function setContentLanguage(
  { caller }: Pick<FastifyRequest, 'caller'>,
  reply: FastifyReply,
  products: readonly { translation?: Pick<Translation, 'language'> | null }[],
): void {
  const own = caller.language
  const languages = new Set(products.map(({ translation }) => translation?.language ?? own))
  reply.header('content-language', languages.size === 0 ? own : [...languages].join(', '))
  reply.vary('Accept-Language')
}
