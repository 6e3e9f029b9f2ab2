/** For whom the routes of webhooks are: the operator, or a partner, who sees and names its own endpoints alone. */
import type { FastifyRequest } from 'fastify'
import type { Sql } from '../../../platform/postgres/database.ts'
import type { EndpointOwner } from './model.ts'
import type { EndpointSettings } from './service.ts'

export type WebhookAudience = 'operator' | 'partner'

export type WebhookRoutesOptions = {
  sql: Sql
  publicUrl: string
  audience: WebhookAudience
  settings: EndpointSettings
}

/** Whose endpoints a request is about. */
export function endpointOwner(audience: WebhookAudience, { caller }: FastifyRequest): EndpointOwner {
  const { accountId, partnerId } = caller
  return { accountId, partnerId: audience === 'operator' ? null : (partnerId ?? 0) }
}

/** The operation ID of a route, which each audience has its own of. */
export function operationIdFor(audience: WebhookAudience, verb: string, noun: string): string {
  return `${verb}${audience === 'operator' ? '' : 'Own'}${noun}`
}
