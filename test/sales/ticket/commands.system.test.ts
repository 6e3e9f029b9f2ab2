/** The commands of tickets. */
import t, { type Test } from 'tap'
import { oneLine, run } from '../../command-line.ts'
import { openGate } from './fixtures.ts'

async function open(t: Test) {
  const gate = await openGate(t)
  const account = ['--account', 'quay']
  const tickets = (command: string, ...args: string[]) =>
    run({ DATABASE_URL: gate.url }, 'tickets', command, ...args, ...account)
  return { ...gate, tickets }
}

t.test('the tickets of a booking are listed without names of customers', async (t) => {
  const { book, make, describe, tickets } = await open(t)
  const reference = await book()
  const none = await tickets('list', '--booking', reference)
  t.match(none, { code: 0, stdout: 'The booking has no tickets: none have been made yet.\n' })
  const [first, second] = await make(reference)
  await describe(reference, first!, { Contact: { FirstName: 'Grace' } })
  const { stdout } = await tickets('list', '--booking', reference)
  t.match(stdout, /^NUMBER +TICKET ID +UNIT +STATUS +REDEEMED AT +VOIDED AT\n1 /)
  t.match(stdout, new RegExp(`\n2 +${second!.TicketID} +Person +valid +- +-\n$`))
  const json = await tickets('list', '--booking', reference, '--json')
  t.match(JSON.parse(json.stdout), [
    { TicketID: first!.TicketID, Status: 'valid', RedeemedAt: null },
    { Number: 2 },
  ])
  t.notMatch(stdout + json.stdout, 'Grace')
  const unknown = await tickets('list', '--booking', 'NOBODY')
  t.match(unknown, { code: 1, stdout: '', stderr: 'error: There is no booking with this reference.\n' })
})

t.test(
  'redeeming a ticket checks its party in once, and undoing the redemption clears the attendance',
  async (t) => {
    const { bookTickets, list, attendance, history, tickets } = await open(t)
    const { reference, tickets: made } = await bookTickets()
    const { TicketID } = made[1]!
    const redeemed = await tickets('redeem', TicketID)
    t.match(redeemed, {
      code: 0,
      stderr: '',
      stdout: new RegExp(
        `^Ticket 2 of booking ${reference} \\(Person, .*2030-06-15 10:00\\) is redeemed\\.\n$`,
      ),
    })
    t.match(await list(reference), [{ Status: 'valid' }, { Status: 'redeemed' }])
    t.equal(await attendance(reference), 'checked-in')
    t.match(await tickets('redeem', TicketID), {
      code: 1,
      stdout: '',
      stderr: /^error: The ticket was redeemed at \d/,
    })

    t.match(await tickets('undo-redeem', TicketID), { code: 0, stdout: /is not redeemed\.\n$/ })
    t.equal(await attendance(reference), null)
    t.match((await history(reference)).slice(-4), [
      { Action: 'ticket-redeemed', Actor: { Kind: 'service' } },
      { Action: 'checked-in' },
      { Action: 'redemption-undone' },
      { Action: 'attendance-cleared' },
    ])
    const other = TicketID.replace(/^.{8}/, '00000000')
    t.match(await tickets('redeem', other), {
      code: 1,
      stderr: 'error: There is no ticket with this TicketID.\n',
    })
    t.match(await tickets('redeem', 'torn'), { code: 2, stdout: '', stderr: oneLine })
  },
)
