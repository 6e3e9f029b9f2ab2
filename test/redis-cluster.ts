/** A Redis Cluster for one test: three durable primaries with a password, and replicas on request. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Redis } from 'ioredis'
import type { Test } from 'tap'
import { probePort } from '../src/platform/embedded/ports.ts'
import { startRedisServer } from './redis-server.ts'
import { until } from './until.ts'

export type Node = NonNullable<Awaited<ReturnType<typeof startNode>>>

const password = 'of the cluster'
const quick = ['--repl-diskless-sync-delay', '0']
const slots = 16384
const primaries = 3

export type Cluster = NonNullable<Awaited<ReturnType<typeof startCluster>>>

/**
 * Starts the cluster, which ends with the test. Null without redis-server on the PATH.
 * @param nodeTimeoutMs how long a node must be missing before it counts as failed, and a replica may take its
 * place.
 */
export async function startCluster(t: Test, { nodeTimeoutMs = 15_000 } = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'abs-cluster-'))
  const nodes: Node[] = []
  t.teardown(async () => {
    await Promise.all(nodes.map((node) => node.kill()))
    await rm(folder, { recursive: true, force: true })
  })
  const add = async () => {
    const node = await startNode(path.join(folder, String(nodes.length)), nodeTimeoutMs)
    if (node) nodes.push(node)
    return node
  }
  for (let count = 0; count < primaries; count++) if (!(await add())) return null
  for (const [index, { client }] of nodes.entries()) {
    const share = (part: number) => Math.floor((slots * part) / primaries)
    await client.cluster('ADDSLOTSRANGE', share(index), share(index + 1) - 1)
    await join(nodes[0]!, nodes[index]!)
  }
  await until(() => areAll(nodes, /cluster_state:ok[\s\S]*cluster_known_nodes:3/))

  /** The node that has the keys of this prefix. */
  async function findOwner(prefix: string): Promise<Node> {
    let owner: Node | undefined
    // No node responds for a moment after the machine was suspended.
    await until(async () => {
      for (const node of nodes) if (!owner && (await succeeds(node.client.exists(prefix)))) owner = node
      return owner !== undefined
    })
    return owner!
  }

  /**
   * Starts a replica of `primary`, and waits until the replica could replace the primary. It replaces it only
   * after `cluster-replica-no-failover` is set to `no`: on a machine that stops for seconds, it might
   * otherwise do so at any time.
   */
  async function addReplica(primary: Node): Promise<Node> {
    const replica = (await add())!
    await join(primary, replica)
    const id = (await primary.client.cluster('MYID')) as string
    await until(() => areAll(nodes, /cluster_known_nodes:4/))
    await replica.client.config('SET', 'cluster-replica-no-failover', 'yes')
    // During the handshake, the other nodes count a node as known, but do not know its id yet.
    await until(() => succeeds(replica.client.cluster('REPLICATE', id)))
    await until(async () => /master_link_status:up/.test(await replica.client.info('replication')))
    return replica
  }

  return { urls: () => nodes.map(({ url }) => url).join(','), nodes, findOwner, addReplica }
}

async function startNode(folder: string, nodeTimeoutMs: number) {
  await mkdir(folder)
  const [port, bus] = [await probePort('127.0.0.1', 0), await probePort('127.0.0.1', 0)]
  const timeout = ['--cluster-node-timeout', String(nodeTimeoutMs)]
  const secrets = ['--requirepass', password, '--masterauth', password]
  const more = ['--cluster-enabled', 'yes', '--cluster-port', String(bus), ...timeout, ...quick, ...secrets]
  const launch = () => startRedisServer(folder, { port, more, password: encodeURIComponent(password) })
  let server = await launch()
  if (!server) return null
  const client = new Redis(server.url, { retryStrategy: () => 100 })
  client.on('error', () => {})
  return {
    url: server.url,
    port,
    bus,
    client,
    /** Suspends or continues the process of the node. */
    signal: (signal: 'SIGSTOP' | 'SIGCONT') => server!.signal(signal),
    /** Kills the node, as a crash of its machine does. */
    async crash() {
      await server!.stop('SIGKILL')
    },
    async restart() {
      server = await launch()
    },
    async kill() {
      client.disconnect()
      await server!.stop('SIGKILL')
    },
  }
}

function succeeds(command: Promise<unknown>): Promise<boolean> {
  return command.then(
    () => true,
    () => false,
  )
}

async function join(known: Node, other: Node): Promise<void> {
  await known.client.call('CLUSTER', 'MEET', '127.0.0.1', other.port, other.bus)
}

async function areAll(nodes: Node[], wanted: RegExp): Promise<boolean> {
  const infos = await Promise.all(nodes.map(({ client }) => client.cluster('INFO')))
  return infos.every((info) => wanted.test(info as string))
}
