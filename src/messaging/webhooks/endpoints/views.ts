/** Webhook endpoints in requests and responses. */
import type { EndpointChange, EndpointInput, EndpointView } from './schemas.ts'
import type { Endpoint, EndpointFields } from './service.ts'

/** For the operator. */
export function endpointView(endpoint: Endpoint): EndpointView {
  const { partnerId, partnerName } = endpoint
  return {
    ...ownEndpointView(endpoint),
    Partner: partnerId === null ? null : { ID: partnerId, Name: partnerName },
  }
}

/** For the partner that owns the endpoint. */
export function ownEndpointView(endpoint: Endpoint): Omit<EndpointView, 'Partner'> {
  return {
    EndpointID: endpoint.id,
    URL: endpoint.url,
    EventTypes: endpoint.eventTypes,
    Description: endpoint.description,
    Body: endpoint.body,
    Email: endpoint.email,
    Status: endpoint.status,
    PauseReason: endpoint.pauseReason,
    PausedAt: endpoint.pausedAt?.toISOString() ?? null,
    Position: endpoint.position,
    LogEnd: endpoint.end,
    Unfinished: endpoint.unfinished,
    SetAside: endpoint.setAside,
    FailingSince: endpoint.failingSince?.toISOString() ?? null,
    LastDeliveredAt: endpoint.lastSuccessAt?.toISOString() ?? null,
    Secrets: endpoint.secrets.map(secretView),
    CreatedAt: endpoint.createdAt.toISOString(),
    UpdatedAt: endpoint.updatedAt.toISOString(),
  }
}

export function secretView({ id, createdAt }: Endpoint['secrets'][number]) {
  return { SecretID: id, CreatedAt: new Date(createdAt).toISOString() }
}

export function toFields(input: EndpointInput): EndpointFields {
  return {
    url: input.URL,
    eventTypes: input.EventTypes,
    description: input.Description?.trim() ?? '',
    body: input.Body ?? 'thin',
    email: input.Email ?? null,
  }
}

export function toChange(input: EndpointChange): Partial<EndpointFields> {
  const change: Partial<EndpointFields> = {}
  if (input.URL !== undefined) change.url = input.URL
  if (input.EventTypes !== undefined) change.eventTypes = input.EventTypes
  if (input.Description !== undefined) change.description = input.Description.trim()
  if (input.Body !== undefined) change.body = input.Body
  if (input.Email !== undefined) change.email = input.Email
  if (input.Unset?.includes('Email')) change.email = null
  return change
}
