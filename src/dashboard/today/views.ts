/** The departures of a day with check-in. Departures that are not needed now are folded. Pure. */

import type { ProductQuestion } from '../../catalogue/products/questions.ts'
import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import { freeOf } from '../../inventory/on-sale.ts'
import type { Texts } from '../../languages/texts.ts'
import { addDays } from '../../platform/text/calendar.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import { inputField } from '../frame/form-fields.ts'
import { badge, emptyState } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { answersInShort } from '../parts/answers.ts'
import { attendanceBadge, attendanceButtons, hereText } from '../parts/attendance.ts'
import { channelBadge, partyName } from '../parts/booking-words.ts'
import { sellPath } from '../parts/occupancy.ts'
import { partyText, totalText } from '../parts/party-words.ts'
import { phoneLink } from '../parts/phone-fields.ts'
import { timeOf } from '../parts/slot-words.ts'
import { bookingLink } from '../parts/subject.ts'
import { countPeople, type Departure, type DepartureGroup, type Moment } from './departures.ts'

type DayView = {
  date: string
  today: string
  departures: readonly Departure[]
  /** The departures under their headings, in the order of display. */
  moments: readonly Moment[]
  questions: readonly ProductQuestion[]
  /** The balances of the parties' sales, by booking reference. */
  owed: ReadonlyMap<string, Markup>
  isCut: boolean
}

export function dayView(session: Session, t: Texts, day: DayView): Markup {
  const { date, today, departures, moments, isCut } = day
  const link = (words: Markup) =>
    html`<a href="/dashboard/bookings?From=${date}&amp;To=${date}&amp;Status=confirmed">${words}</a>`
  return html`${picker(t, date, today)}
<div data-live id="day"${date === today ? html` data-minutely` : ''}>
${totals(t, departures)}
${isCut ? html`<p class="fault">${markupOf(t, 'today.too-many', { link })}</p>` : ''}
${departures.length === 0 ? emptyState(t.say('today.nothing')) : ''}
${moments.map((moment) => momentPart(session, t, day, moment))}
</div>`
}

function picker(t: Texts, date: string, today: string): Markup {
  const link = (day: string, text: string) =>
    html`<a class="button secondary" href="/dashboard/today?Date=${day}">${text}</a>`
  return html`<form method="get" action="/dashboard/today" class="filters no-print">
${link(addDays(date, -1), t.say('today.before'))}
${date === today ? '' : link(today, t.say('today.today'))}
${link(addDays(date, 1), t.say('today.after'))}
${inputField({ label: t.say('today.day'), name: 'Date', value: date }, { type: 'date', required: true })}
<button class="secondary">${t.say('word.show')}</button>
</form>`
}

function totals(t: Texts, departures: readonly Departure[]): Markup {
  const parties = departures.flatMap((departure) => departure.parties)
  const { people, peopleHere, peopleAbsent } = countPeople(parties)
  const closed = departures.filter(({ slot }) => slot.status === 'closed').length
  const figures: [string, number][] = [
    [t.say('today.figure.slots'), departures.length - closed],
    ...(closed > 0 ? [[t.say('today.figure.closed'), closed] as [string, number]] : []),
    [t.say('today.figure.parties'), parties.length],
    [t.say('today.figure.people'), people],
    [t.say('today.figure.here'), peopleHere],
    [t.say('today.figure.no-shows'), peopleAbsent],
  ]
  return html`<dl class="figures">${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${t.number(value)}</dd></div>`)}</dl>`
}

function momentPart(session: Session, t: Texts, day: DayView, { name, groups }: Moment): Markup {
  return html`<section class="moment ${name}" aria-labelledby="moment-${name}"><h2 id="moment-${name}">${t.say(`today.moment.${name}`)}</h2>
${groups.map((group) => groupPart(session, t, day, group))}</section>`
}

/** A group without parties is folded as a whole. On today's page, each past departure with parties is folded too. */
function groupPart(
  session: Session,
  t: Texts,
  day: DayView,
  { isEmpty, departures }: DepartureGroup,
): Markup {
  const [first] = departures
  const { slot, when } = first!
  const sections = departures.map((departure) => slotSection(session, t, day, departure))
  if (isEmpty) {
    return html`<details class="folded" id="empty-${slot.id}"><summary>${emptyText(t, departures)}</summary>${sections}</details>`
  }
  if (when !== 'over' || day.date !== day.today) return html`${sections}`
  return html`<details class="folded" id="over-${slot.id}"><summary>${t.say('today.over', { time: timeOf(t, slot), product: slot.productName, here: hereOf(t, first!) })}</summary>${sections}</details>`
}

/** `at 9:00`, or the opening hours. */
function atTime(t: Texts, slot: Timeslot): string {
  const time = timeOf(t, slot)
  return slot.openingHours ? time : t.say('today.empty.at', { time })
}

/** The summary of consecutive departures without parties. */
function emptyText(t: Texts, departures: readonly Departure[]): string {
  const slots = departures.map(({ slot }) => slot)
  const [from, to] = [slots[0]!, slots.at(-1)!].map((slot) => timeOf(t, slot))
  const closed = slots.filter(({ status }) => status === 'closed').length
  if (slots.length === 1) {
    const one = { time: from!, product: slots[0]!.productName }
    return t.say(closed > 0 ? 'today.empty.closed-one' : 'today.empty.one', one)
  }
  const when = from === to ? atTime(t, slots[0]!) : t.say('today.empty.between', { from: from!, to: to! })
  const all = { count: t.number(slots.length), when }
  if (closed === slots.length) return t.say('today.empty.all-closed', all)
  if (closed > 0) return t.say('today.empty.some-closed', { ...all, closed: t.number(closed) })
  return t.say('today.empty.many', all)
}

function hereOf(t: Texts, { peopleHere, peopleAbsent, people }: Departure): string {
  return hereText(t, { PeopleHere: peopleHere, PeopleAbsent: peopleAbsent, Participants: people })
}

const marks = { now: 'good', next: 'accent' } as const

function slotSection(session: Session, t: Texts, day: DayView, departure: Departure): Markup {
  const { slot, parties, when } = departure
  const { id, productName, status } = slot
  const time = timeOf(t, slot)
  const mark = when === 'now' || when === 'next' ? when : null
  const link = (href: string, text: string) =>
    html`<a href="${href}">${text}<span class="unseen"> ${time} ${productName}</span></a> `
  const links = [
    ...(parties.length > 0
      ? [
          link(`/dashboard/today/manifest/${id}`, t.say('today.manifest')),
          link(`/dashboard/calendar/timeslots/${id}/message`, t.say('today.message')),
        ]
      : []),
    ...(slot.onSale && freeOf(slot) > 0 ? [link(sellPath(slot), t.say('today.sell'))] : []),
  ]
  return html`<section class="slot${mark ? html` ${mark}` : ''}${parties.length === 0 ? ' vacant' : ''}" aria-labelledby="slot-${id}">
<h3 id="slot-${id}">${mark ? badge(t.say(`today.mark.${mark}`), marks[mark]) : ''} ${time} ${productName} ${status === 'closed' ? badge(t.say('today.closed'), 'bad') : ''}</h3>
<p class="hint">${parties.length > 0 ? html`<strong>${hereOf(t, departure)}</strong> · ` : html`${t.say('today.no-bookings')} · `}${figuresOf(t, slot)}</p>
${links.length > 0 ? html`<p class="slot-links no-print">${links}</p>` : ''}
${parties.length > 0 ? html`<ul class="parties">${parties.map((party) => partyItem(session, t, day, party))}</ul>` : ''}
</section>`
}

export function figuresOf(t: Texts, slot: Timeslot): string {
  const { capacity, booked, held, waiting, status } = slot
  const figures = [
    t.say('today.booked', { count: booked, capacity }),
    held > 0 ? t.say('today.held', { count: held }) : '',
    status === 'closed' ? '' : t.say('today.free', { count: freeOf(slot) }),
    waiting > 0 ? t.say('today.waiting', { count: waiting }) : '',
  ]
  return figures.filter((text) => text !== '').join(', ')
}

function partyItem(
  session: Session,
  t: Texts,
  { date, today, questions, owed }: DayView,
  party: BookingRecord,
): Markup {
  const { BookingReference, Customer, Channel, Partner } = party
  const who = partyName(t, Customer)
  const action = `/dashboard/today/${BookingReference}/attendance`
  const fields = html`<input type="hidden" name="Date" value="${date}">`
  return html`<li id="party-${BookingReference}">
<div class="who"><strong>${who}</strong>, ${partyText(t, party)} ${attendanceBadge(t, party)} ${owed.get(BookingReference) ?? ''}
<div class="hint">${bookingLink(BookingReference)}
${Customer.Phone ? html` · ${phoneLink(session, Customer.Phone)}` : ''}
<span class="no-print"> · ${totalText(t, party)} · ${channelBadge(t, Channel)} ${Partner?.Name ?? ''}</span></div>
${party.Notes ? html`<div>${party.Notes}</div>` : ''}${party.InternalNotes ? html`<div class="own-lines">${party.InternalNotes}</div>` : ''}${answersInShort(t, questions, party)}</div>
<div class="attendance no-print">${attendanceButtons(session, t, { ...party, who }, { action, fields, today })}</div>
</li>`
}
