import t from 'tap'
import { type Attempt, type History, kinds } from './history.ts'
import { type Injection, longestOutage, type RunFacts, summarize, toMarkdown } from './report.ts'

const injection: Injection = {
  fault: 'web killed',
  injected: 1000,
  healed: 3000,
  recovered: 4000,
  missing: [],
}
const facts: RunFacts = {
  seed: 1,
  queues: 'redis',
  seconds: 5,
  injections: [injection],
  notPossible: [],
  audits: [],
}
const nothing: History = { operations: [], samples: [], arrivals: [] }

function attempt(invoked: number, completed: number, outcome: Attempt['outcome']): Attempt {
  return { invoked, completed, outcome, status: null, problem: null, answer: null }
}

t.test('an outage lasts from the first attempt that was not served to the next that was', async (t) => {
  const attempts = [
    attempt(900, 950, 'ok'),
    attempt(1100, 1200, 'ok'),
    attempt(1150, 1300, 'unknown'),
    attempt(1400, 1500, 'unknown'),
    attempt(1600, 1700, 'fail'),
    attempt(1800, 1900, 'unknown'),
    attempt(1950, 2000, 'ok'),
  ]
  // The last response before the outage came at 1200. The refusal at 1700 is a response, and ends the outage.
  t.equal(longestOutage(attempts, injection), 500)
})

t.test(
  'an outage without a later success lasts until the service has recovered, or to the end of the fault',
  async (t) => {
    const attempts = [attempt(500, 2500, 'unknown')]
    t.equal(longestOutage(attempts, injection), 3000)
    t.equal(longestOutage(attempts, { ...injection, recovered: null }), 2000)
  },
)

t.test(
  'attempts that end before a fault, or begin after the recovery, are not part of its outage',
  async (t) => {
    t.equal(longestOutage([attempt(100, 900, 'unknown'), attempt(4100, 9000, 'unknown')], injection), 0)
  },
)

t.test(
  'a run fails when a rule is broken, work does not continue, the service does not recover, or an audit finds a difference',
  async (t) => {
    t.same(summarize(facts, nothing, []).failures, [])
    t.match(summarize(facts, nothing, [{ rule: 'oversold', detail: 'a slot' }]).failures, ['1 violations'])
    const broken = { ...injection, recovered: null, missing: ['book' as const] }
    t.match(
      summarize({ ...facts, injections: [broken], audits: ['audit: 3 differ'] }, nothing, []).failures,
      ['web killed: book did not go on', 'web killed: the service did not recover', 'audit: 3 differ'],
    )
  },
)

t.test(
  'the report names every fault, every kind of operation, and faults that were not possible',
  async (t) => {
    const notPossible = [{ fault: 'Redis: disk full', reason: 'no disk can be mounted here' }]
    const text = toMarkdown(
      summarize({ ...facts, notPossible }, nothing, [{ rule: 'oversold', detail: 'a slot' }]),
    )
    for (const words of ['web killed', ...kinds, 'Redis: disk full (no disk', 'oversold: a slot', 'Seed 1'])
      t.ok(text.includes(words), words)
  },
)
