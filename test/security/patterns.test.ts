/** No text makes a check or a rewrite take more than linear time: quadratic time would block the process. */
import vm from 'node:vm'
import t from 'tap'
import { readTimes } from '../../src/dashboard/catalogue/times.ts'
import { toCell } from '../../src/dashboard/frame/csv.ts'
import { emailHtml } from '../../src/messaging/emails/look.ts'
import { toHeader } from '../../src/messaging/emails/model.ts'
import { oneLine } from '../../src/platform/process/explain.ts'
import { ajv } from '../../src/platform/schema/validation.ts'
import { build } from '../helper.ts'

const length = 200_000
// Linear work takes milliseconds, and quadratic work takes far longer.
const limitMs = 5000
const maxTries = 20

/** A start that many patterns accept, a long row of one character, and an end that makes the match fail. */
const texts = ['', '+', '+1', 'a@', 'a@b.', 'http://x', '2030-06-15T', '9'].flatMap((start) =>
  [' ', 'a', '0', '.', '-', '(', ')', '\t', '/', '@', ':', '=', '\n', 'é'].map(
    (one) => `${start}${one.repeat(length)}!`,
  ),
)

/** Runs the work on every text. Work that takes too long is stopped, and fails the test. */
function expectFast(what: string, work: (text: string) => unknown): void {
  const context = globalThis as { attack?: () => void }
  for (const text of texts) {
    context.attack = () => work(text)
    if (takesTooLong()) t.fail(`${what} takes too long for ${JSON.stringify(text.slice(0, 12))}…`)
  }
}

/** Whether the work takes longer than the limit. It is tried again if the process had too little processor time. */
function takesTooLong(): boolean {
  for (let tried = 0; tried < maxTries; tried++) {
    const before = process.cpuUsage()
    try {
      vm.runInThisContext('attack()', { timeout: limitMs })
      return false
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      const { user, system } = process.cpuUsage(before)
      if (user + system > (limitMs * 1000) / 2) return true
    }
  }
  return true
}

/** The schemas of text in the document that have a pattern or a format, each once. */
function patternsIn(value: unknown, found = new Map<string, object>()): Map<string, object> {
  if (typeof value !== 'object' || value === null) return found
  const { pattern, format } = value as { pattern?: unknown; format?: unknown }
  if (typeof pattern === 'string') found.set(pattern, { type: 'string', pattern })
  if (typeof format === 'string') found.set(format, { type: 'string', format })
  for (const part of Object.values(value)) patternsIn(part, found)
  return found
}

t.test('every pattern and format of the document is fast for any text', async (t) => {
  const { app } = await build(t)
  const patterns = patternsIn(app.swagger())
  t.ok(patterns.size > 8)
  for (const [name, schema] of patterns) {
    const validate = ajv.compile(schema)
    expectFast(name, (text) => validate(text))
  }
})

const look = { name: 'quay', logoUrl: null, colour: null, locale: 'en-GB' } as const

t.test('functions that rewrite text are fast for any text', async (t) => {
  const rewriting = {
    toCell,
    readTimes,
    toHeader,
    oneLine,
    emailHtml: (text: string) => emailHtml({ ...look, name: text }, { subject: text, text }),
  }
  for (const [name, work] of Object.entries(rewriting)) expectFast(name, work)
  t.equal(
    emailHtml(look, { subject: '', text: 'See http://a.test/b?c=d...' }).includes(
      'href="http://a.test/b?c=d"',
    ),
    true,
  )
  t.same(readTimes(`9 ${' '.repeat(1000)} am`), ['09:00'])
})
