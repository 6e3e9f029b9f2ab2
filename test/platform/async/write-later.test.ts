import { pino } from 'pino'
import t from 'tap'
import { createLaterWrites } from '../../../src/platform/async/write-later.ts'
import { until } from '../../until.ts'

const log = pino({ level: 'silent' })

t.test('a write serves many callers, and calls during a write cause one more', async (t) => {
  let [written, waits] = [0, 0]
  const writes = createLaterWrites(log, {
    seconds: 0.01,
    async write() {
      written++
      // Requests another write during the first one.
      if (waits++ === 0) writes.due()
    },
  })
  for (let times = 0; times < 1000; times++) writes.due()
  await until(() => written === 2)
  await writes.close()
  t.equal(written, 2, 'closing writes nothing more')
})

t.test('a failed write is retried', async (t) => {
  let tried = 0
  const writes = createLaterWrites(log, {
    seconds: 0.01,
    async write() {
      if (++tried < 3) throw new Error('away')
    },
  })
  writes.due()
  await until(() => tried === 3)
  await writes.close()
  t.equal(tried, 3)
})

t.test('closing writes what is due, waits for the write, and never fails', async (t) => {
  let tried = 0
  const writes = createLaterWrites(log, {
    seconds: 60,
    async write() {
      tried++
      throw new Error('away')
    },
  })
  writes.due()
  await writes.close()
  t.equal(tried, 1)
  writes.due()
  await writes.close()
  t.equal(tried, 2)
})
