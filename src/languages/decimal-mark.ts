/** The decimal mark of a language. Pure. */

/** @param locale a language or a locale: `pt`, `en-GB`. */
export function decimalMark(locale: string): string {
  return new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')!.value
}
