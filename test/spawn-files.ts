/**
 * A test for tap's runner: the files that TEST_FILES names, each in a process of its own. The runner by itself gives each
 * process, and what it starts, a loader that counts what is loaded, for coverage that nobody asks for: it doubles the
 * time to start.
 */
import { pathToFileURL } from 'node:url'
import processOnSpawn from 'process-on-spawn'
import t from 'tap'
import { projectPath } from '../src/platform/project/paths.ts'

processOnSpawn.addListener((child) => {
  const { NODE_OPTIONS, ...env } = child.env
  child.env = NODE_OPTIONS?.includes('processinfo') ? env : child.env
})

const quick = pathToFileURL(projectPath('dist', 'test', 'quick-tap.js')).href
const nodeOptions = ['--enable-source-maps', '--max-semi-space-size=64', `--import=${quick}`]
const { TEST_FILES = '', TAP_TIMEOUT = '' } = process.env
const timeout = 1000 * Number(TAP_TIMEOUT)
// One more than there are processors on a small machine: a test often waits.
t.jobs = 3
// All of them may take long; none may.
t.setTimeout(0)
for (const file of TEST_FILES.split('\n'))
  t.spawn(process.execPath, [...nodeOptions, file], { buffered: true, timeout }, file)
