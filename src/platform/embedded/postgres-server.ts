/** Starts and ends the server process of the embedded PostgreSQL. The caller holds the lock of the data folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { probePort } from './ports.ts'
import { clusterPaths, findPostmaster, repairPostmasterFile, servesCluster } from './postgres-cluster.ts'
import { findPostgresPrograms, spawnSettings } from './postgres-programs.ts'

const maxLogBytes = 10_000_000

const settings = [
  'cluster_name=activity-booking-service',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=200',
  'shared_buffers=256MB',
  'max_wal_size=2GB',
  'jit=off',
  'timezone=UTC',
  'log_timezone=UTC',
]
const nonDurableSettings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']

/**
 * Starts the server on 127.0.0.1, on the same port as last time if that is free. The server runs in its own
 * process session, so a Ctrl-C in the terminal does not reach it. It logs to a file. When this function
 * returns, the server may still be starting and refuse connections.
 */
export async function launchPostgres(dataDir: string, durable: boolean): Promise<ChildProcess> {
  const { cluster, port: portFile, log } = clusterPaths(dataDir)
  const programs = await findPostgresPrograms(cluster)
  const last = Number(await readFile(portFile, 'utf8').catch(() => '0'))
  const port = await probePort('127.0.0.1', last).catch(() => probePort('127.0.0.1', 0))
  await writeFile(portFile, String(port))
  await repairPostmasterFile(dataDir)
  if (((await stat(log).catch(() => null))?.size ?? 0) > maxLogBytes) await rename(log, `${log}.old`)
  const { address, options } = spawnSettings(cluster, programs)
  const given = [`port=${port}`, ...settings, ...(durable ? [] : nonDurableSettings)].flatMap((line) => [
    '-c',
    line,
  ])
  const output = await open(log, 'a', 0o600)
  try {
    const stdio: ['ignore', number, number] = ['ignore', output.fd, output.fd]
    const child = spawn(programs.postgres, ['-D', address, ...given], { ...options, detached: true, stdio })
    await once(child, 'spawn')
    child.unref()
    return child
  } finally {
    await output.close()
  }
}

/** The latest fatal line of the server's log, to explain why a start failed. */
export async function lastFatalLine(dataDir: string): Promise<string> {
  const { log } = clusterPaths(dataDir)
  const lines = (await readFile(log, 'utf8')).split('\n')
  const found = lines.findLast((line) => /FATAL|PANIC|error/.test(line)) ?? 'no reason in its log'
  return `${found.replace(/^.*?(FATAL|PANIC): +/, '')} (${log})`
}

/**
 * Stops the server that runs on the cluster, if any, and waits until it has ended. Sessions are closed;
 * committed data is written to disk.
 * @throws when it still runs after 60 seconds.
 */
export async function shutDownPostgres(dataDir: string): Promise<void> {
  const running = await findPostmaster(dataDir)
  if (!running) return
  process.kill(running.pid, 'SIGINT')
  const deadline = Date.now() + 60_000
  while (await servesCluster(running.pid, dataDir)) {
    if (Date.now() > deadline) throw new Error(`PostgreSQL (process ${running.pid}) does not end`)
    await delay(10)
  }
}
