/** HAProxy with the settings of `ops/haproxy.cfg`, in front of web processes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { probePort } from '../../src/platform/embedded/ports.ts'
import { projectPath } from '../../src/platform/project/paths.ts'
import { answersOk, createMember, type Member } from './member.ts'

export type Haproxy = Member & {
  /** Sends no more requests to a web process; those under way are finished. */
  takeOut(web: Member): Promise<void>
}

/**
 * A proxy that is not started yet. It sends requests to the web processes in turn, and is ready when one of
 * them responds through it.
 * @param folder where its configuration is written; the caller removes it.
 */
export async function createHaproxy(name: string, folder: string, webs: Member[]): Promise<Haproxy> {
  const port = await probePort('127.0.0.1', 0)
  const file = path.join(folder, `${name}.cfg`)
  const servers = webs.map((web) => `    server ${web.name} ${new URL(web.url).host}`)
  const example = await readFile(projectPath('ops', 'haproxy.cfg'), 'utf8')
  const lines = example
    .replace('bind *:80', `bind 127.0.0.1:${port}`)
    .split('\n')
    .filter((line) => !line.startsWith('    server '))
  const socket = path.join(folder, `${name}.sock`)
  const global = ['global', `    stats socket ${socket} level admin`]
  await writeFile(file, [...global, ...lines, ...servers, ''].join('\n'))
  const url = `http://127.0.0.1:${port}`
  const member = createMember({
    name,
    url,
    launch: () => spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] }),
    isReady: () => answersOk(`${url}/readyz`),
  })
  async function takeOut(web: Member): Promise<void> {
    const control = connect(socket).resume()
    control.end(`set server webs/${web.name} state drain\n`)
    await once(control, 'close')
  }
  return { ...member, takeOut }
}
