/** Who books in the demo, and what they book. */
import { toActivityId } from '../catalogue/model.ts'
import { fold } from '../platform/text/fold.ts'
import type { AllDayTimeslot, DemoTimeslot, EmptyTimeslot } from './queries.ts'
import { customers } from './scenery.ts'

let customerNumber = 0

/** The next customer. The names repeat; the phone numbers do not. */
export function nextCustomer() {
  const [FirstName, LastName] = customers[customerNumber++ % customers.length]!
  const Phone = `+35191${String(2_000_000 + customerNumber * 7919)}`
  // E-mail addresses here have only ASCII letters.
  return { FirstName, LastName, Phone, Email: `${fold(`${FirstName}.${LastName}`)}@example.com` }
}

/** The part of a booking request for this number of participants, with answers to all required questions. */
export function places(slot: DemoTimeslot, participants: number) {
  return { ...placeOf(slot), Participants: participants, Answers: answersTo(slot, participants) }
}

function placeOf({ activity, date, time }: DemoTimeslot) {
  return { ActivityID: toActivityId(activity), Date: date, Time: time }
}

/** The part of a booking request with these quantities of units, by the type of the unit. */
export function party(slot: EmptyTimeslot | AllDayTimeslot, quantities: Record<string, number>) {
  const wanted = slot.units!.filter(({ type }) => quantities[type])
  const count = wanted.reduce((sum, { type, people }) => sum + quantities[type]! * people, 0)
  return {
    ...placeOf(slot),
    Units: wanted.map(({ id, type }) => ({ UnitID: id, Quantity: quantities[type]! })),
    Answers: answersTo(slot, count),
  }
}

/** Answers to all required questions: the first option, if a question has options. */
function answersTo({ questions }: DemoTimeslot, people: number) {
  return questions.map(({ id, label, type, options, appliesTo }) => {
    const text = options[0] ?? (label.includes('weight') ? '72' : (answers[type] ?? 'As booked'))
    return {
      QuestionID: id,
      Value: appliesTo === 'participant' ? Array.from({ length: people }, () => text) : text,
    }
  })
}

const answers: Record<string, string> = { checkbox: 'Yes', date: '1988-04-12', phone: '+351912000444' }
