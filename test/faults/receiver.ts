/** The receiver of webhooks in a run: it records deliveries in their order, and has its own faults. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from './random.ts'

/** A complete request. `isTaken`: it was answered with 2xx. */
export type Arrival = { id: string; number: number; type: string; isTaken: boolean }

export const moods = ['fails', 'hangs', 'answers slowly', 'cuts connections', 'is gone'] as const
export type Mood = (typeof moods)[number] | 'takes most' | 'takes all'

export type Receiver = {
  url: string
  arrivals: Arrival[]
  behave(mood: Mood): void
  stop(): Promise<void>
}

const slowMs = [200, 2500] as const
// The probability of each fault for a request in the mood `takes most`, without an injected fault.
const sometimes = { fails: 0.03, 'cuts connections': 0.02, 'answers slowly': 0.02 } as const

export async function startReceiver(random: Random): Promise<Receiver> {
  const arrivals: Arrival[] = []
  let mood: Mood = 'takes most'

  function moodNow(): Mood {
    if (mood !== 'takes most') return mood
    for (const [trouble, probability] of Object.entries(sometimes))
      if (random.chance(probability)) return trouble as Mood
    return mood
  }

  async function answer(response: ServerResponse, arrival: Arrival): Promise<void> {
    const now = moodNow()
    if (now === 'hangs') return
    if (now === 'cuts connections') return void response.socket?.destroy()
    if (now === 'answers slowly') await delay(random.between(...slowMs))
    arrival.isTaken = now !== 'fails' && now !== 'is gone'
    response.writeHead(now === 'fails' ? 503 : now === 'is gone' ? 410 : 204).end()
  }

  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => {
      text += part
    })
    request.on('end', () => {
      const { type, data } = JSON.parse(text) as { type: string; data: { Number: number } }
      const id = String(request.headers['webhook-id'])
      const arrival = { id, number: data.Number, type, isTaken: false }
      arrivals.push(arrival)
      void answer(response, arrival)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    arrivals,
    behave(next) {
      mood = next
      // Requests that hang end with the fault.
      if (next.startsWith('takes')) server.closeAllConnections()
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
