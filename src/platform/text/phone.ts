/** Phone numbers as people write them in a country, and in E.164. Pure. */
import {
  type CountryCode,
  getCountries,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'

/** Whether text is the ISO 3166 code, in capitals, of a country that has phone numbers. */
export function isCountry(text: string): text is CountryCode {
  return isSupportedCountry(text)
}

/** All countries that have phone numbers, with their names in a locale, sorted by name. */
export function listCountries(locale: string): { code: CountryCode; name: string }[] {
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  return getCountries()
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((one, other) => one.name.localeCompare(other.name, locale))
}

/**
 * Converts a number in the form of a country, or with a leading 00, to E.164. Returned unchanged: text that
 * begins with +, text that cannot be a number, a number with an extension, and all text if `country` is null.
 */
export function readPhone(text: string, country: CountryCode | null): string {
  if (text.trim().startsWith('+') || country === null) return text
  const found = parsePhoneNumberFromString(text.replace(/^\s*00(?=[1-9])/, '+'), country)
  return found?.isPossible() && !found.ext ? found.number : text
}

/** A stored number as people write it: in the national form for this country, and for others with +. */
export function phoneText(phone: string, country: CountryCode | null): string {
  const found = parsePhoneNumberFromString(phone)
  if (!found) return phone
  return found.country !== undefined && found.country === country
    ? found.formatNational()
    : found.formatInternational()
}

const countriesByZone = new Map<string, CountryCode | null>()

/** The country of a time zone; null for a zone without one, such as UTC. */
export function countryOfZone(timeZone: string): CountryCode | null {
  if (countriesByZone.size === 0)
    for (const country of getCountries())
      for (const zone of zonesOf(country)) countriesByZone.set(zone, country)
  const known = countriesByZone.get(timeZone)
  if (known !== undefined) return known
  // The map may have the zone under an older name. The result is cached, because making this format takes as
  // long as writing fifty phone numbers. There are only some hundreds of names.
  const { timeZone: zone } = new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions()
  const country = countriesByZone.get(zone) ?? null
  countriesByZone.set(timeZone, country)
  return country
}

type LocaleZones = { getTimeZones?: () => string[]; timeZones?: string[] }

function zonesOf(country: CountryCode): string[] {
  const locale = new Intl.Locale('und', { region: country }) as LocaleZones
  return locale.getTimeZones?.() ?? locale.timeZones ?? []
}
