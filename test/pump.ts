/** The pump for tests that run no worker. */
import { createPump } from '../src/events/pump/pump.ts'
import type { Sql } from '../src/platform/postgres/database.ts'
import { createLogger } from '../src/platform/process/logging.ts'
import { eventConsumers } from '../workers/consumers.ts'

/** Numbers every committed event and does what follows; resolves with how many it numbered. */
export async function pumpEvents(sql: Sql): Promise<number> {
  const log = createLogger('silent', 'test')
  const pump = createPump({ sql, log, consumers: eventConsumers(sql) })
  let sum = 0
  for (let numbered = await pump(); numbered > 0; numbered = await pump()) sum += numbered
  return sum
}
