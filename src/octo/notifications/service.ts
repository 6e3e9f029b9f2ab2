/** Use cases of subscriptions. A subscription is a webhook endpoint of a reseller, with bodies as OCTO defines them. */
import type { Caller } from '../../accounts/service.ts'
import { problems } from '../../http/problems.ts'
import type { EndpointOwner } from '../../messaging/webhooks/endpoints/model.ts'
import { setHeaders } from '../../messaging/webhooks/endpoints/secrets.ts'
import * as endpoints from '../../messaging/webhooks/endpoints/service.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import { runAgain } from '../../platform/postgres/run-once.ts'
import type { FieldError } from '../../platform/schema/validation.ts'
import { octoErrors } from '../errors.ts'
import { isUuid } from '../model.ts'
import { headerErrors, readTypes, toEventTypes, toNotificationTypes } from './model.ts'
import * as queries from './queries.ts'
import type { OctoSubscription, ResubscribeBody, SubscribeBody } from './schemas.ts'

const body = 'octo' as const

function ownerOf({ accountId, partnerId }: Caller): EndpointOwner {
  return { accountId, partnerId: partnerId ?? 0 }
}

export function createSubscriptions(sql: Sql, settings: endpoints.EndpointSettings) {
  /** @throws Problem not-found. */
  async function find(tx: Sql | Transaction, owner: EndpointOwner, id: string): Promise<number> {
    const endpointId = isUuid(id) ? await queries.findSubscribed(tx, owner, id) : null
    if (endpointId === null) throw octoErrors.noSubscription()
    return endpointId
  }

  return {
    /** Oldest first. */
    async list(caller: Caller): Promise<OctoSubscription[]> {
      const all = await endpoints.listEndpoints(sql, ownerOf(caller))
      return all.filter((endpoint) => endpoint.body === body).map(view)
    },

    /** @throws Problem not-found. */
    async read(caller: Caller, id: string): Promise<OctoSubscription> {
      const owner = ownerOf(caller)
      return view(await endpoints.getEndpoint(sql, owner, await find(sql, owner, id)))
    },

    /**
     * @throws Problem validation; account-limit-reached; unavailable if no key for encrypting secrets is
     * configured.
     */
    subscribe(caller: Caller, given: SubscribeBody): Promise<OctoSubscription> {
      const owner = ownerOf(caller)
      const { url, eventTypes, headers } = check(given, settings)
      const fields = { url: url!, eventTypes: eventTypes!, description: '', body, email: null }
      return runAgain(sql, async (tx) => {
        const { endpoint } = await endpoints.createEndpoint(tx, owner, { fields, settings })
        if (headers) await setHeaders(tx, endpoints.sealingKeys(settings), { ...keyOf(endpoint), headers })
        return view(endpoint)
      })
    },

    /**
     * Changes the given fields. A subscription that the service paused (failed deliveries, or 410) continues where
     * it stopped.
     * @throws Problem not-found; validation; unavailable if no key for encrypting secrets is configured.
     */
    change(caller: Caller, id: string, given: ResubscribeBody): Promise<OctoSubscription> {
      const owner = ownerOf(caller)
      return runAgain(sql, async (tx) => {
        const endpointId = await find(tx, owner, id)
        const { headers, ...change } = check(given, settings)
        const endpoint = await endpoints.changeEndpoint(tx, owner, { id: endpointId, change, settings })
        if (headers) await setHeaders(tx, endpoints.sealingKeys(settings), { ...keyOf(endpoint), headers })
        if (endpoint.status === 'paused' && endpoint.pauseReason !== 'by-hand')
          await endpoints.resumeEndpoint(tx, owner, endpointId)
        return view(endpoint)
      })
    },

    /** Returns the deleted subscription. @throws Problem not-found. */
    unsubscribe(caller: Caller, id: string): Promise<OctoSubscription> {
      const owner = ownerOf(caller)
      return runAgain(sql, async (tx) => {
        const endpointId = await find(tx, owner, id)
        return view(await endpoints.deleteEndpoint(tx, owner, endpointId))
      })
    },
  }
}
export type OctoSubscriptions = ReturnType<typeof createSubscriptions>

/** Checks the URL, types and headers. The result has only the given fields. @throws Problem validation. */
function check({ url, notificationTypes, headers }: ResubscribeBody, settings: endpoints.EndpointSettings) {
  const { types, errors: wrongTypes } = readTypes(notificationTypes ?? [])
  const fault = url === undefined ? null : settings.urlFault(url)
  const errors: FieldError[] = [
    ...(fault ? [{ field: 'url', message: fault }] : []),
    ...wrongTypes,
    ...headerErrors(headers ?? {}),
  ]
  if (errors.length > 0) throw problems.validation(errors)
  return {
    ...(url !== undefined && { url }),
    ...(notificationTypes && { eventTypes: toEventTypes(types) }),
    ...(headers && { headers }),
  }
}

function keyOf({ accountId, id }: endpoints.Endpoint) {
  return { accountId, endpointId: id }
}

function view({ uuid, url, eventTypes }: endpoints.Endpoint): OctoSubscription {
  return { id: uuid, url, notificationTypes: toNotificationTypes(eventTypes) }
}
