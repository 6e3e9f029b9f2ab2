/**
 * A test for tap's runner: runs the files in TEST_FILES, each in a process of its own. The runner itself
 * would give each process, and its children, a loader for coverage, which doubles the time to start.
 */
import { availableParallelism } from 'node:os'
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
// Two more than there are processors, because tests often wait.
t.jobs = availableParallelism() + 2
// All files together may take long; a single one may not.
t.setTimeout(0)
for (const file of TEST_FILES.split('\n'))
  t.spawn(process.execPath, [...nodeOptions, file], { buffered: true, timeout }, file)
