/**
 * `npm run fuzz`: sends valid and hostile requests made from the OpenAPI document, and hostile ones without a
 * key, to the application on real stores. No response may be a 5xx, late or undocumented; at the end, every
 * place and every usage entry must add up.
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { auditUsage } from '../src/metering/audit/service.ts'
import { readConfig } from '../src/platform/config/config.ts'
import { projectPath } from '../src/platform/project/paths.ts'
import { listCounterDifferences } from '../src/reports/sales-audit/queries.ts'
import { openRequests, openRoutes } from './fuzz/open-requests.ts'
import { bursts, type Document, type FuzzRequest } from './fuzz/requests.ts'
import { faultOf, type Route } from './fuzz/sending.ts'
import { openWorld, type World } from './fuzz/world.ts'
import { openPostgres, openRedis, withMigrated, withStore } from './stores.ts'

const usage = `npm run fuzz [-- --requests 20000] [--seed N] [--short]

Sends requests made from the OpenAPI document, after those of test/fuzz-seeds.json, which found something once.
--short sends 2,000 requests, or stops after 12 seconds. Requests that fail are reduced to the fewest that still fail,
and printed with their seed; keep them in test/fuzz-seeds.json.
`
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    short: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  process.stdout.write(usage)
  process.exit()
}
/** The number of bursts in a round. Each round begins by restocking places. */
const runsInRound = 50
const wanted = values.short ? 2000 : Number(values.requests)
const milliseconds = values.short ? 12_000 : Number.POSITIVE_INFINITY
const seed = Number(values.seed)
if (!Number.isSafeInteger(wanted) || !Number.isSafeInteger(seed)) throw new Error(usage)

/** Requests with a finding, their seed, and the finding. */
type Found = { found: string; seed: number; requests: FuzzRequest[] }

const config = readConfig()
await withStore(await openRedis(config), async (redisUrl) =>
  withStore(await openPostgres(config), async (databaseUrl) =>
    withMigrated(databaseUrl, async (_name, url) => {
      const world = await openWorld(url, redisUrl)
      try {
        await attack(world)
        await audit(world)
      } finally {
        await world.close()
      }
    }),
  ),
)

async function attack(world: World): Promise<void> {
  const document = world.app.swagger() as unknown as Document
  const routes = routesOf(document)
  const examples = await readExamples()
  let sent = 0
  const property = fc.asyncProperty(bursts(document, openRequests(document)), async (burst) => {
    sent += burst.length
    const fault = await faultOf(world, routes, burst)
    if (fault) throw new Error(fault)
  })
  const began = performance.now()
  for (let round = 0; sent < wanted; round++) {
    const left = milliseconds - (performance.now() - began)
    if (left <= 0) break
    await world.restock()
    const details = await fc.check(property, {
      seed: seed + round,
      numRuns: runsInRound,
      examples: round === 0 ? examples : [],
      interruptAfterTimeLimit: Math.min(left, 2 ** 31 - 1),
      markInterruptAsFailure: false,
    })
    if (details.failed) throw new Error(explain(details, seed + round))
  }
  const seconds = Math.round((performance.now() - began) / 1000)
  say(`seed ${seed}: ${sent} requests in ${seconds} s, no response was a 5xx, late or undocumented`)
}

function routesOf({ paths }: Document): Map<string, Route> {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => {
      return [operationId, { method, path, isPayment: operationId === 'takePaymentEvent' }] as const
    }),
  )
  const open = Object.entries(openRoutes).map(([name, address]) => {
    const [method, path] = address.split(' ') as [string, string]
    return [name, { method, path, isPayment: false, isOpen: true }] as const
  })
  return new Map<string, Route>([...routes, ...open])
}

async function readExamples(): Promise<[FuzzRequest[]][]> {
  const text = await readFile(projectPath('test', 'fuzz-seeds.json'), 'utf8')
  return (JSON.parse(text) as Found[]).map(({ requests }) => [requests])
}

function explain(
  { counterexample, errorInstance, numShrinks }: fc.RunDetails<[FuzzRequest[]]>,
  found: number,
) {
  const what = (errorInstance as Error).message
  const kept = { found: what.split('\n', 1)[0]!, seed: found, requests: counterexample![0] } satisfies Found
  return `${what}\n\nSeed ${found}, reduced ${numShrinks} times:\n${JSON.stringify(kept)}`
}

/** Checks that the data after the requests adds up. */
async function audit({ sql, accountIds, settle, takeComplaints }: World): Promise<void> {
  await settle()
  const oversold = await sql`select account_id, id from timeslots where booked + held > capacity`
  const rejected = await sql`select entry, reason from usage_rejects`
  const days = { from: '1970-01-01', to: '2100-01-02' }
  const wrong = [...oversold, ...rejected, ...takeComplaints()]
  for (const id of accountIds)
    wrong.push(...(await listCounterDifferences(sql, id)), ...(await auditUsage(sql, id, days)))
  if (wrong.length > 0) throw new Error(`after seed ${seed}: ${JSON.stringify(wrong.slice(0, 5), null, 1)}`)
  const [made] = await sql`
    select (select count(*) from bookings) as bookings, (select count(*) from meter_entries) as entries`
  say(`${made!.bookings} bookings and ${made!.entries} usage entries made by them; audits clean`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
