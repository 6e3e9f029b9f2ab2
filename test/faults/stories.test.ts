/** Invented runs of a correct service break no rule; a run that lacks something acknowledged does. */
import fc from 'fast-check'
import t from 'tap'
import { check } from './checker.ts'
import { answerOf, type OperationOf } from './history.ts'
import { createInventedRun, rulesBroken, setting, slots } from './story.ts'

const nine = slots[0]!

t.test('an unanswered request may or may not have had its effect', async (t) => {
  for (const isMade of [false, true]) {
    const story = createInventedRun()
    const booked = story.book(nine, 3)
    const recorded = story.record('record', 1)
    story.end()
    if (!isMade) {
      story.final.bookings = []
      story.final.baskets = []
      story.final.events = []
      story.final.entries = []
      story.final.totals = []
      story.final.slots = []
    }
    for (const { attempts } of [booked, recorded])
      Object.assign(attempts[0]!, { outcome: 'unknown', status: null, answer: null })
    t.same(check(story.history, story.final, setting), [], isMade ? 'done' : 'not done')
  }
})

t.test('a refusal is correct while an unanswered booking may have taken the places', async (t) => {
  const story = createInventedRun()
  const booked = story.book(nine, 4)
  Object.assign(booked.attempts[0]!, { outcome: 'unknown', status: null, answer: null })
  story.book(nine, 1)
  story.end()
  t.same(check(story.history, story.final, setting), [])
})

t.test('availability may be as old as a replica may be, and no older', async (t) => {
  const story = createInventedRun()
  const looked = story.look()
  story.book(nine, 4)
  story.end()
  const [attempt] = looked.attempts
  Object.assign(attempt!, { invoked: 1000, completed: 1005 })
  t.same(check(story.history, story.final, { ...setting, staleness: 2000 }), [])
  t.same(rulesBroken(story), ['sold-places-shown'])
})

/** Makes the record of a correct service’s run. The two numbers of a step choose what it does. */
function retell(steps: [number, number][]) {
  const story = createInventedRun()
  const confirmed: string[] = []
  for (const [what, which] of steps) {
    const [slot, participants] = [slots[which % 2]!, 1 + (which % 3)]
    const known = confirmed[which % Math.max(1, confirmed.length)]
    if (what === 0) {
      const booked = answerOf(story.book(slot, participants) as OperationOf<'book'>)
      if (booked) confirmed.push(booked.reference)
    } else if (what === 1) story.buy(slot, participants, which % 2 ? 'succeeded' : 'failed')
    else if (what === 2) story.record(which % 2 ? 'record' : 'record-batch-once', participants)
    else if (what === 3) story.look()
    else if (what === 4) story.sumUp()
    else if (known) {
      confirmed.splice(confirmed.indexOf(known), 1)
      if (which % 2) story.move(known, slot)
      story.cancel(known)
    }
  }
  story.end()
  return story
}

const anySteps = fc.array(fc.tuple(fc.nat(5), fc.nat(100)), { maxLength: 60 })

t.test('no random run of a correct service breaks a rule', async () => {
  fc.assert(fc.property(anySteps, (steps) => rulesBroken(retell(steps)).length === 0))
})

t.test('a random run that lacks an acknowledged booking or a stored entry breaks a rule', async () => {
  fc.assert(
    fc.property(anySteps, fc.nat(), (steps, which) => {
      const story = retell([[0, 0], [2, 1], ...steps])
      const { bookings, entries } = story.final
      const list = which % 2 ? bookings.filter(({ payment }) => payment !== null) : entries
      const victim = list[which % list.length]
      story.final.bookings = bookings.filter((booking) => booking !== victim)
      story.final.entries = entries.filter((entry) => entry !== victim)
      return rulesBroken(story).length > 0
    }),
  )
})
