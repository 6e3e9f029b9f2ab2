/** The content of the page of thresholds. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { ThresholdPeriod } from '../../metering/thresholds/model.ts'
import type { ThresholdRow } from '../../metering/thresholds/service.ts'
import { faultSummary, fieldOf, inputField, postForm, type ShownForm, selectField } from '../frame/forms.ts'
import { emptyState, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'

/** The labels of the form. */
export const thresholdLabels = new Map([
  ['Meter', 'Meter'],
  ['Period', 'Usage of'],
  ['Threshold', 'Threshold'],
])

const periodWords: Record<ThresholdPeriod, string> = {
  day: 'each day',
  month: 'each month',
  total: 'all time',
}

export function thresholdsPage(
  session: Session,
  t: Texts,
  thresholds: readonly ThresholdRow[],
  shown: ShownForm,
): Markup {
  return html`<p><a href="/dashboard/usage">Back to the totals</a></p>
<p class="hint">When the usage of a meter reaches a threshold, the account’s log says so, once for each day, each month, or once for all time. No usage is refused. Days and months as they are in ${session.user.timeZone}.</p>
${thresholds.length === 0 ? emptyState('There is no threshold yet.') : thresholdTable(session, t, thresholds)}
<h2>New threshold</h2>
${thresholdForm(session, shown)}`
}

function thresholdTable(session: Session, t: Texts, thresholds: readonly ThresholdRow[]): Markup {
  const { timeZone } = session.user
  const instant = (seconds: number) => t.moment(new Date(seconds * 1000), timeZone)
  return table<ThresholdRow>(
    'Thresholds by meter',
    [
      { head: 'Meter', cell: ({ meter }) => html`<span class="info">${meter}</span>` },
      { head: 'Usage of', cell: ({ period }) => periodWords[period] },
      { head: 'Threshold', numeric: true, cell: ({ amount }) => t.number(Number(amount)) },
      {
        head: 'Last reached',
        cell: ({ lastCrossedAt }) => (lastCrossedAt ? instant(lastCrossedAt) : 'never'),
      },
      { head: 'Remove', cell: (threshold) => removeForm(session, t, threshold) },
    ],
    thresholds,
  )
}

function removeForm(session: Session, t: Texts, { id, meter, period, amount }: ThresholdRow): Markup {
  const name = `${meter}, ${periodWords[period]}, ${t.number(Number(amount))}`
  return postForm(
    session,
    `/dashboard/usage/thresholds/${id}/remove`,
    html`<button class="secondary" aria-label="Remove the threshold ${name}">Remove</button>`,
    { class: 'inline' },
  )
}

function thresholdForm(session: Session, shown: ShownForm): Markup {
  const field = (name: string, hint?: string) => fieldOf(shown, thresholdLabels.get(name)!, name, hint)
  const periods = Object.entries(periodWords).map(([value, label]) => ({ value, label }))
  return postForm(
    session,
    '/dashboard/usage/thresholds',
    html`${faultSummary(shown.faults)}
${inputField(field('Meter', 'Its name as usage is recorded, for example order-completed.'), { required: true, maxlength: 255 })}
${selectField(field('Period'), periods)}
${inputField(field('Threshold'), { required: true, inputmode: 'decimal' })}
<button>Set threshold</button>`,
  )
}
