/** Converts amounts and percentages between the reader's language and the decimals of the API. Pure. */

import type { Attributes } from '../../http/form-markup.ts'
import { html, type Markup } from '../../http/pages.ts'
import { decimalMark } from '../../languages/decimal-mark.ts'
import type { Texts } from '../../languages/texts.ts'
import { type Field, inputField } from '../frame/form-fields.ts'

/**
 * A field for an amount or a percentage of the API, with the decimal mark of the language. A form that is
 * shown again has values with the decimal mark of the API. If they were shown like this, a Portuguese form
 * would be sent with "45.505", which would be read as 45505.
 */
export function amountField({ locale }: Texts, field: Field, more: Attributes = {}): Markup {
  const value = showAmount(String(field.value ?? ''), locale)
  return inputField({ ...field, value }, { inputmode: 'decimal', autocomplete: 'off', ...more })
}

/**
 * A hidden field for an amount. It has the decimal mark of the language, because readAmount() reads it like a
 * typed amount.
 */
export function hiddenAmount({ locale }: Texts, name: string, amount: string): Markup {
  return html`<input type="hidden" name="${name}" value="${showAmount(amount, locale)}">`
}

/**
 * Reads amounts such as "1.234,50", "1 234,5" and "1,234.50", and returns them as decimals of the API, such
 * as "1234.50". Text that is not an amount is only trimmed, and validation then refuses it. If one to three
 * digits precede the only mark and three digits follow it, the language decides: "1.250" is 1250 in
 * Portuguese, and 1.25 in English. "0.250" is below 1 in every language.
 */
export function readAmount(text: string, locale: string): string {
  const bare = text.trim().replace(/(?<=\d)[\s'’](?=\d{3}(?!\d))/g, '')
  const grouped = /^\d{1,3}([.,])\d{3}(?:\1\d{3})*(?:(?!\1)[.,](\d+))?$/.exec(bare)
  if (grouped && !isDecimal(bare, grouped, locale)) {
    const [, mark = '', decimals] = grouped
    const whole = bare
      .slice(0, decimals === undefined ? undefined : -decimals.length - 1)
      .replaceAll(mark, '')
    return decimals === undefined ? whole : `${whole}.${decimals}`
  }
  return /^\d+,\d+$/.test(bare) ? bare.replace(',', '.') : bare
}

/**
 * Whether the only mark of an amount is a decimal mark. Three digits follow it, so it may also group
 * thousands.
 */
function isDecimal(bare: string, [, mark]: RegExpExecArray, locale: string): boolean {
  const isOnly = bare.search(/[.,]/) === bare.length - 4
  return isOnly && (bare.startsWith('0') || mark === decimalMark(locale))
}

/** Reads a percentage, such as "12,5 %", and returns it as a decimal, such as "12.5". */
export function readPercent(text: string, locale: string): string {
  return readAmount(text.replace(/\s*%\s*$/, ''), locale)
}

/** A percentage of the API in the reader's language: `12,5 %`. */
export function percentText({ number }: Texts, percent: string): string {
  return `${number(Number(percent))} %`
}

/** An amount or a percentage of the API with the decimal mark of the language. Other text is returned unchanged. */
export function showAmount(amount: string, locale: string): string {
  return /^\d+\.\d+$/.test(amount) && decimalMark(locale) === ',' ? amount.replace('.', ',') : amount
}
