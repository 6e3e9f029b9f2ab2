/** The clients of a run, and what each does repeatedly until the run ends. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, createClient, type Run } from './client.ts'
import type { Random } from './random.ts'
import { cold, days, hot, waited } from './world.ts'

export type Load = {
  /** Resolves when every client has finished its round. @throws when one of them fails. */
  stop(): Promise<void>
}

type Task = (client: Client, random: Random, name: string) => Promise<void>

/**
 * The number of clients of each task, and the longest rest of a client between two rounds.
 */
const tasks: { task: Task; clients: number; restMs: number }[] = [
  { task: bookAndChange, clients: 6, restMs: 60 },
  { task: fillBasketAndPay, clients: 2, restMs: 80 },
  { task: waitForPlaces, clients: 1, restMs: 50 },
  { task: recordOnce, clients: 2, restMs: 60 },
  { task: recordBlindly, clients: 2, restMs: 60 },
  { task: sumUp, clients: 1, restMs: 200 },
  { task: lookForPlaces, clients: 2, restMs: 100 },
]

export function startLoad(run: Run, random: Random): Load {
  let stopping = false
  const roles = tasks.flatMap(({ clients, ...role }) => Array.from({ length: clients }, () => role))
  const all = Promise.all(
    roles.map(async ({ task, restMs }, number) => {
      const own = random.fork()
      const client = createClient(run, own)
      for (let round = 1; !stopping; round++) {
        await task(client, own, `${number}-${round}`)
        await delay(own.between(0, restMs))
      }
    }),
  )
  all.catch(() => {})
  return {
    async stop() {
      stopping = true
      await all
    },
  }
}

const once = { once: true }
/** Few sales are permanent, so that a run of many minutes does not end sold out. */
const keptProbability = 0.005

function drawLine(random: Random) {
  const slot = random.chance(0.5) ? random.pick(hot.slots) : random.pick(cold)
  return { slot, participants: random.whole(1, 4) }
}

/** Cancels most bookings, so that clients can compete for the same places again. */
async function bookAndChange(client: Client, random: Random, name: string): Promise<void> {
  const booked = await client.perform('book', { ...drawLine(random), payment: `book ${name}` }, once)
  if (!booked) return
  const { reference } = booked
  if (random.chance(0.3)) await client.perform('move', { reference, slot: drawLine(random).slot }, once)
  if (!random.chance(keptProbability)) await client.perform('cancel', { reference }, once)
}

async function fillBasketAndPay(client: Client, random: Random, name: string): Promise<void> {
  const lines = Array.from({ length: random.whole(1, 2) }, () => drawLine(random))
  const email = `basket-${name}@example.com`
  const basket = await client.perform('hold', { lines, email }, once)
  if (!basket) return
  const { basketId, total, references } = basket
  const type = random.chance(0.7) ? 'succeeded' : 'failed'
  const payment = { event: `evt ${name}`, basketId, type, amount: total } as const
  const paid = await client.perform('pay', payment, once)
  if (!paid || type === 'failed' || random.chance(keptProbability)) return
  for (const reference of references) await client.perform('cancel', { reference }, once)
}

/**
 * A rival takes all places, two parties join the waitlist, the rival cancels, and then both parties leave the
 * waitlist.
 */
async function waitForPlaces(client: Client, random: Random, name: string): Promise<void> {
  const { slot, capacity: participants } = waited
  const rival = await client.perform('book', { slot, participants, payment: `rival ${name}` }, once)
  const parties = []
  for (const party of ['a', 'b']) {
    const email = `party-${name}-${party}@example.com`
    parties.push(await client.perform('join', { slot, participants: random.whole(1, 4), email }, once))
  }
  if (rival) await client.perform('cancel', { reference: rival.reference }, once)
  for (const party of parties) {
    if (party) await client.perform('leave', { waitlistId: party.waitlistId }, once)
  }
}

function drawEntries(random: Random, name: string) {
  const count = random.chance(0.5) ? 1 : random.whole(2, 10)
  return {
    meter: `meter ${random.whole(1, 5)}`,
    entries: Array.from({ length: count }, (_, index) => `entry ${name} ${index}`),
  }
}

async function recordOnce(client: Client, random: Random, name: string): Promise<void> {
  const recorded = drawEntries(random, name)
  await client.perform(recorded.entries.length === 1 ? 'record-once' : 'record-batch-once', recorded, once)
}

/** Without a key, a client does not know the result when a response is lost, and does not retry. */
async function recordBlindly(client: Client, random: Random, name: string): Promise<void> {
  const recorded = drawEntries(random, name)
  await client.perform(recorded.entries.length === 1 ? 'record' : 'record-batch', recorded)
}

async function sumUp(client: Client): Promise<void> {
  await client.perform('summarize', {})
}

async function lookForPlaces(client: Client, random: Random): Promise<void> {
  await client.perform('availability', { date: random.pick(days) })
}
