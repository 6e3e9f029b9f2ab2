/** Use cases of listening: an endpoint for as long as a command runs, and whether deliveries reach it. */
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Sql } from '../../../platform/postgres/database.ts'
import { browseDeliveries, sendTest } from '../deliveries/service.ts'
import type { EndpointOwner } from '../endpoints/model.ts'
import { createEndpoint, deleteEndpoint, type EndpointFields, listEndpoints } from '../endpoints/service.ts'

export type ListeningRequest = Pick<EndpointFields, 'url' | 'eventTypes' | 'body'>
export type ListeningEndpoint = { id: number; secret: string }

// By its description an endpoint of a run that was killed is known, on the machine that it ran on.
const beginning = `webhooks listen on ${hostname()}, process `

/** Makes an endpoint of an account for this process. @throws Problem validation for types; account-limit-reached. */
export async function openEndpoint(
  sql: Sql,
  owner: EndpointOwner,
  request: ListeningRequest,
  secretKeys: readonly string[],
): Promise<ListeningEndpoint> {
  const fields = { ...request, description: `${beginning}${process.pid}`, email: null }
  // The worker says whether it may call this machine: its configuration may be another.
  const settings = { urlFault: () => null, secretKeys }
  const { endpoint, secret } = await sql.begin((tx) => createEndpoint(tx, owner, { fields, settings }))
  return { id: endpoint.id, secret }
}

export async function closeEndpoint(sql: Sql, owner: EndpointOwner, id: number): Promise<void> {
  await sql.begin((tx) => deleteEndpoint(tx, owner, id))
}

/** Deletes endpoints that killed runs on this machine left, of an account and its partners; gives how many. */
export async function deleteLeftEndpoints(sql: Sql, accountId: number): Promise<number> {
  const owner = { accountId, partnerId: null }
  const left = (await listEndpoints(sql, owner)).filter(
    ({ description }) =>
      description.startsWith(beginning) && !isRunning(Number(description.slice(beginning.length))),
  )
  for (const { id } of left) await closeEndpoint(sql, owner, id)
  return left.length
}

/** Whether there is another process of this id. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** What became of the test that an endpoint is sent. `fault` says why it was not delivered, if a worker tried. */
type TestTry = { isTried: boolean; fault: string | null }

/** Sends an endpoint a test, and resolves once a worker has tried it, or at the deadline. */
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
      return { isTried: true, fault: delivery.fault ?? `The answer was ${delivery.httpStatus}.` }
    if (Date.now() > deadline || signal.aborted) return { isTried: false, fault: null }
    await delay(100, undefined, { signal }).catch(() => {})
  }
}
