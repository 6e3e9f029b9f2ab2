/**
 * `npm run dev`: builds and runs `npm start`, and does so again after each change of the sources. While they do
 * not compile, the previous version keeps running. Type errors in tests and benchmarks are ignored.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, watch } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { linkToParent } from '../src/platform/process/end-with-parent.ts'
import { listenForStop } from '../src/platform/process/stop-signals.ts'
import { projectPath } from '../src/platform/project/paths.ts'

// An editor that saves many files at once causes one build.
const quietMs = 100
const roots = ['src', 'workers', 'assets', 'sql']

const stop = listenForStop()
// The first build is for the sources as they are now. Files that change during a build cause another one.
let changes = 1
let built = 0
let wake = () => {}
const watched = new Set<string>()
for (const folder of roots) watchFolder(projectPath(folder))

let service: ChildProcess | null = null
stop.urgent.addEventListener('abort', () => service?.kill('SIGTERM'))
while (await waitForChange()) {
  say('Building …')
  const isBuilt = await buildSources()
  // Ctrl-C also ends a running build.
  if (stop.requested.aborted) break
  if (isBuilt) {
    await endService()
    service = startService()
  } else say(`The sources do not compile${service ? '; the previous version keeps running' : ''}.`)
}
await endService()
process.exit()

/**
 * Watches a folder and all folders in it, also those that are made later. The recursive watch of Node misses changes
 * of a file that an editor has replaced.
 */
function watchFolder(folder: string): void {
  if (watched.has(folder) || !existsSync(folder)) return
  watched.add(folder)
  const watcher = watch(folder, (event) => {
    changes++
    wake()
    if (event !== 'rename') return
    if (existsSync(folder)) return watchSubfolders(folder)
    watched.delete(folder)
    watcher.close()
  })
  watchSubfolders(folder)
}

function watchSubfolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) watchFolder(path.join(folder, entry.name))
}

/** Waits for a change, and then until there is none for a moment; false after a signal. */
async function waitForChange(): Promise<boolean> {
  const woken = new Promise<void>((resolve) => {
    wake = resolve
  })
  if (built === changes) await Promise.race([woken, stop.whenRequested])
  while (built !== changes && !stop.requested.aborted) {
    built = changes
    await delay(quietMs)
  }
  return !stop.requested.aborted
}

/** Builds in place. When there is an error, it prints the place and the reason, and writes no file. */
async function buildSources(): Promise<boolean> {
  const build = spawn('npm', ['run', '--silent', 'build:dev'], { cwd: projectPath(), stdio: 'inherit' })
  const [code] = await once(build, 'exit')
  return code === 0
}

/**
 * Starts the service in its own process group, so that Ctrl-C reaches only this process, which stops the service once.
 */
function startService(): ChildProcess {
  const child = spawn(process.execPath, ['--enable-source-maps', projectPath('dist', 'src', 'start.js')], {
    cwd: projectPath(),
    detached: true,
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  linkToParent(child.stdin!)
  child.on('exit', (code) => {
    if (code) say('The service ended; the next change starts it again.')
  })
  return child
}

async function endService(): Promise<void> {
  if (!service || service.exitCode !== null || service.signalCode !== null) return
  const ended = once(service, 'exit')
  service.kill('SIGTERM')
  await ended
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
