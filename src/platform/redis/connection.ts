/**
 * The connection to the Redis that keeps the queues, and what is wrong with that Redis. All their keys share one
 * hash tag, so that a Redis Cluster has them on one node: each connection is to that node, which any other names,
 * and is lost, watched over and mended like one to a Redis alone. ioredis' own cluster client stays up when this
 * node is gone, which must not go unnoticed here.
 */
import { Redis, type RedisOptions } from 'ioredis'

/** How long a command waits for an answer: `brief` fails soon, `endless` is retried until the store is back. */
export type RedisTimeouts = 'brief' | 'endless'

export const briefMilliseconds = 1000

/** What a node says that is not, or not now, the one that keeps the queues. */
const elsewhere = /^(MOVED|ASK|TRYAGAIN|CLUSTERDOWN|READONLY)\b/

/**
 * @param urls One URL, or those of several nodes of a cluster, which need not be all, with commas between.
 * @param answerMilliseconds How long somebody brief waits for an answer.
 */
export function connectRedis(
  urls: string,
  patience: RedisTimeouts,
  answerMilliseconds = briefMilliseconds,
): Redis {
  const nodes = urls.split(/\s*,\s*/)
  const brief = patience === 'brief'
  return follow(nodes, nodes[0]!, {
    connectTimeout: 2000,
    // What waits for an answer this long is cut off: its peer has vanished without a word.
    socketTimeout: brief ? 3 * answerMilliseconds : 30_000,
    ...(brief
      ? { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: answerMilliseconds }
      : { maxRetriesPerRequest: null }),
  })
}

/**
 * Connects to `url`; each time the connection ends, to where a MOVED pointed, else to the next of the nodes. A
 * command that met the wrong node is sent again (by whoever is endlessly patient), or fails.
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
      // Without a host it is another port of the same.
      if (port) owner = { host: host || redis.options.host!, port: Number(port) }
      return options.enableOfflineQueue === false ? 1 : 2
    },
  })
  // A worker blocks on connections of its own, which BullMQ makes from this one.
  redis.duplicate = (changes) => follow(nodes, url, { ...options, ...changes })
  // Told to end while it waits to connect again, ioredis would neither end nor say so, for which BullMQ waits.
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

/** What a Redis that forgets nothing it has acknowledged is set to. */
const durable: Record<string, string> = {
  appendonly: 'yes',
  appendfsync: 'always',
  'no-appendfsync-on-rewrite': 'no',
  'maxmemory-policy': 'noeviction',
}
const mostMemoryUsed = 0.9
const mostLagSeconds = 3
const replicaMilliseconds = 500

/** What is wrong with the Redis that is connected, and how many replicas may take its place. */
export async function inspect(redis: Redis) {
  const [memory, replication, ...settings] = await Promise.all([
    redis.info('memory'),
    redis.info('replication'),
    ...Object.keys(durable).map((name) => readSetting(redis, name)),
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
 * Resolves when so many replicas have all that this connection wrote before: a replica that took the primary's
 * place without it would forget what was acknowledged. @throws when they do not within half a second.
 */
export async function awaitReplicas(redis: Redis, replicas: number): Promise<void> {
  if (replicas === 0) return
  const reached = await redis.wait(replicas, replicaMilliseconds)
  if (reached < replicas) throw new Error(`only ${reached} of ${replicas} replicas of Redis have it`)
}

/** What is wrong with a setting; null when it is as it should be. A server that will not tell is not trusted. */
async function readSetting(redis: Redis, name: string): Promise<string | null> {
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
  const behind = replicas - lags.filter((lag) => lag <= mostLagSeconds).length
  return behind > 0 ? [`${behind} of ${replicas} replicas of Redis are behind; one may take its place.`] : []
}

function memoryFaults(memory: string): string[] {
  const [used, most] = [readNumber(memory, 'used_memory'), readNumber(memory, 'maxmemory')]
  return most > 0 && used >= mostMemoryUsed * most ? [`Redis uses ${used} of its ${most} bytes.`] : []
}

function readNumber(info: string, name: string): number {
  return Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0)
}
