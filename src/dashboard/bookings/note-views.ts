/** The internal notes on a booking, and their form. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { versionOf } from '../../http/versions.ts'
import type { Texts } from '../../languages/texts.ts'
import type { NoteRow } from '../../sales/note/service.ts'
import { type ShownForm, textField, valueAt } from '../frame/form-fields.ts'
import { postForm } from '../frame/forms.ts'
import { versionField } from '../frame/meanwhile.ts'
import type { Session } from '../frame/session.ts'
import { actorName } from '../parts/booking-words.ts'
import { bookingPath } from '../parts/subject.ts'

type Noted = {
  booking: { BookingReference: string }
  note: NoteRow | null
  /** Whether the customer's data has been erased, so that no notes can be written. */
  isErased: boolean
  /** A refused form of the page; null if there is none. Only the form named `notes` belongs to this part. */
  again: (ShownForm & { form: string }) | null
}

export function notesPart(session: Session, t: Texts, { booking, note, isErased, again }: Noted): Markup {
  if (isErased) return html``
  const mine = again?.form === 'notes' ? again : null
  const value = mine ? valueAt(mine.values, 'InternalNotes') : (note?.note ?? '')
  const field = { label: t.say('booking.notes'), name: 'InternalNotes', value, faults: mine?.faults ?? null }
  const form = postForm(
    session,
    `${bookingPath(booking.BookingReference)}/notes`,
    html`${versionField(versionOf(note?.note ?? null))}
${textField({ ...field, hint: t.say('notes.hint') }, { maxlength: 4000 })}
<button>${t.say('notes.save')}</button>`,
  )
  return html`<section id="notes" aria-labelledby="notes-title"><h2 id="notes-title">${t.say('notes.title')}</h2>
${note ? html`<p class="own-lines">${note.note}</p><p class="hint">${writer(t, note)}, ${t.moment(note.writtenAt, session.user.timeZone)}</p>` : ''}
<details class="no-print"${mine ? html` open` : ''}><summary>${t.say(note ? 'notes.change' : 'notes.add')}</summary>${form}</details></section>`
}

function writer(t: Texts, { actor: Kind, actorId: ID, actorName: Name }: NoteRow): string {
  return actorName(t, { Kind, ID, Name })
}
