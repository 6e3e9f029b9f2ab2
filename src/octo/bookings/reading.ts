/**
 * Reads reservations with their products and timeslots. The reads of concurrent requests are combined in
 * batches.
 */
import { problems } from '../../http/problems.ts'
import { listTermsInForce } from '../../inventory/partner-terms-queries.ts'
import { createBatcher, type ObserveBatches } from '../../platform/async/batcher.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import type { Viewer } from '../../sales/booking/partner/queries.ts'
import { listOctoSlots } from '../availability/queries.ts'
import { listOctoProducts } from '../products/queries.ts'
import * as names from './named-queries.ts'
import * as queries from './queries.ts'
import type { FullReservation } from './view.ts'

type OwnedId = Viewer & { id: number }

// Small batches, because a reservation may have a thousand tickets.
const maxAtOnce = 32

export function createReading(sql: Sql, observe: ObserveBatches) {
  function createBatchedFind<Key extends Viewer, Row>(
    name: string,
    run: (keys: Key[]) => Promise<(Row | undefined)[]>,
  ) {
    const batcher = createBatcher<Key, { row: Row | undefined }>({
      ...{ maxSize: maxAtOnce, maxWaiting: 10_000, concurrency: 2 },
      ownerOf: ({ accountId }) => accountId,
      refusal: () => problems.unavailable('Too many bookings are waiting; please try again.'),
      observe: observe(name),
      run: async (keys) => (await run(keys)).map((row) => ({ row })),
    })
    return async (key: Key) => (await batcher.add(key)).row
  }

  const findReservation = createBatchedFind('octo-bookings', (keys: queries.ReservationName[]) =>
    queries.findReservations(sql, keys),
  )
  const findNamed = createBatchedFind('octo-names', (asked: names.RequestedName[]) =>
    names.findNamed(sql, asked),
  )
  const findProduct = createBatchedFind('octo-booked-products', async (keys: OwnedId[]) => {
    const [products, terms] = await Promise.all([
      byAccount(keys, (accountId, ids) => listOctoProducts(sql, { accountId, partnerId: null, ids })),
      listTermsInForce(
        sql,
        keys.map(({ accountId, partnerId, id }) => ({ accountId, partnerId: partnerId ?? 0, productId: id })),
      ),
    ])
    return products.map((product, index) => product && { ...product, terms: terms[index]! })
  })
  const findSlot = createBatchedFind('octo-booked-timeslots', (keys: OwnedId[]) =>
    byAccount(keys, (accountId, ids) => listOctoSlots(sql, accountId, { ids })),
  )

  return {
    findReservation,
    findNamed,

    /**
     * Adds the product and timeslot to each reservation, in order. Leaves out test bookings that were deleted
     * meanwhile.
     */
    async complete(
      { accountId, partnerId }: Viewer,
      rows: readonly queries.OctoReservation[],
    ): Promise<FullReservation[]> {
      const all = <Row>(ids: number[], find: (key: OwnedId) => Promise<Row | undefined>) =>
        Promise.all(
          [...new Set(ids)].map(async (id) => [id, await find({ accountId, partnerId, id })] as const),
        )
      const [products, slots] = await Promise.all([
        all(
          rows.map(({ productId }) => productId),
          findProduct,
        ),
        all(
          rows.map(({ timeslotId }) => timeslotId),
          findSlot,
        ),
      ])
      const [productOf, slotOf] = [new Map(products), new Map(slots)]
      return rows.flatMap((row): FullReservation[] => {
        const [product, slot] = [productOf.get(row.productId), slotOf.get(row.timeslotId)]
        return product && slot ? [{ row, product, slot }] : []
      })
    },
  }
}

/** The row for each key, in order. Runs one query for each account of the batch. */
async function byAccount<Row extends { id: number }>(
  keys: readonly OwnedId[],
  list: (accountId: number, ids: number[]) => Promise<readonly Row[]>,
): Promise<(Row | undefined)[]> {
  const idsOf = new Map<number, Set<number>>()
  for (const { accountId, id } of keys) idsOf.set(accountId, (idsOf.get(accountId) ?? new Set()).add(id))
  const lists = await Promise.all(
    [...idsOf].map(async ([accountId, ids]) => {
      const rows = await list(accountId, [...ids])
      return [accountId, new Map(rows.map((row) => [row.id, row]))] as const
    }),
  )
  const found = new Map(lists)
  return keys.map(({ accountId, id }) => found.get(accountId)!.get(id))
}
