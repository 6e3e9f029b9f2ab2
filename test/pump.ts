/** The pump for tests that run no worker. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import { createPump } from '../src/events/pump/pump.ts'
import type { Sql } from '../src/platform/postgres/database.ts'
import { createLogger } from '../src/platform/process/logging.ts'
import { eventConsumers } from '../workers/consumers.ts'

/** Numbers events as they are committed, as a worker does, until the test ends. */
export function keepPumping(t: Test, sql: Sql): void {
  let isOver = false
  const pumping = (async () => {
    while (!isOver) {
      await pumpEvents(sql)
      await delay(50)
    }
  })()
  t.teardown(async () => {
    isOver = true
    await pumping
  })
}

/** Numbers every committed event and runs the consumers; resolves with how many it numbered. */
export async function pumpEvents(sql: Sql): Promise<number> {
  const log = createLogger('silent', 'test')
  const pump = createPump({ sql, log, consumers: eventConsumers(sql) })
  let sum = 0
  for (let numbered = await pump(); numbered > 0; numbered = await pump()) sum += numbered
  return sum
}
