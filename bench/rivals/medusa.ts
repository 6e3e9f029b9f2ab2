/**
 * Medusa's inventory module, from the package under bench/medusa, on its own database on the same server.
 * That package is installed only on request: `npm ci --ignore-scripts --prefix bench/medusa`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { openDatabase, type Sql } from '../../src/platform/postgres/database.ts'
import { projectPath } from '../../src/platform/project/paths.ts'
import { type Running, startRivals } from '../harness/processes.ts'
import { urlOf } from '../harness/stores.ts'

export type Stock = { sku: string; capacity: number }
export type Medusa = { sql: Sql; start(count: number): Promise<Running[]>; close(): Promise<void> }

export const isMedusaInstalled = () =>
  existsSync(projectPath('bench', 'medusa', 'node_modules', '@medusajs', 'inventory'))

/**
 * Makes an inventory with the given stock of each item. Returns a connection to its database, start(), which starts
 * servers that make reservations in this inventory, and close(), which drops the database. The caller stops the
 * servers.
 */
export async function prepareMedusa(postgresUrl: string, stock: Stock[]): Promise<Medusa> {
  const admin = openDatabase(postgresUrl, { poolSize: 1, applicationName: 'abs-bench' })
  await admin`drop database if exists bench_medusa with (force)`
  await admin`create database bench_medusa`
  const url = urlOf(postgresUrl, 'bench_medusa')
  await fill(url, stock)
  const sql = openDatabase(url, { poolSize: 1, applicationName: 'abs-bench' })
  return {
    sql,
    start: (count) => startRivals(count, ['bench', 'medusa', 'server.js'], { DATABASE_URL: url }),
    async close() {
      await sql.end({ timeout: 5 })
      await admin`drop database bench_medusa with (force)`
      await admin.end()
    },
  }
}

async function fill(url: string, stock: Stock[]): Promise<void> {
  const child = spawn(process.execPath, [projectPath('bench', 'medusa', 'server.js'), 'prepare'], {
    env: { PATH: process.env.PATH, DATABASE_URL: url },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let complaints = ''
  child.stderr.on('data', (text) => {
    complaints += text
  })
  child.stdin.end(JSON.stringify(stock))
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`Medusa’s inventory could not be prepared: ${complaints}`)
}
