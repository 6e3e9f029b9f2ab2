/** The age of a standby's data, from measurements of the standby and its primary. */
import t from 'tap'
import { createReplicaAge } from '../../../src/platform/postgres/replica-age.ts'

const never = Number.NEGATIVE_INFINITY

t.test(
  'a standby is as recent as the measurement of the last primary position that it has replayed',
  async (t) => {
    const take = createReplicaAge(2000)
    t.equal(take({ replayed: 90, at: 0, position: 100 }), never)
    t.equal(take({ replayed: 99, at: 250, position: 200 }), never)
    t.equal(take({ replayed: 150, at: 500, position: 300 }), 0)
    t.equal(take({ replayed: 300, at: 750, position: 400 }), 500)
  },
)

t.test('while the primary is idle, each measurement makes the standby current', async (t) => {
  const take = createReplicaAge(2000)
  for (const at of [0, 250, 60_000]) t.equal(take({ replayed: 100, at, position: 100 }), at)
})

t.test('a standby grows old when its replay is paused or it is disconnected', async (t) => {
  const take = createReplicaAge(2000)
  take({ replayed: 100, at: 0, position: 100 })
  for (const at of [250, 500, 5000]) t.equal(take({ replayed: 100, at, position: 100 + at }), 0)
  t.equal(
    take({ replayed: 4000, at: 5250, position: 6000 }),
    0,
    'measurements from too long ago are not used',
  )
  t.equal(take({ replayed: 6000, at: 5500, position: 7000 }), 5250)
})

t.test('a standby that is ahead of its primary has another history, so its age is unknown', async (t) => {
  const take = createReplicaAge(2000)
  t.equal(take({ replayed: 100, at: 0, position: 100 }), 0)
  t.equal(take({ replayed: 130, at: 250, position: 120 }), never)
  t.equal(take({ replayed: 130, at: 500, position: 140 }), never)
})

t.test(
  'the age of a standby that has replayed less than before is unknown: it was restarted or replaced',
  async (t) => {
    const take = createReplicaAge(2000)
    t.equal(take({ replayed: 100, at: 0, position: 100 }), 0)
    t.equal(take({ replayed: 60, at: 250, position: 120 }), never)
    t.equal(take({ replayed: 110, at: 500, position: 130 }), never)
    t.equal(take({ replayed: 130, at: 750, position: 140 }), 500)
  },
)
