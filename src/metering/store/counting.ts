/** Turns events into entries of the built-in meters: one entry for each event that counts as usage. */
import { isTestAccount } from '../../accounts/model.ts'
import type { EventConsumer, NumberedEvent } from '../../events/pump/pump.ts'
import { noteForCommit } from '../../platform/postgres/commit-notes.ts'
import type { IdSource } from '../../platform/postgres/id-blocks.ts'
import { type BuiltInMeter, findMeter } from '../built-in.ts'
import type { Entry } from '../model.ts'
import { storeWithin } from './storage.ts'

/** The note on a transaction for each counted event of a live account. */
export type MeteredNote = { metered: BuiltInMeter }

/** A consumer that stores the entries in the transaction that numbers the events. */
export function createMeteredConsumer(takeIds: IdSource): EventConsumer {
  return async (tx, events) => {
    const metered = events.flatMap((event) => {
      const meter = findMeter(event)
      return meter ? [{ event, meter }] : []
    })
    if (metered.length === 0) return
    const [ids, acceptedAt] = [await takeIds(metered.length), Date.now()]
    await storeWithin(
      tx,
      metered.map(({ event, meter }, index) => toEntry(event, meter, ids[index]!, acceptedAt)),
    )
    for (const { event, meter } of metered)
      if (!isTestAccount(event.accountId)) noteForCommit(tx, { metered: meter } satisfies MeteredNote)
  }
}

function toEntry(event: NumberedEvent, meter: BuiltInMeter, id: number, acceptedAt: number): Entry {
  const { accountId, occurredAt } = event
  const extraInfo = JSON.stringify(describe(event, meter))
  return { accountId, id, acceptedAt, meter, usage: '1', occurredAt, extraInfo }
}

/**
 * The ExtraInfo of an entry: the id of the basket, or the ids of the waitlist entry and its booking, or no
 * ids.
 */
function describe({ basketId, waitlistEntryId, details }: NumberedEvent, meter: BuiltInMeter): object {
  switch (meter) {
    case 'order-completed':
      return { BasketID: basketId }
    case 'waitlist-notified':
      return { WaitlistID: waitlistEntryId, MultiBookingID: details.BookingID }
    case 'workflow-email-sent':
      return {}
  }
}

/**
 * The meters in the notes of a committed transaction: one for each event of a live account that it counted.
 */
export function metersAmong(notes: readonly unknown[]): BuiltInMeter[] {
  return notes.flatMap((note) => (note as Partial<MeteredNote>).metered ?? [])
}
