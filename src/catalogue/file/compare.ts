/** Finds the differences between two exports of a catalogue. Pure; the database compares timeslots. */
import { isDeepStrictEqual } from 'node:util'
import { timesOf } from '../opening-hours.ts'
import type { ExportedProduct } from './schemas.ts'

/**
 * A field that differs, such as `Units[Child].Price.Amount`. A null value means that the field has no value.
 */
export type FieldDifference = { path: string; from: string | null; to: string | null }

/** A new or changed product, with its name after the change. A new product has no `differences`. */
export type ProductDifference = { name: string; isNew: boolean; differences: FieldDifference[] }

/**
 * Lists the new and changed products, in the order of `after`, which must contain all products of `before`.
 * It does not compare timeslots.
 */
export function compareProducts(
  before: readonly ExportedProduct[],
  after: readonly ExportedProduct[],
): ProductDifference[] {
  const existing = new Map(before.map((product) => [product.ActivityID, product]))
  return after.flatMap((product) => {
    const was = existing.get(product.ActivityID)
    const { Timeslots, ...becomes } = product
    const differences = was ? compareFields('', { ...was, Timeslots: undefined }, becomes) : []
    if (was && differences.length === 0) return []
    return [{ name: product.Name, isNew: !was, differences }]
  })
}

type Fields = Record<string, unknown>

/**
 * For each list whose items are compared one by one: the key by which an item is matched with the item of the
 * other export. Any other list is compared as one value.
 */
const keys: Record<string, (item: never) => string> = {
  Units: ({ Name }: { Name: string }) => Name,
  Questions: ({ Label, Type }: { Label: string; Type: string }) => `${Label} (${Type})`,
  Schedules: ({ From, To, Weekdays, ...daily }: ExportedProduct['Schedules'][number]) =>
    `${From} to ${To} ${Weekdays.join(' ')} ${timesOf(daily).join(' ')}`,
  UnitPrices: ({ Name }: { Name: string }) => Name,
  Translations: ({ Language }: { Language: string }) => Language,
  Texts: ({ Text }: { Text: string }) => Text,
  RefundTerms: ({ HoursBefore }: { HoursBefore: number }) =>
    HoursBefore === 1 ? '1 hour before' : `${HoursBefore} hours before`,
}

/** The lists whose order is compared too, because customers see it. */
const ordered = new Set(['Units', 'Questions'])

function compareFields(path: string, was: Fields, becomes: Fields): FieldDifference[] {
  const names = new Set([...Object.keys(was), ...Object.keys(becomes)])
  return [...names].flatMap((name) => compareField(path, name, was[name], becomes[name]))
}

function compareField(owner: string, name: string, was: unknown, becomes: unknown): FieldDifference[] {
  const path = owner === '' ? name : `${owner}.${name}`
  if (isDeepStrictEqual(was, becomes)) return []
  if (Object.hasOwn(keys, name) && Array.isArray(was) && Array.isArray(becomes))
    return compareItems(path, name, was, becomes)
  if (isFields(was) && isFields(becomes)) return compareFields(path, was, becomes)
  return [{ path, from: toText(was), to: toText(becomes) }]
}

function compareItems(path: string, name: string, was: Fields[], becomes: Fields[]): FieldDifference[] {
  const existing = label(name, was)
  const wanted = label(name, becomes)
  const gone = [...existing].filter(([key]) => !wanted.has(key))
  const isMoved = ordered.has(name) && !isDeepStrictEqual(common(existing, wanted), common(wanted, existing))
  return [
    ...gone.map(([, { label, item }]) => ({ path: `${path}[${label}]`, from: toText(item), to: null })),
    ...[...wanted].flatMap(([key, { label, item }]) => {
      const before = existing.get(key)?.item
      const at = `${path}[${label}]`
      return before ? compareFields(at, before, item) : [{ path: at, from: null, to: toText(item) }]
    }),
    ...(isMoved ? [{ path, from: listOf(existing), to: listOf(wanted) }] : []),
  ]
}

type Labelled = Map<string, { label: string; item: Fields }>

/** Maps items by their lower-case keys. Repeated keys are numbered, such as `adult #2`. */
function label(name: string, items: Fields[]): Labelled {
  const labelled: Labelled = new Map()
  for (const item of items) {
    const key = keys[name]!(item as never)
    let label = key
    for (let count = 2; labelled.has(label.toLowerCase()); count += 1) label = `${key} #${count}`
    labelled.set(label.toLowerCase(), { label, item })
  }
  return labelled
}

function common(items: Labelled, others: Labelled): string[] {
  return [...items.keys()].filter((key) => others.has(key))
}

function listOf(items: Labelled): string {
  return [...items.values()].map(({ label }) => label).join(', ')
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function toText(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
