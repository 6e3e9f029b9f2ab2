/** Phone numbers as people of a country write them, and as they are stored: E.164. Pure. */
import {
  type CountryCode,
  getCountries,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'

/** Whether text is the ISO 3166 code of a country that has phone numbers, in capitals. */
export function isCountry(text: string): text is CountryCode {
  return isSupportedCountry(text)
}

/** All countries that have phone numbers, with their English names, by which they are sorted. */
export function listCountries(): { code: CountryCode; name: string }[] {
  const names = new Intl.DisplayNames('en', { type: 'region' })
  return getCountries()
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((one, other) => one.name.localeCompare(other.name, 'en'))
}

/**
 * A number in E.164, read in the form of a country or, with a leading + or 00, of any. What cannot be a number stays as
 * it was typed, and so does all without a country.
 */
export function readPhone(text: string, country: CountryCode | null): string {
  if (text.trim().startsWith('+') || country === null) return text
  const found = parsePhoneNumberFromString(text.replace(/^\s*00(?=[1-9])/, '+'), country)
  return found?.isPossible() && !found.ext ? found.number : text
}

/** A stored number as people write it: in the form of its country, which others begin with +. */
export function phoneText(phone: string, country: CountryCode | null): string {
  const found = parsePhoneNumberFromString(phone)
  if (!found) return phone
  return found.country !== undefined && found.country === country
    ? found.formatNational()
    : found.formatInternational()
}

let countriesByZone: Map<string, CountryCode> | undefined

/** The country in which a time zone is; null for one of none, such as UTC. */
export function countryOfZone(timeZone: string): CountryCode | null {
  countriesByZone ??= new Map(
    getCountries().flatMap((country) => zonesOf(country).map((zone) => [zone, country] as const)),
  )
  // A zone may have an older name in one list than in the other.
  const { timeZone: zone } = new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions()
  return countriesByZone.get(timeZone) ?? countriesByZone.get(zone) ?? null
}

type LocaleZones = { getTimeZones?: () => string[]; timeZones?: string[] }

function zonesOf(country: CountryCode): string[] {
  const locale = new Intl.Locale('und', { region: country }) as LocaleZones
  return locale.getTimeZones?.() ?? locale.timeZones ?? []
}
