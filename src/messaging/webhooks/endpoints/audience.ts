/** The audience of the webhook routes: the operator, or a partner, who sees only its own endpoints. */
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

/** The owner of the endpoints that a request may read and change. */
export function endpointOwner(audience: WebhookAudience, { caller }: FastifyRequest): EndpointOwner {
  const { accountId, partnerId } = caller
  return { accountId, partnerId: audience === 'operator' ? null : (partnerId ?? 0) }
}

/** The operation ID of a route, which differs between audiences. */
export function operationIdFor(audience: WebhookAudience, verb: string, noun: string): string {
  return `${verb}${audience === 'operator' ? '' : 'Own'}${noun}`
}
