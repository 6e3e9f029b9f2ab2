/** The command that lists reservations. */
import t from 'tap'
import { run } from '../../command-line.ts'
import { contact, openReservations } from './fixtures.ts'

t.test('reservations that hold places are listed without names of customers', async (t) => {
  const { url, reserve, confirm, runOut, find } = await openReservations(t, 20)
  const list = (...more: string[]) =>
    run({ DATABASE_URL: url }, 'reservations', 'list', '--account', 'quay', ...more)
  t.match(await list(), { code: 0, stdout: 'No reseller holds any places.\n' })
  const held = await reserve({ contact })
  await confirm(await reserve())
  await runOut(await reserve())
  const { reference } = (await find(held))!
  const { stdout } = await list()
  t.match(stdout, /^BOOKING REFERENCE +PARTNER +PRODUCT +DATE +TIME +PLACES +HELD UNTIL\n/)
  t.match(stdout, new RegExp(`\n${reference} +Viator +Kayak +2030-06-15 +10:00 +3 +\\d{4}-.*\n$`))
  t.equal(stdout.trim().split('\n').length, 2)
  t.match(JSON.parse((await list('--json')).stdout), [{ BookingReference: reference, Places: 3 }])
  t.notMatch(stdout, 'Lovelace')
})
