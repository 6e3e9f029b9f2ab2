/** Where a reader of the log continues, even after a restore or a failover that lost commits. */
import t, { type Test } from 'tap'
import { theService } from '../../src/events/actor.ts'
import { appendEvents } from '../../src/events/append.ts'
import { findReadPosition, type LogPosition, readLogCursor, writeLogCursor } from '../../src/events/cursor.ts'
import { writeCursor } from '../../src/platform/text/cursor.ts'
import { createDatabase, makeCaller } from '../helper.ts'
import { pumpEvents } from '../pump.ts'

async function openLog(t: Test) {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  return {
    ...{ sql, accountId },
    /** Appends and numbers this many events; returns the end of the log. */
    happen: async (count: number): Promise<LogPosition> => {
      for (let made = 0; made < count; made++)
        await sql.begin((tx) =>
          appendEvents(tx, [
            { accountId, actor: theService, type: 'basket.opened', basketId: 1, details: {} },
          ]),
        )
      await pumpEvents(sql)
      return (await findReadPosition(sql, accountId, null)).end
    },
    /**
     * Deletes every event after a number, as a restore to a point in time does. Then changes the timeline, or
     * with `epochsToo` deletes the epochs that began after the number.
     */
    restoreTo: async (number: number, epochsToo = false) => {
      await sql`delete from events where number > ${number}`
      await sql`update event_counters set last_number = ${number}`
      if (!epochsToo) return sql`update event_epochs set timeline = timeline + 100`
      await sql`delete from event_epoch_starts where first_number > ${number}`
      return sql`
        delete from event_epochs where place > 1 and id not in (select epoch from event_epoch_starts)`
    },
    /** The number after which a reader with this cursor continues. */
    after: async (position: LogPosition) => (await findReadPosition(sql, accountId, position)).after,
  }
}

t.test('a cursor continues after its own number while no commit is lost', async (t) => {
  const { happen, after } = await openLog(t)
  const three = await happen(3)
  t.equal(three.number, 3)
  const five = await happen(2)
  t.equal(five.epoch, three.epoch)
  t.equal(await after(three), 3)
  t.equal(await after(five), 5)
})

t.test('a cursor whose events were lost continues at the first number of the new epoch', async (t) => {
  const { happen, restoreTo, after } = await openLog(t)
  const two = await happen(2)
  const five = await happen(3)
  await restoreTo(3)
  t.equal(await after(five), 5, 'nothing is known of the new epoch before its first event')
  const again = await happen(4)
  t.equal(again.number, 7)
  t.not(again.epoch, five.epoch)
  t.equal(await after(five), 3, 'the events 4 to 7 are new to it')
  t.equal(await after(two), 2, 'its own number is lower')
  t.equal(await after(again), 7)
})

t.test('a cursor of an epoch that a restore has lost gets the whole log again', async (t) => {
  const { sql, happen, restoreTo, after } = await openLog(t)
  await happen(3)
  await restoreTo(3)
  const undone = await happen(2)
  await restoreTo(3, true)
  await sql`update event_counters set epoch = null`
  await sql`update event_epochs set timeline = timeline + 100`
  await happen(3)
  t.equal(await after(undone), 0)
})

t.test('an account without events has a log that ends at 0', async (t) => {
  const { sql, accountId } = await openLog(t)
  t.same(await findReadPosition(sql, accountId, null), { after: 0, end: { epoch: 0, number: 0 } })
})

t.test('a cursor of the log is read back unchanged, and a cursor of another list is refused', async (t) => {
  t.same(readLogCursor(writeLogCursor({ epoch: 7, number: 9 })), { epoch: 7, number: 9 })
  t.equal(readLogCursor(undefined), null)
  for (const other of [
    [812, 42],
    ['log', 7],
    ['list', 7, 9],
    ['log', -1, 9],
    ['log', 7, -9],
  ])
    t.throws(() => readLogCursor(writeCursor(other)), { message: /Cursor/ })
})
