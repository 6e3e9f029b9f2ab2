/**
 * Load from clients like partners, tills and meters, on connections that stay open. No client retries: every
 * unexpected response is recorded, and so is every acknowledgement.
 */
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Scope } from '../../src/accounts/model.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { bookingBody, bookingPath, makeCaller, makeProduct } from '../helper.ts'

export type World = { token: string; activityId: string }

/** The record of a load, which grows while the load runs. */
export type Tally = {
  requests: number
  /** Milliseconds that each request took, in the order of their answers. */
  milliseconds: number[]
  /** Requests that broke off or got an unexpected response, in words. */
  failed: string[]
  /** References of acknowledged bookings: those that the partner made, and lines of paid baskets. */
  bookings: string[]
  /** References in `bookings` whose cancellation was acknowledged too. */
  cancelled: string[]
  /** IDs of acknowledged usage entries. The usage of each is `entryUsage`. */
  entries: number[]
}

export type Load = { tally: Tally; stop(): Promise<Tally> }

export const slug = 'fleet'
export const entryUsage = 0.25
const times = ['09:00', '10:00', '11:00', '12:00', '13:00', '14:00', '15:00', '16:00']
const day = '2030-06-15'
// Clients pause between requests, because the programs under test start on the same machine during the load.
const pauseMs = 20

export const scopes: Scope[] = ['ota', 'operator', 'usage:read', 'usage:write']

/** An account with a key that may do everything, and a product that is never sold out. */
export async function makeWorld(sql: Sql): Promise<World> {
  const { accountId, token } = await makeCaller(sql, { slug, scopes })
  return { token, activityId: await makeActivity(sql, accountId) }
}

/** The ActivityID of a product that is never sold out. */
export async function makeActivity(sql: Sql, accountId: number): Promise<string> {
  const slots = Object.fromEntries(times.map((time) => [`${day} ${time}`, 1_000_000]))
  const { activityId } = await makeProduct(sql, accountId, { slots })
  return activityId
}

/** Clients that go on until they are stopped, each with one connection to `url`. */
export function startLoad(url: string, world: World): Load {
  const tally: Tally = { requests: 0, milliseconds: [], failed: [], bookings: [], cancelled: [], entries: [] }
  let stopping = false
  const clients = [book, book, book, till, meter, meter, meter, meterMany, summarise, browse].map(
    async (work, number) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const ask = createAsk(url, { agent, token: world.token, tally })
      for (let turn = number; !stopping; turn++) {
        await work({ ask, world, tally, turn })
        await delay(pauseMs)
      }
      agent.destroy()
    },
  )
  const all = Promise.all(clients)
  all.catch(() => {})
  return {
    tally,
    async stop() {
      stopping = true
      await all
      return tally
    },
  }
}

type Work = { ask: Ask; world: World; tally: Tally; turn: number }

/** Makes a booking. Cancels every third one at once. */
async function book({ ask, world, tally, turn }: Work): Promise<void> {
  const body = bookingBody(world.activityId, { Date: day, Time: times[turn % times.length], Participants: 1 })
  const made = await ask<{ BookingReference: string }>('POST', bookingPath, body)
  if (!made) return
  tally.bookings.push(made.BookingReference)
  if (turn % 3 > 0) return
  if (await ask('POST', `${bookingPath}/${made.BookingReference}/cancel`, {}))
    tally.cancelled.push(made.BookingReference)
}

async function till({ ask, world, tally, turn }: Work): Promise<void> {
  const line = {
    ActivityID: world.activityId,
    Date: day,
    Time: times[turn % times.length],
    Participants: 2,
  }
  const basket = { Channel: 'pos', Lines: [line] }
  const held = await ask<{ BasketID: number }>('POST', '/api/v2/operator/baskets', basket)
  if (!held) return
  const path = `/api/v2/operator/baskets/${held.BasketID}/pay`
  const paid = await ask<{ Lines: { BookingReference: string }[] }>('POST', path, { Method: 'card' })
  for (const { BookingReference } of paid?.Lines ?? []) tally.bookings.push(BookingReference)
}

const usagePath = '/api/v2/usage/meters'
const entryOf = (turn: number) => ({ Meter: `meter ${turn % 5}`, Usage: entryUsage })

async function meter({ ask, tally, turn }: Work): Promise<void> {
  const taken = await ask<{ ID: number }>('POST', usagePath, entryOf(turn))
  if (taken) tally.entries.push(taken.ID)
}

async function meterMany({ ask, tally, turn }: Work): Promise<void> {
  const Entries = Array.from({ length: 10 }, (_, index) => entryOf(turn + index))
  const taken = await ask<{ ID: number }[]>('POST', `${usagePath}/batch`, { Entries })
  for (const { ID } of taken ?? []) tally.entries.push(ID)
}

async function summarise({ ask }: Work): Promise<void> {
  await ask('GET', `${usagePath}?from=2020-01-01&to=2100-01-01`)
}

async function browse({ ask, world }: Work): Promise<void> {
  const path = `/api/v2/ota/marketplace/availability/${world.activityId}`
  await ask('GET', `${path}/dates?StartDate=${day}&EndDate=${day}`)
  await ask('GET', `${path}/timeslots?Date=${day}`)
}

/** The data of a success; null for a failure, which is recorded. */
type Ask = <T>(method: string, path: string, body?: object) => Promise<T | null>

function createAsk(url: string, { agent, token, tally }: { agent: Agent; token: string; tally: Tally }): Ask {
  return async function ask<T>(method: string, path: string, body?: object): Promise<T | null> {
    const began = performance.now()
    tally.requests++
    try {
      const { status, text } = await send(new URL(path, url), { agent, token, method, body })
      if (status < 300) return JSON.parse(text).data as T
      tally.failed.push(`${method} ${path}: ${status} ${text}`)
    } catch (error) {
      tally.failed.push(`${method} ${path}: ${(error as Error).message}`)
    } finally {
      tally.milliseconds.push(performance.now() - began)
    }
    return null
  }
}

type Sending = { agent: Agent; token: string; method: string; body: object | undefined }

// Not fetch, which may retry by itself.
function send(url: URL, { agent, token, method, body }: Sending): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
    const sent = request(url, { agent, method, headers, timeout: 30_000 }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (part) => {
        text += part
      })
      answer.on('end', () => resolve({ status: answer.statusCode!, text }))
      answer.on('error', reject)
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer in 30 seconds')))
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}
