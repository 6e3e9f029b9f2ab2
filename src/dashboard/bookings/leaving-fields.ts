/**
 * The fields for who leaves when a party becomes smaller: tickets, participants with answers, and checked-in
 * guests. Pure.
 */
import type { ProductQuestion } from '../../catalogue/products/questions.ts'
import { html, type Markup } from '../../http/pages.ts'
import { defaultUnitAlias } from '../../inventory/price-list.ts'
import { countUnits } from '../../inventory/service.ts'
import type { Texts } from '../../languages/texts.ts'
import { fullName } from '../../platform/text/full-name.ts'
import { leavingOfUnit } from '../../sales/booking/changes/leaving-model.ts'
import type { PartyPreview } from '../../sales/booking/changes/previewing-party.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import type { TicketView } from '../../sales/ticket/schemas.ts'
import { inputField, type ShownForm, valueAt } from '../frame/form-fields.ts'
import { attributes, type FormFaults, faultBeside, idOf } from '../frame/forms.ts'
import { answerText } from '../parts/answers.ts'

const [ticketsName, participantsName, hereName] = [
  'Leaving.TicketIDs',
  'Leaving.Participants',
  'Leaving.PeopleHere',
] as const

/** The labels of these fields in the summary of faults, by the name of the field. */
export function leavingLabels(t: Texts): ReadonlyMap<string, string> {
  return new Map([
    [ticketsName, t.say('leaving.tickets')],
    [participantsName, t.say('leaving.participants')],
    [hereName, t.say('leaving.here')],
  ])
}

type LeavingChoice = { value: string; label: string; isProposed: boolean }

/**
 * What the user can choose. `tickets` is empty if no ticket becomes void. Each other property is null if it
 * has no choice.
 */
export type Leaving = {
  /**
   * For each unit whose quantity falls: how many of its tickets become void, and the tickets to choose from.
   */
  tickets: { unit: string; count: number; choices: LeavingChoice[] }[]
  participants: { count: number; choices: LeavingChoice[] } | null
  /**
   * The least and the greatest possible number of checked-in people among those who stay. Null also if the
   * booking has valid or redeemed tickets.
   */
  here: { least: number; most: number } | null
}

type LeavingData = { tickets: readonly TicketView[]; questions: readonly ProductQuestion[] }

export function leavingOf(
  t: Texts,
  booking: BookingRecord,
  { bought, leaving }: PartyPreview,
  { tickets, questions }: LeavingData,
): Leaving {
  const valid = tickets.filter(({ Status }) => Status !== 'void')
  const staying = bought.units
    ? countUnits(bought.units)
    : [{ UnitID: defaultUnitAlias, Quantity: bought.participants }]
  const units = [...new Set(valid.map(({ Unit }) => Unit.UnitID))].flatMap((id) => {
    const own = valid.filter(({ Unit }) => Unit.UnitID === id)
    const stay = staying.find(({ UnitID }) => UnitID === id)?.Quantity ?? 0
    const count = leavingOfUnit(own.length, stay)
    return count === 0 ? [] : [{ unit: own[0]!.Unit.Name, count, choices: ticketChoices(t, own, count) }]
  })
  const { PeopleHere: here = 0 } = booking
  const [least, most] = [Math.max(0, here - leaving), Math.min(here, bought.participants)]
  const asksHere = valid.length === 0 && leaving > 0 && least < most
  return {
    tickets: units,
    participants: leaving > 0 ? participantChoices(t, booking, questions, leaving) : null,
    here: asksHere ? { least, most } : null,
  }
}

/**
 * Proposes tickets that are not redeemed. If there are too few of them, it also proposes redeemed tickets. In
 * each of the two groups, the tickets with the highest numbers come first.
 */
function ticketChoices(t: Texts, own: readonly TicketView[], count: number): LeavingChoice[] {
  const byProposal = own.toSorted(
    (one, other) =>
      Number(one.Status === 'redeemed') - Number(other.Status === 'redeemed') || other.Number - one.Number,
  )
  const proposed = new Set(byProposal.slice(0, count).map(({ TicketID }) => TicketID))
  return own.map((ticket) => ({
    value: ticket.TicketID,
    label: ticketLabel(t, ticket),
    isProposed: proposed.has(ticket.TicketID),
  }))
}

function ticketLabel(t: Texts, { Number: number, Unit, Contact, Status }: TicketView): string {
  const name = Contact ? fullName(Contact.FirstName, Contact.LastName) : ''
  const here = Status === 'redeemed' ? t.say('leaving.checked-in') : ''
  return [t.say('manifest.ticket', { number: String(number), unit: Unit.Name }), name, here]
    .filter((part) => part !== '')
    .join(', ')
}

/** Null if no participant has an answer to a question that is asked for each participant. */
function participantChoices(
  t: Texts,
  { Participants, Answers }: BookingRecord,
  questions: readonly ProductQuestion[],
  count: number,
): Leaving['participants'] {
  const ofEach = questions.filter(({ appliesTo }) => appliesTo === 'participant')
  const answersOf = (index: number) =>
    ofEach.flatMap(({ id, label, type }) => {
      const answer = Answers.find(({ QuestionID }) => QuestionID === id)
      const text = answer ? ([answer.Value].flat()[index] ?? '').trim() : ''
      return text === '' ? [] : [`${label} ${answerText(t, type, text)}`]
    })
  const answers = Array.from({ length: Participants }, (_, index) => answersOf(index))
  if (answers.every((texts) => texts.length === 0)) return null
  const choices = answers.map((texts, index) => ({
    value: String(index + 1),
    label: t.say('leaving.participant', {
      number: String(index + 1),
      answers: texts.join(' · ') || t.say('leaving.no-answer'),
    }),
    isProposed: index >= Participants - count,
  }))
  return { count, choices }
}

/** The fields for the choices in `Leaving`. Empty if there is no choice. */
export function leavingFields(
  t: Texts,
  { tickets, participants, here }: Leaving,
  again: ShownForm | null,
): Markup {
  const faults = again?.faults ?? null
  const sent = again?.values as { Leaving?: { TicketIDs?: string[]; Participants?: number[] } } | undefined
  const chosenTickets = sent && new Set(sent.Leaving?.TicketIDs ?? [])
  const chosenPeople = sent && new Set((sent.Leaving?.Participants ?? []).map(String))
  const given = valueAt(again?.values, hereName)
  return html`${tickets.map(({ unit, count, choices }, index) =>
    boxes(
      t,
      {
        name: ticketsName,
        legend: t.say('leaving.tickets.of', { count: String(count), unit }),
        choices,
        id: index === 0 ? idOf(ticketsName) : undefined,
      },
      { chosen: chosenTickets, faults: index === 0 ? faults : null },
    ),
  )}
${
  participants
    ? boxes(
        t,
        {
          name: participantsName,
          legend: t.say('leaving.participants.of', {
            count: String(participants.count),
            all: String(participants.choices.length),
          }),
          choices: participants.choices,
          id: idOf(participantsName),
        },
        { chosen: chosenPeople, faults },
      )
    : ''
}
${here ? inputField({ label: t.say('leaving.here'), name: hereName, value: given || here.most, faults }, { type: 'number', min: here.least, max: here.most, required: true }) : ''}`
}

type Boxes = { name: string; legend: string; choices: readonly LeavingChoice[]; id: string | undefined }

function boxes(
  t: Texts,
  { name, legend, choices, id }: Boxes,
  { chosen, faults }: { chosen: ReadonlySet<string> | undefined; faults: FormFaults },
): Markup {
  const fault = faults?.fields.get(name)
  const box = ({ value, label, isProposed }: LeavingChoice) =>
    html`<label class="choice"><input${attributes({ type: 'checkbox', name, value, checked: chosen ? chosen.has(value) : isProposed })}> ${label}</label>\n`
  return html`<fieldset${attributes({ class: 'question', id, 'aria-describedby': fault && `${idOf(name)}-about` })}><legend>${legend}</legend>
${choices.map(box)}${fault ? faultBeside(name, leavingLabels(t).get(name)!, fault) : ''}</fieldset>`
}
