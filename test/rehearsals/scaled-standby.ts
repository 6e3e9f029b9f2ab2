/** Reads of partners while the standby works, pauses its replay, and is killed. */
import { setTimeout as delay } from 'node:timers/promises'
import { bookingBody, bookingPath } from '../helper.ts'
import { until } from '../until.ts'
import { lagSeconds } from './scaled-fleet.ts'
import { ask, expect, type Scene, secondsSince } from './scaled-journeys.ts'
import { say } from './stage.ts'

const day = '2030-06-15'

export async function readStandby(scene: Scene): Promise<void> {
  await until(async () => (await listReasons(scene)).length === 0)
  const before = await countReads(scene)
  for (let turn = 0; turn < 20; turn++) await readAvailable(scene)
  // The statistics of the standby are updated about a second after its reads.
  await until(async () => (await countReads(scene)) >= before + 20)
  say('availability is read from the standby')
}

/** While replay is paused, a new booking still shows within REPLICA_LAG_SECONDS. */
export async function pauseReplay(scene: Scene): Promise<void> {
  const { standbySql, token, activityId, proxy, tally } = scene
  await standbySql`select pg_wal_replay_pause()`
  const body = bookingBody(activityId, { Time: '16:00', Participants: 500 })
  const before = await readAvailable(scene)
  const { status, data } = await ask(proxy.url + bookingPath, { token, body, key: 'paused' })
  expect(status === 201, `a booking was answered ${status}`)
  tally.bookings.push((data as { BookingReference: string }).BookingReference)
  const began = performance.now()
  // The load also books places of this timeslot, but never 400 in this time.
  const isShown = (available: number) => available < before - 400
  let shown = false
  while (!shown) {
    const startedAt = performance.now()
    shown = isShown(await readAvailable(scene))
    expect(shown || startedAt - began <= lagSeconds * 1000, 'availability was older than its bound')
  }
  const after = secondsSince(began)
  await until(async () => (await listReasons(scene)).filter((reason) => /behind/.test(reason)).length === 2)
  for (let turn = 0; turn < 10; turn++)
    expect(isShown(await readAvailable(scene)), 'availability lost the booking again')
  await standbySql`select pg_wal_replay_resume()`
  await until(async () => (await listReasons(scene)).length === 0)
  say(
    `while replay is paused, a booking shows ${after} s later (bound ${lagSeconds} s), and both web processes report the reason`,
  )
  say('after replay resumes, the web processes use the standby again')
}

export async function loseStandby(scene: Scene): Promise<void> {
  const { standby } = scene
  let [stopping, answered] = [false, 0]
  const readers = Array.from({ length: 4 }, async () => {
    while (!stopping) {
      await readAvailable(scene)
      answered++
    }
  })
  await delay(300)
  await standby.kill()
  await until(
    async () => (await listReasons(scene)).filter((reason) => /out of reach/.test(reason)).length === 2,
  )
  await standby.start()
  await until(async () => (await listReasons(scene)).length === 0)
  stopping = true
  await Promise.all(readers)
  say(`the standby was killed and came back during ${answered} requests, and each of them was answered`)
}

/** Free places of the timeslot at 16:00. @throws unless the first response is a 200. */
async function readAvailable({ proxy, token, activityId }: Scene): Promise<number> {
  const url = `${proxy.url}/api/v2/ota/marketplace/availability/${activityId}/timeslots?Date=${day}`
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  expect(answer.status === 200, `availability was answered ${answer.status}`)
  const { data } = (await answer.json()) as { data: { Time: string; Available: number }[] }
  return data.find(({ Time }) => Time === '16:00')!.Available
}

/** The reasons that /readyz of both web processes reports. */
async function listReasons({ webs }: Scene): Promise<string[]> {
  const answers = await Promise.all(webs.map(async ({ url }) => (await fetch(`${url}/readyz`)).json()))
  return answers.flatMap((answer) => (answer as { data: { Reasons: string[] } }).data.Reasons)
}

/** How many scans of timeslots the standby has made. */
async function countReads({ standbySql }: Scene): Promise<number> {
  const [row] = await standbySql<{ reads: number }[]>`
    select coalesce(sum(seq_scan + idx_scan), 0)::bigint as reads from pg_stat_user_tables
    where relname = 'timeslots'`
  return row!.reads
}
