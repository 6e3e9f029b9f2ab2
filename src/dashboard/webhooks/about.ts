/** What the pages of webhook endpoints have in common: what they work with, and which endpoint they are about. */
import type { FastifyRequest } from 'fastify'
import type { EndpointSettings } from '../../messaging/webhooks/endpoints/service.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { endpointsPath } from './list-views.ts'

export type WebhookPageOptions = { sql: Sql; settings: EndpointSettings }

export type AboutEndpoint = FastifyRequest<{ Params: { EndpointID: string } }>

/** All endpoints of the account of the mode, those of its partners among them. */
export function ownerOf({ session }: FastifyRequest) {
  return { accountId: session.user.accountId, partnerId: null }
}

export function idOf({ params }: AboutEndpoint): number {
  return Number(params.EndpointID)
}

export function pageOf(request: AboutEndpoint): string {
  return `${endpointsPath}/${idOf(request)}`
}
