/** The output of the catalogue file commands: errors and results, one line each. */
import { oneLine } from '../../platform/process/explain.ts'
import type { FieldDifference } from './compare.ts'
import type { TimeslotDifference } from './copy-queries.ts'
import type { PlacedFault } from './model.ts'
import type { ImportPreview } from './preview.ts'
import type { ImportReport } from './service.ts'

export function describeFaults(faults: readonly PlacedFault[]): string[] {
  return faults.map(({ line, column, pointer, message }) =>
    oneLine(`line ${line}, column ${column}: ${pointer || 'the file'}: ${message}`),
  )
}

export function describeReport(report: ImportReport): string[] {
  const { timeslotsMade, capacitiesChanged, timeslotsWithdrawn } = report
  return [
    describeProducts(report),
    `Timeslots: ${timeslotsMade} made, ${capacitiesChanged} changed capacity, ${timeslotsWithdrawn} withdrawn.`,
    ...describeExceptions(report),
  ]
}

function describeProducts({ created, updated, unchanged }: ImportReport): string {
  return `Products: ${created} created, ${updated} updated, ${unchanged} unchanged.`
}

function describeExceptions({ kept, left, partnersWithLoss }: ImportReport): string[] {
  return [
    ...kept.map(({ name, date, time, capacity, wanted }) =>
      oneLine(
        `Kept: ${name}, ${date} ${time}: capacity ${capacity}, not ${wanted}, because these places are sold or held.`,
      ),
    ),
    ...left.map(({ name, date, time, reason }) =>
      oneLine(
        `Not withdrawn: ${name}, ${date} ${time}: it stays although the date is closed (reason: ${reason}).`,
      ),
    ),
    ...partnersWithLoss.map((name) =>
      oneLine(`Terms of ${name}: net prices for units that are no longer sold are deleted.`),
    ),
  ]
}

export function describePreview({ report, products, timeslots }: ImportPreview): string[] {
  const countOf = (kind: TimeslotDifference['kind']) =>
    timeslots.find((slot) => slot.kind === kind)?.count ?? 0
  return [
    ...products.flatMap(({ name, isNew, differences }) => [
      oneLine(isNew ? `Created: ${name}` : `Updated: ${name}`),
      ...differences.map((difference) => `  ${oneLine(describeField(difference))}`),
    ]),
    describeProducts(report),
    `Timeslots: ${countOf('made')} made, ${countOf('changed')} changed, ${countOf('withdrawn')} withdrawn.`,
    ...timeslots.map((slot) => `  ${oneLine(describeTimeslot(slot))}`),
    ...describeExceptions(report),
    'Nothing was changed.',
  ]
}

function describeField({ path, from, to }: FieldDifference): string {
  if (from === null) return `${path}: added, ${to}`
  return to === null ? `${path}: dropped, ${from}` : `${path}: from ${from} to ${to}`
}

function describeTimeslot(slot: TimeslotDifference): string {
  const { kind, name, date, time, was, capacity } = slot
  const changes = [
    ...(was === capacity ? [] : [`capacity from ${was} to ${capacity}`]),
    ...(slot.isOpened ? ['opened again'] : []),
    ...(slot.isMoved && !slot.hasOtherHours ? ['the same local time in another time zone'] : []),
    ...(slot.hasOtherHours ? ['other opening hours'] : []),
    ...(slot.isRepriced ? ['other prices'] : []),
  ]
  const what = {
    made: `made, capacity ${capacity}`,
    changed: changes.join(', '),
    withdrawn: 'withdrawn',
  }[kind]
  return `${name}, ${date} ${time}: ${what}`
}
