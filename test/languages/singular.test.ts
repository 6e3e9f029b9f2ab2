/** Texts with a number: one thing is written in the singular, in each language. */
import t from 'tap'
import { problems } from '../../src/http/problems.ts'
import { faultIn } from '../../src/languages/faults.ts'
import type { TextKey } from '../../src/languages/keys.ts'
import { textsIn } from '../../src/languages/texts.ts'
import { type InvalidFields, validatorCompiler } from '../../src/platform/schema/validation.ts'
import { feedProblems } from '../../src/sales/calendar-feed/problems.ts'

const portuguese = textsIn('pt-PT')

t.test('a refusal for too many requests says “1 second”, and “2 seconds”', async (t) => {
  for (const make of [
    problems.rateLimited,
    problems.templatesTakeLong,
    problems.tooManyGuesses,
    feedProblems.busy,
  ]) {
    t.match(make(1).message, / 1 second\.$/)
    t.match(make(2).message, / 2 seconds\.$/)
    t.equal(make(1).headers['retry-after'], '1')
  }
  for (const make of [problems.templatesTakeLong, problems.tooManyGuesses]) {
    t.match(faultIn(portuguese, make(1).message), / 1 segundo\.$/)
    t.match(faultIn(portuguese, make(2).message), / 2 segundos\.$/)
  }
})

t.test('a capacity that is too low is refused with the numbers of booked and of held places', async (t) => {
  const said = (booked: number, held: number) => {
    const { message } = problems.capacityBelowBooked({ booked, held })
    return [message, faultIn(portuguese, message)]
  }
  t.same(said(1, 0), ['1 place is booked and 0 are held.', '1 lugar está reservado e 0 estão guardados.'])
  t.same(said(1, 1), ['1 place is booked and 1 is held.', '1 lugar está reservado e 1 está guardado.'])
  t.same(said(0, 1), ['0 places are booked and 1 is held.', '0 lugares estão reservados e 1 está guardado.'])
  t.same(said(3, 2), [
    '3 places are booked and 2 are held.',
    '3 lugares estão reservados e 2 estão guardados.',
  ])
})

t.test('a field that must have at least one character or item says so in the singular', async (t) => {
  const faultOf = (schema: object, value: unknown) => {
    const validate = validatorCompiler({ schema, method: 'POST', url: '/', httpPart: 'body' })
    const { error } = validate(value) as { error: InvalidFields }
    return error.fields[0]!.message
  }
  const text = faultOf({ type: 'string', minLength: 1 }, '')
  t.equal(text, 'must have at least 1 character')
  t.equal(faultIn(portuguese, text), 'tem de ter pelo menos 1 carácter')
  const list = faultOf({ type: 'array', minItems: 1 }, [])
  t.equal(list, 'must have at least 1 item')
  t.equal(faultIn(portuguese, list), 'tem de ter pelo menos 1 elemento')
  t.equal(faultOf({ type: 'array', minItems: 11 }, []), 'must have at least 11 items')
})

t.test('pages write one place, timeslot or use in the singular', async (t) => {
  const english = textsIn('en-GB')
  const cases: [TextKey, Record<string, string | number>, RegExp, RegExp][] = [
    [
      'calendar.reopen.slot',
      { time: '10:00', product: 'Kayak', count: 1 },
      /: 1 place free$/,
      /: 1 lugar livre$/,
    ],
    [
      'calendar.closure.reason.insufficient-capacity',
      { count: 1 },
      /^only 1 place is free/,
      /^só há 1 lugar livre /,
    ],
    [
      'calendar.closure.progress',
      { done: 0, all: 1 },
      /^0 of 1 timeslot is done\.$/,
      /^0 de 1 horário tratado\.$/,
    ],
    ['schedule.pattern', { days: 'Mon', times: '10:00', places: 1, closed: 0 }, /, 1 place$/, /, 1 lugar$/],
    [
      'schedule.pattern.open',
      { days: 'Mon', hours: '9–17', places: 1, closed: 0 },
      /, 1 place$/,
      /, 1 lugar$/,
    ],
    ['schedule.slot.places', { count: 1 }, /^1 place$/, /^1 lugar$/],
    ['schedule.left.more', { count: 1 }, /^And 1 later timeslot\.$/, /^E mais 1/],
    ['promotion.uses.of', { uses: 0, most: 1 }, /^0 of 1$/, /^0 de 1 vez$/],
  ]
  for (const [key, values, said, inPortuguese] of cases) {
    t.match(english.say(key, values), said)
    t.match(portuguese.say(key, values), inPortuguese)
  }
})

t.test('the largest allowed party is translated in the singular if it is 1 place or 1 person', async (t) => {
  for (const [text, translated] of [
    ['must be at most 1 place in all', 'não pode ser mais de 1 lugar ao todo'],
    ['must be at most 1 person in all', 'não pode ser mais de 1 pessoa ao todo'],
  ] as const)
    t.equal(faultIn(portuguese, text), translated)
})
