/**
 * What all pages of webhook endpoints share: their options, and the owner, id and address of the endpoint of
 * a request.
 */
import type { FastifyRequest } from 'fastify'
import type { EndpointSettings } from '../../messaging/webhooks/endpoints/service.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { endpointsPath } from './list-views.ts'

export type WebhookPageOptions = { sql: Sql; settings: EndpointSettings }

export type AboutEndpoint = FastifyRequest<{ Params: { EndpointID: string } }>

/**
 * The owner of the endpoints of a request: the account of the session, which in test mode is the test
 * account. With `partnerId` null, queries also find the endpoints of the account's partners.
 */
export function ownerOf({ session }: FastifyRequest) {
  return { accountId: session.user.accountId, partnerId: null }
}

export function idOf({ params }: AboutEndpoint): number {
  return Number(params.EndpointID)
}

export function pageOf(request: AboutEndpoint): string {
  return `${endpointsPath}/${idOf(request)}`
}
