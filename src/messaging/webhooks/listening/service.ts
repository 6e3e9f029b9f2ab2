/**
 * Use cases of listening: an endpoint that lasts as long as a command, and a check whether deliveries reach
 * it.
 */
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Sql } from '../../../platform/postgres/database.ts'
import { browseDeliveries, sendTest } from '../deliveries/service.ts'
import type { EndpointOwner } from '../endpoints/model.ts'
import { createEndpoint, deleteEndpoint, type EndpointFields, listEndpoints } from '../endpoints/service.ts'

export type ListeningRequest = Pick<EndpointFields, 'url' | 'eventTypes' | 'body'>
export type ListeningEndpoint = { id: number; secret: string }

// The description identifies endpoints that killed runs on this machine left behind.
const beginning = `webhooks listen on ${hostname()}, process `

/** Makes an endpoint of an account for this process. @throws Problem validation for types; account-limit-reached. */
export async function openEndpoint(
  sql: Sql,
  owner: EndpointOwner,
  request: ListeningRequest,
  secretKeys: readonly string[],
): Promise<ListeningEndpoint> {
  const fields = { ...request, description: `${beginning}${process.pid}`, email: null }
  // The URL is not checked here, because the worker checks it with its own configuration, which may differ.
  const settings = { urlFault: () => null, secretKeys }
  const { endpoint, secret } = await sql.begin((tx) => createEndpoint(tx, owner, { fields, settings }))
  return { id: endpoint.id, secret }
}

export async function closeEndpoint(sql: Sql, owner: EndpointOwner, id: number): Promise<void> {
  await sql.begin((tx) => deleteEndpoint(tx, owner, id))
}

/**
 * Deletes endpoints that killed runs on this machine left in an account and its partners; returns how many.
 */
export async function deleteStaleEndpoints(sql: Sql, accountId: number): Promise<number> {
  const owner = { accountId, partnerId: null }
  const left = (await listEndpoints(sql, owner)).filter(
    ({ description }) =>
      description.startsWith(beginning) && !isRunning(Number(description.slice(beginning.length))),
  )
  for (const { id } of left) await closeEndpoint(sql, owner, id)
  return left.length
}

/** Whether another process with this id is running. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The outcome of a test delivery. `fault` says why it was not delivered, if a worker tried. */
type TestTry = { isTried: boolean; fault: string | null }

/**
 * Sends an endpoint a test, and resolves when a worker has tried it, after `timeoutMs`, or when `signal`
 * aborts.
 */
export async function tryEndpoint(
  sql: Sql,
  owner: EndpointOwner,
  id: number,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<TestTry> {
  const test = await sql.begin((tx) => sendTest(tx, owner, id))
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const { deliveries } = await browseDeliveries(sql, owner, id, { Limit: 100 })
    const delivery = deliveries.find((one) => one.id === test.id)
    if (delivery?.status === 'delivered') return { isTried: true, fault: null }
    if (delivery && delivery.tries > 0)
      return { isTried: true, fault: delivery.fault ?? `The response had the status ${delivery.httpStatus}.` }
    if (Date.now() > deadline || signal.aborted) return { isTried: false, fault: null }
    await delay(100, undefined, { signal }).catch(() => {})
  }
}
