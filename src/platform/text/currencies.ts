/**
 * The currencies in which the service sells, with the decimals of ISO 4217. Stored amounts are whole minor
 * units, so the decimals of a currency must never change. The table is therefore fixed, and not read from
 * Node: its locale data give some currencies fewer decimals (HUF: 0), and can change with a release. Pure.
 */

// Withdrawn currencies stay in the table, because stored amounts may have them.
const withDecimals: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF ' +
    'CNY COP CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HRK ' +
    'HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU ' +
    'MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG ' +
    'SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES ' +
    'WST XCD XCG YER ZAR ZMW ZWG ZWL',
  3: 'BHD IQD JOD KWD LYD OMR TND',
}

const decimals: ReadonlyMap<string, number> = new Map(
  Object.entries(withDecimals).flatMap(([digits, codes]) =>
    codes.split(' ').map((code) => [code, Number(digits)] as const),
  ),
)

/** The codes of all currencies, in alphabetical order. */
export const currencies: readonly string[] = [...decimals.keys()].sort()

/** Digits after the decimal point that a currency has: 2 for EUR, 0 for JPY; null when unknown. */
export function currencyDecimals(currency: string): number | null {
  return decimals.get(currency) ?? null
}
