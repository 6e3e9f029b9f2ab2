/** The tabs that link the parts of a product. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { TextKey } from '../../languages/keys.ts'
import type { Texts } from '../../languages/texts.ts'
import { attributes } from '../frame/forms.ts'
import { productPath } from './paths.ts'

const parts = {
  product: { label: 'word.product', place: '' },
  units: { label: 'unit.list', place: '#units' },
  refundTerms: { label: 'refund-terms.title', place: '#refund-terms' },
  schedules: { label: 'schedule.list', place: '#schedules' },
  questions: { label: 'question.list', place: '#questions' },
  languages: { label: 'translation.list', place: '#languages' },
} as const satisfies Record<string, { label: TextKey; place: string }>

export function productTabs(t: Texts, productId: number, current: keyof typeof parts): Markup {
  const links = Object.entries(parts).map(([name, { label, place }]) => {
    const here = name === current ? 'true' : undefined
    return html`<li><a${attributes({ href: `${productPath(productId)}${place}`, 'aria-current': here })}>${t.say(label)}</a></li>`
  })
  return html`<ul class="product-tabs no-print">${links}</ul>`
}
