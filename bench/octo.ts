/**
 * Resellers that reserve and confirm through OCTO at a fixed rate: how long each request takes, and what it
 * costs.
 */
import { randomUUID } from 'node:crypto'
import { createKey } from '../src/accounts/service.ts'
import { toActivityId } from '../src/catalogue/model.ts'
import { type Account, makeAccount, makeProduct, type Product, type Slot, withTwoUnits } from './fixtures.ts'
import { type Cost, type CostMeter, costColumns, startMeter } from './harness/cost.ts'
import type { LoadRequest } from './harness/load.ts'
import { runOpenLoop, type Times } from './harness/open-loop.ts'
import { type Running, startWebs, startWorkers, stopAll } from './harness/processes.ts'
import type { Pids } from './harness/processor.ts'
import { medianBy, spreadBy } from './harness/rounds.ts'
import type { Part, Setting } from './part.ts'

export const octo: Part = {
  name: 'octo',
  shows:
    'Resellers with 300 keys send 500 requests a second at fixed times. Half of the requests reserve one adult and one child, and half confirm a reservation made two seconds earlier; over 100 timeslots and on one. One web process, one worker.',
  duration: (seconds, rounds) => 2 * (warmUpSeconds + heldSeconds + rounds * (seconds + 1)) + 40,
  run,
}

const perSecond = 500
/** How long a reservation is held before it is confirmed. */
const heldSeconds = 2
const warmUpSeconds = 4
const plenty = 1_000_000
const maxMs = { reserve: 1000, confirm: 2000 }

type Load = Record<'reserve' | 'confirm', Times>
type Measured = Load & { cost: Cost; idle: number }
type Shop = Setting & { tokens: string[]; web: Running; pids: Pids }
/**
 * Reserves and confirms on some timeslots for this many seconds. The next call confirms its last reservations
 * first.
 */
type Crowd = {
  name: string
  ask(seconds: number): Promise<Load>
  tally: { reserve: Tally; confirm: Tally }
  /** Call it after the warm-up. Refusals of the warm-up do not count; its reservations are not confirmed. */
  begin(): void
  refused(): number
}
type Tally = { sent: number; accepted: number }

async function run(setting: Setting): Promise<void> {
  const { short, seconds, workplace, alternate } = setting
  const { databaseUrl, redisUrl, sql } = workplace
  const account = await makeAccount(sql, 'octo', 'Reseller 0')
  const tokens = await makeResellers(setting, account)
  const makeTour = async (name: string, slots: number, capacity: number) =>
    withTwoUnits(sql, await makeProduct(sql, { accountId: account.accountId, name, slots, capacity }))
  const spread = await makeTour('Spread', short ? 10 : 100, plenty)
  const hot = await makeTour('Hot', 1, plenty)
  const scarce = await makeTour('Scarce', 1, short ? 40 : 400)
  const environment = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl }
  const [webs, workers] = await Promise.all([startWebs(1, environment), startWorkers(1, environment)])
  const pids = { ...workplace.pids, web: [webs[0]!.pid], worker: [workers[0]!.pid] }
  const shop: Shop = { ...setting, tokens, web: webs[0]!, pids }
  try {
    const crowds = [
      openCrowd(shop, `over ${spread.slots.length} timeslots`, spread),
      openCrowd(shop, 'on one timeslot', hot),
    ]
    for (const { ask } of crowds) await ask(short ? seconds : warmUpSeconds)
    await sql`analyze`
    for (const { begin } of crowds) begin()
    const entrants = crowds.map(({ name, ask }) => ({ name, measure: () => measure(shop, ask, seconds) }))
    for (const [name, measured] of await alternate('reservations and confirmations', entrants))
      tell(shop, name, measured)
    const last = openCrowd(shop, 'the last places of one timeslot', scarce)
    await last.ask(short ? seconds : 2)
    await audit(setting, [...crowds, last])
  } finally {
    await stopAll([...webs, ...workers])
  }
}

/** One key for each of hundreds of partners. */
async function makeResellers({ workplace: { sql }, short }: Setting, { accountId, token }: Account) {
  const tokens = [token]
  for (let number = 1; number < (short ? 20 : 300); number++) {
    const key = { accountId, partner: `Reseller ${number}`, scopes: ['ota'], expiresInDays: null } as const
    tokens.push(await createKey(sql, key))
  }
  return tokens
}

function openCrowd({ tokens, web, short }: Shop, name: string, product: Product): Crowd {
  const reserved: LoadRequest[] = []
  const [rate, aheadSeconds] = short ? [100, 0.3] : [perSecond, heldSeconds]
  const tally = { reserve: { sent: 0, accepted: 0 }, confirm: { sent: 0, accepted: 0 } }
  let number = 0
  let before = 0
  const refused = () =>
    tally.reserve.sent - tally.reserve.accepted + tally.confirm.sent - tally.confirm.accepted - before
  const reserve = (): LoadRequest => {
    const token = tokens[number % tokens.length]!
    const slot = product.slots[number++ % product.slots.length]!
    const request = reserveRequest(token, product, slot)
    reserved.push(confirmRequest(token, request.body.uuid))
    return request
  }
  async function send(kind: keyof Load, requests: LoadRequest[]): Promise<Times> {
    const times = await runOpenLoop({ target: web.url, requests, perSecond: rate / 2 })
    tally[kind].sent += times.sent
    tally[kind].accepted += times.accepted
    return times
  }
  return {
    name,
    tally,
    refused,
    begin() {
      before += refused()
      reserved.length = 0
    },
    async ask(seconds) {
      const count = Math.ceil((seconds * rate) / 2)
      const ahead = Math.ceil((aheadSeconds * rate) / 2)
      if (reserved.length === 0) await send('reserve', Array.from({ length: ahead }, reserve))
      const reserving = Array.from({ length: count }, reserve)
      const confirming = reserved.splice(0, count)
      const [made, confirmed] = await Promise.all([send('reserve', reserving), send('confirm', confirming)])
      return { reserve: made, confirm: confirmed }
    },
  }
}

function reserveRequest(token: string, { activity, units }: Product, { date, time }: Slot) {
  const body = {
    uuid: randomUUID(),
    productId: toActivityId(activity),
    optionId: 'DEFAULT',
    availabilityId: `${date}T${time}:00+00:00`,
    unitItems: units!.map((unit) => ({ unitId: String(unit) })),
  }
  return { method: 'POST', path: '/octo/bookings', token, body } satisfies LoadRequest
}

function confirmRequest(token: string, uuid: string): LoadRequest {
  const contact = { fullName: 'Ada Lovelace', emailAddress: 'ada@example.com' }
  const body = { contact, resellerReference: `OTA-${uuid.slice(0, 8)}` }
  return { method: 'POST', path: `/octo/bookings/${uuid}/confirm`, token, body }
}

async function measure({ pids }: Shop, ask: Crowd['ask'], seconds: number): Promise<Measured> {
  const meter: CostMeter = startMeter(pids)
  const load = await ask(seconds)
  return { ...load, idle: meter.idleShare(), cost: meter.costOf(load.reserve.sent + load.confirm.sent) }
}

function tell({ report, short }: Shop, name: string, measured: Measured[]): void {
  for (const kind of ['reserve', 'confirm'] as const) {
    const spread = (figure: (times: Times) => number) =>
      spreadBy(measured, ({ [kind]: times }) => figure(times))
    report.row('Reservations and confirmations, 500 requests a second', {
      '': `${kind} ${name}`,
      'p50 ms': spread(({ p50 }) => p50),
      'p90 ms': spread(({ p90 }) => p90),
      'p99 ms': spread(({ p99 }) => p99),
      refused: measured.reduce((sum, { [kind]: { sent, accepted } }) => sum + sent - accepted, 0),
    })
    if (short) continue
    const p90 = medianBy(measured, ({ [kind]: times }) => times.p90)
    report.target({ name: `${kind} ${name}, p90`, measured: p90, unit: 'ms', atMost: maxMs[kind] })
  }
  report.row('Processor time of a request (half reservations, half confirmations)', {
    '': name,
    ...costColumns(measured),
    'idle %': spreadBy(measured, ({ idle }) => idle * 100),
  })
}

/**
 * The tables must have everything that got a success response. They may also have the result of a request that
 * was refused because it took too long.
 */
async function audit({ workplace: { sql }, report, short }: Setting, crowds: Crowd[]): Promise<void> {
  const [slots] = await sql<{ oversold: number; miscounted: number }[]>`
    with made as (
      select account_id, timeslot_id as id, sum(participants) filter (where status = 'confirmed') as booked,
        sum(participants) filter (where status = 'held') as held
      from bookings group by account_id, timeslot_id
    )
    select sum(greatest(timeslots.booked + timeslots.held - capacity, 0))::bigint as oversold,
      sum(abs(timeslots.booked - coalesce(made.booked, 0)) + abs(timeslots.held - coalesce(made.held, 0)))::bigint as miscounted
    from timeslots left join made using (account_id, id)`
  const { oversold, miscounted } = slots!
  report.check('no place is oversold through OCTO', oversold === 0, `${oversold} places beyond capacity`)
  report.check('every counter agrees with its reservations', miscounted === 0, `${miscounted} places differ`)
  const [made] = await sql<{ reserve: number; confirm: number }[]>`
    select count(*) as reserve, count(*) filter (where status = 'confirmed') as confirm
    from reservations join bookings using (account_id) where bookings.id = booking_id`
  for (const kind of ['reserve', 'confirm'] as const) {
    const sum = (read: (tally: Tally) => number) =>
      crowds.reduce((all, { tally }) => all + read(tally[kind]), 0)
    const [sent, accepted] = [sum(({ sent }) => sent), sum(({ accepted }) => accepted)]
    const detail = `${accepted} of ${sent} accepted, ${made![kind]} in the tables`
    report.check(
      `every acknowledged ${kind} is stored`,
      made![kind] >= accepted && made![kind] <= sent,
      detail,
    )
  }
  // The last crowd wants more places than there are.
  const wanted = crowds.slice(0, -1)
  const refused = wanted.reduce((sum, crowd) => sum + crowd.refused(), 0)
  if (!short)
    report.check('nothing is refused while there are places', refused === 0, `${refused} are refused`)
}
