/**
 * The connection to the Redis that holds the queues, and the problems of that Redis. All queue keys share one
 * hash tag, so a Redis Cluster holds them on one node. Each connection goes to that node, whose address any
 * other node returns. The cluster client of ioredis is not used: it stays connected when this node is down,
 * and the service must notice that.
 */
import { Redis, type RedisOptions } from 'ioredis'

/**
 * How long a command waits for a reply: a `brief` one fails after a second by default, and an `endless` one is retried
 * until Redis responds.
 */
export type RedisTimeouts = 'brief' | 'endless'

export const briefMs = 1000

/** Errors of a node that does not hold the queues, or cannot serve them at the moment. */
const elsewhere = /^(MOVED|ASK|TRYAGAIN|CLUSTERDOWN|READONLY)\b/

/**
 * @param urls One URL, or the URLs of some or all nodes of a cluster, separated by commas.
 * @param answerMs How long a `brief` connection waits for a reply.
 */
export function connectRedis(urls: string, timeouts: RedisTimeouts, answerMs = briefMs): Redis {
  const nodes = urls.split(/\s*,\s*/)
  const brief = timeouts === 'brief'
  return follow(nodes, nodes[0]!, {
    connectTimeout: 2000,
    // A connection without a reply for this long is closed: its peer is gone.
    socketTimeout: brief ? 3 * answerMs : 30_000,
    ...(brief
      ? { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: answerMs }
      : { maxRetriesPerRequest: null }),
  })
}

/**
 * Connects to `url`. Each time the connection ends, it connects to the node that MOVED named, or else to the
 * next of the nodes. A command that reached the wrong node is sent again by an `endless` connection, and
 * fails on a `brief` one.
 */
function follow(nodes: string[], url: string, options: RedisOptions): Redis {
  let tried = nodes.indexOf(url)
  let owner: Address | null = null
  const redis = new Redis(url, {
    ...options,
    retryStrategy() {
      tried = (tried + 1) % nodes.length
      Object.assign(redis.options, owner ?? addressOf(nodes[tried]!))
      owner = null
      return 200
    },
    reconnectOnError({ message }) {
      if (!elsewhere.test(message)) return false
      const [, host, port] = /^MOVED \d+ (.*):(\d+)$/.exec(message) ?? []
      // MOVED without a host means another port of the same host.
      if (port) owner = { host: host || redis.options.host!, port: Number(port) }
      return options.enableOfflineQueue === false ? 1 : 2
    },
  })
  // BullMQ makes the blocking connections of a worker from this one.
  redis.duplicate = (changes) => follow(nodes, url, { ...options, ...changes })
  // While ioredis waits to reconnect, disconnect() stops that, but emits no 'end'. BullMQ waits for this event.
  const { disconnect } = redis
  redis.disconnect = (again) => {
    if (!again && redis.status === 'reconnecting') redis.status = 'wait'
    disconnect.call(redis, again)
  }
  return redis
}

type Address = { host: string; port: number }

function addressOf(url: string): Address {
  const { hostname, port } = new URL(url)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 6379) }
}

/** The settings with which Redis loses nothing that it acknowledged. */
const durable: Record<string, string> = {
  appendonly: 'yes',
  appendfsync: 'always',
  'no-appendfsync-on-rewrite': 'no',
  'maxmemory-policy': 'noeviction',
}
const maxMemoryUsed = 0.9
const maxLagSeconds = 3
const replicaMs = 500

/**
 * Lists, as sentences, why the connected Redis may lose acknowledged jobs (`volatile`), and says if its
 * memory is nearly full (`full`); empty lists if there is no fault. Counts the replicas that may take its
 * place.
 */
export async function inspect(redis: Redis) {
  const [memory, replication, ...settings] = await Promise.all([
    redis.info('memory'),
    redis.info('replication'),
    ...Object.keys(durable).map((name) => settingFault(redis, name)),
  ])
  const replicas = readNumber(replication, 'connected_slaves')
  const volatile = settings.filter((fault) => fault !== null)
  return {
    volatile: [...volatile, ...replicaFaults(replication, replicas)],
    full: memoryFaults(memory),
    replicas,
  }
}

/**
 * Resolves when at least `replicas` replicas have everything that this connection has written. Without this, a
 * replica that replaces the primary could lack acknowledged data.
 * @throws when too few replicas confirm the writes within half a second.
 */
export async function awaitReplicas(redis: Redis, replicas: number): Promise<void> {
  if (replicas === 0) return
  const reached = await redis.wait(replicas, replicaMs)
  if (reached < replicas)
    throw new Error(`the latest write has reached only ${reached} of ${replicas} replicas of Redis`)
}

/**
 * What is wrong with a setting; null when it is right. A setting that the server does not show counts as
 * wrong.
 */
async function settingFault(redis: Redis, name: string): Promise<string | null> {
  const answer = await redis.config('GET', name).catch((error: Error) => {
    if (error.name === 'ReplyError') return []
    throw error
  })
  const value = (answer as string[])[1] ?? 'unknown'
  return value === durable[name] ? null : `Redis has ${name} ${value}, not ${durable[name]}.`
}

function replicaFaults(replication: string, replicas: number): string[] {
  const lags = [...replication.matchAll(/^slave\d+:.*state=online.*lag=(\d+)/gm)].map(([, lag]) =>
    Number(lag),
  )
  const behind = replicas - lags.filter((lag) => lag <= maxLagSeconds).length
  return behind > 0
    ? [
        `${behind} of ${replicas} replicas of Redis ${behind === 1 ? 'is' : 'are'} behind, and may replace the primary.`,
      ]
    : []
}

function memoryFaults(memory: string): string[] {
  const [used, most] = [readNumber(memory, 'used_memory'), readNumber(memory, 'maxmemory')]
  return most > 0 && used >= maxMemoryUsed * most ? [`Redis uses ${used} of its ${most} bytes.`] : []
}

function readNumber(info: string, name: string): number {
  return Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0)
}
