/** Every fault, as data: what it does, how it is repaired, and which operations must go on meanwhile. */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { JobQueue } from '../../src/queue/producer.ts'
import { hastenWebhooks } from './final-state.ts'
import { type Kind, kinds } from './history.ts'
import type { Random } from './random.ts'
import { moods } from './receiver.ts'
import type { ServiceProcess, Stack, Store, StoreName } from './stack.ts'

export type Heal = () => Promise<void>
export type Fault = {
  name: string
  /** Kinds of operation that must each be served, by a success or a refusal, while the fault lasts. */
  keeps(stack: Stack): readonly Kind[]
  /** The minimum and maximum duration in seconds, in a long run. */
  lasts?: [number, number]
  /** Whether this run has no target for it. */
  hasNoTarget?(stack: Stack): boolean
  /** Why it is not possible on this machine; null when it is. */
  impossible?(stack: Stack): string | null
  /** Resolves with the function that repairs it. Its random choices come from `random`. */
  inject(stack: Stack, random: Random, queue: JobQueue): Promise<Heal>
}

type Keeps = Fault['keeps']
const everything: Keeps = () => kinds
/** Operations that go on without PostgreSQL. There are none if it has the queues. */
const queued: Keeps = ({ redis }) => (redis ? ['record', 'record-batch'] : [])
/** Operations with few round trips to a store, which fit into the time of a request even if each is slow. */
const brief: Keeps = () => ['book', 'record', 'record-batch', 'availability']
const hour = 3600

const machines = ({ webs, workers }: Stack) => [...webs, ...workers]

/** A process is killed and started again. */
function kill(name: string, one: (stack: Stack, random: Random) => ServiceProcess): Fault {
  return {
    name,
    keeps: everything,
    async inject(stack, random) {
      const victim = one(stack, random)
      await victim.kill()
      return victim.start
    },
  }
}

function freeze(
  name: string,
  lasts: [number, number],
  some: (stack: Stack, random: Random) => ServiceProcess[],
): Fault {
  return {
    name,
    keeps: everything,
    lasts,
    async inject(stack, random) {
      const victims = some(stack, random)
      for (const victim of victims) victim.signal('SIGSTOP')
      return async () => {
        for (const victim of victims) victim.signal('SIGCONT')
      }
    },
  }
}

function storeOf(stack: Stack, name: StoreName): Store {
  return stack[name]!
}

function killStore(store: StoreName, label: string, keeps: Keeps): Fault {
  return {
    name: `${label} killed`,
    keeps,
    hasNoTarget: (stack) => stack[store] === null,
    async inject(stack, random) {
      const victim = storeOf(stack, store)
      if (random.chance(0.7)) await victim.kill()
      else await victim.stop()
      return victim.revive
    },
  }
}

/**
 * Faults of one store, and of the network to it. Without Redis, everything goes on. Without PostgreSQL, only `queued`
 * operations do.
 */
function ofStore(store: 'postgres' | 'redis', label: string, keeps: Keeps): Fault[] {
  const common = { hasNoTarget: (stack: Stack) => stack[store] === null, keeps }
  const links = (stack: Stack) => machines(stack).flatMap(({ links }) => links[store] ?? [])
  return [
    killStore(store, label, keeps),
    {
      name: `${label} cut off`,
      ...common,
      async inject(stack) {
        await Promise.all(links(stack).map((link) => link.cut()))
        return async () => void (await Promise.all(links(stack).map((link) => link.restore())))
      },
    },
    {
      name: `${label} cut off from one web and one worker`,
      ...common,
      keeps: everything,
      async inject({ webs, workers }, random) {
        const cut = [random.pick(webs), random.pick(workers)].map(({ links }) => links[store]!)
        await Promise.all(cut.map((link) => link.cut()))
        return async () => void (await Promise.all(cut.map((link) => link.restore())))
      },
    },
    {
      name: `${label} silent`,
      ...common,
      lasts: [4, 12],
      async inject(stack, random) {
        const silenced = random.pick(['client', 'store', 'both'] as const)
        for (const link of links(stack)) link.block(silenced)
        return async () => void (await Promise.all(links(stack).map((link) => link.restore())))
      },
    },
    {
      name: `${label} slow`,
      ...common,
      keeps: brief,
      async inject(stack, random) {
        const [latency, jitter] = [random.between(20, 150), random.between(5, 100)]
        for (const link of links(stack)) link.slow(() => random.between(latency, latency + jitter))
        return async () => void (await Promise.all(links(stack).map((link) => link.restore())))
      },
    },
    {
      name: `${label}: disk full`,
      ...common,
      impossible: (stack) => (storeOf(stack, store).disk ? null : 'no disk can be mounted here'),
      async inject(stack) {
        const { disk, revive } = storeOf(stack, store)
        await disk!.fill()
        return async () => {
          await disk!.free()
          await revive()
        }
      },
    },
  ]
}

function jump(seconds: number): Fault {
  return {
    name: `clock ${seconds > 0 ? 'forward' : 'back'} an hour`,
    keeps: everything,
    impossible: (stack) => (stack.webs[0]!.clock ? null : 'libfaketime is not installed (Debian: faketime)'),
    async inject(stack, random) {
      const jumping = random.chance(0.5)
        ? machines(stack)
        : [random.pick(stack.webs), random.pick(stack.workers)]
      const set = (to: number) => Promise.all(jumping.map(({ clock }) => clock!.set(to)))
      await set(seconds)
      return async () => void (await set(0))
    },
  }
}

/** At most `maxCopied` usage jobs of the queue are added again twice, and once more when the fault ends. */
const deliveredAgain: Fault = {
  name: 'jobs delivered again',
  keeps: everything,
  async inject({ workers }, _, queue) {
    // No worker takes jobs until there are some to copy.
    for (const worker of workers) worker.signal('SIGSTOP')
    await delay(gatherMs)
    const payloads = await queue.readPayloads([...(await queue.listUnfinished())].slice(0, maxCopied))
    const again = () => Promise.all(payloads.map((payload) => queue.add('usage.store', payload)))
    await again()
    await again()
    for (const worker of workers) worker.signal('SIGCONT')
    await Promise.all(Array.from({ length: wakeUps }, () => queue.add('events.number', {})))
    return async () => void (await again())
  },
}

/** The standby receives changes, but does not show them. */
const replayPaused: Fault = {
  name: 'standby behind',
  keeps: everything,
  lasts: [4, 10],
  async inject({ standby }) {
    await execute(standby, 'select pg_wal_replay_pause()')
    return () => execute(standby, 'select pg_wal_replay_resume()')
  },
}

/**
 * The receiver of webhooks has a fault, which delays nothing else. Deliveries that it did not accept are sent
 * again.
 */
function receiverThat(mood: (typeof moods)[number]): Fault {
  return {
    name: `receiver ${mood}`,
    keeps: everything,
    async inject({ receiver, postgres }) {
      receiver.behave(mood)
      return async () => {
        receiver.behave('takes most')
        await hastenWebhooks(postgres.url)
      }
    },
  }
}

async function execute({ url }: Store, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(statement)
  await client.end()
}

const gatherMs = 700
const maxCopied = 50
const wakeUps = 20

// A job's lock expires after 10 seconds, and workers look for such jobs every 5. So the other worker runs the jobs of
// the frozen one, which then continues the same jobs.
const beyondLock: [number, number] = [17, 22]

export const faults: Fault[] = [
  kill('web killed', ({ webs }, random) => random.pick(webs)),
  kill('worker killed', ({ workers }, random) => random.pick(workers)),
  freeze('web frozen', [3, 9], ({ webs }, random) => [random.pick(webs)]),
  freeze('worker frozen', beyondLock, ({ workers }, random) => [random.pick(workers)]),
  freeze('all workers frozen', [3, 6], ({ workers }) => workers),
  ...ofStore('postgres', 'PostgreSQL', queued),
  ...ofStore('redis', 'Redis', everything),
  jump(hour),
  jump(-hour),
  deliveredAgain,
  killStore('standby', 'standby', everything),
  replayPaused,
  ...moods.map(receiverThat),
]
