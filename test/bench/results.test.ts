import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { createReport, isMet, type Target } from '../../bench/harness/report.ts'
import { type PartResult, saveResults } from '../../bench/harness/results.ts'

const machine = {
  date: '2026-12-01',
  commit: 'abc1234',
  processors: '2 × Test',
  memoryGigabytes: 4,
  node: 'v20.20.2',
  postgres: '18.4',
  redis: '7.0.15',
}

function resultOf(part: string, rate: number, target?: Target): PartResult {
  const report = createReport(() => {})
  report.row('Rates', { '': 'this service', 'per second': rate })
  if (target) report.target(target)
  return { part, shows: 'Rates.', machine, seconds: 4, failure: null, ...report.findings }
}

async function makeFolder() {
  const folder = await mkdtemp(path.join(tmpdir(), 'abs-test-'))
  t.teardown(() => rm(folder, { recursive: true }))
  return folder
}

t.test(
  'a result of a machine that was not quiet is not written, and the published result stays',
  async (t) => {
    const folder = await makeFolder()
    await saveResults(folder, ['booking', 'metering'], [resultOf('booking', 100), resultOf('metering', 300)])
    const noisy = resultOf('booking', 999)
    noisy.notQuiet.push('bookings: 1 of 6 rounds was quiet')
    const kept = await saveResults(folder, ['booking', 'metering'], [noisy, resultOf('metering', 400)])
    t.same(
      kept.map(({ part, tables }) => [part, tables[0]!.rows[0]!['per second']]),
      [
        ['booking', 100],
        ['metering', 400],
      ],
    )
    const text = await readFile(path.join(folder, 'latest.md'), 'utf8')
    t.match(text, '| this service | 100 |')
    t.notMatch(text, '999')
  },
)

t.test('a target shows the required figure, the desired figure, and which of them was reached', async (t) => {
  const folder = await makeFolder()
  const verdict = async (measured: number, atLeast: number | null = 2) => {
    const target = { name: 'bookings', measured, unit: '×', atLeast, aim: 3 }
    await saveResults(folder, ['booking'], [resultOf('booking', 1, target)])
    const text = await readFile(path.join(folder, 'latest.md'), 'utf8')
    return text.split('\n').find((line) => line.includes('| bookings |'))
  }
  t.equal(await verdict(1.9), '| booking | bookings | ≥ 2 × | ≥ 3 × | 1.9 × | **missed** |')
  t.equal(await verdict(2.5), '| booking | bookings | ≥ 2 × | ≥ 3 × | 2.5 × | pass |')
  t.equal(await verdict(3), '| booking | bookings | ≥ 2 × | ≥ 3 × | 3 × | aim reached |')
  t.match(await verdict(2.5, null), '| 2.5 × | aim missed |', 'where nothing is required')
})

t.test(
  'an upper target is met by any lower figure, and a target without a bound is always met',
  async (t) => {
    const most: Target = { name: 'idle', measured: 12, unit: '%', atMost: 15, aim: 10 }
    t.ok(isMet(most))
    t.notOk(isMet(most, 'aim'))
    t.notOk(isMet({ ...most, measured: 15.1 }))
    t.ok(isMet({ ...most, measured: 10 }, 'aim'))
    t.ok(isMet({ ...most, atMost: null, measured: 99 }))
    t.notOk(
      isMet({ name: 'memory', measured: 1, unit: 'MB', atMost: 2 }, 'aim'),
      'without a desired figure, none is reached',
    )
  },
)
