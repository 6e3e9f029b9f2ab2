/** Fixtures for tests of the event log: an operator with a catalogue, and events in a short form. */
import type { Test } from 'tap'
import type { CatalogueFile } from '../../src/catalogue/file/schemas.ts'
import { importCatalogue } from '../../src/catalogue/file/service.ts'
import { theService } from '../../src/events/actor.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { clockAt } from '../clock.ts'
import { makeDashboard } from '../dashboard/fixtures.ts'
import { makeProduct } from '../helper.ts'

export type LoggedEvent = {
  type: string
  /** Kind and id, such as `key 7`; only the kind if there is no id. */
  actor: string
  productId: number | null
  timeslotId: number | null
  basketId: number | null
  details: object
}

/**
 * Events of these kinds of subject ('product', 'timeslot', …) with an id above `after`, in the order of their
 * ids.
 */
export function listLogged(sql: Sql, things: string[], after = 0): Promise<LoggedEvent[]> {
  return sql<LoggedEvent[]>`
    select type, concat_ws(' ', actor, actor_id) as actor, product_id as "productId", timeslot_id as "timeslotId",
      basket_id as "basketId", details
    from events
    where split_part(type, '.', 1) = any(${things}) and id > ${after}
    order by id`
}

/** The last id in the log; 0 when it is empty. */
export async function lastId(sql: Sql): Promise<number> {
  const [row] = await sql<{ id: number }[]>`select coalesce(max(id), 0) as id from events`
  return row!.id
}

/**
 * Makes, on 1 June 2030, an operator with a key and an owner, and a product with one timeslot of eight
 * places.
 */
export async function prepareCatalogue(t: Test) {
  const dashboard = await makeDashboard(t, clockAt('2030-06-01T08:00Z'))
  const { sql, accountId, signIn } = dashboard
  const { id: productId, activityId } = await makeProduct(sql, accountId, {
    slots: { '2030-06-15 10:00': 8 },
  })
  const [slot] = await sql<{ id: number }[]>`select id from timeslots`
  const [key] = await sql<{ id: number }[]>`select id from api_keys where 'operator' = any(scopes)`
  const owner = await signIn()
  let seen = 0
  /** The events of products and timeslots since the last call. */
  const look = async () => {
    const events = await listLogged(sql, ['product', 'timeslot'], seen)
    seen = await lastId(sql)
    return events
  }
  /** The same events as pairs of type and details. */
  const lookAt = async () => (await look()).map(({ type, details }) => [type, details])
  const load = (file: CatalogueFile, horizonDays = 2) =>
    importCatalogue(sql, { accountId, actor: theService }, JSON.stringify(file), { horizonDays })
  const byKey = `key ${key!.id}`
  const byOwner = `user ${owner.userId}`
  const timeslotId = slot!.id
  const of = { productId, timeslotId, basketId: null }
  return { ...dashboard, productId, activityId, timeslotId, owner, look, lookAt, load, byKey, byOwner, of }
}
