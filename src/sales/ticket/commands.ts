/** The commands of tickets. They print no personal data. */
import type { Command } from 'commander'
import { slugArgument } from '../../accounts/commands.ts'
import { getAccount } from '../../accounts/service.ts'
import { theService } from '../../events/actor.ts'
import { withoutRequest } from '../../http/idempotent-request.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { checked, print, printList, withDatabase } from '../../platform/process/command-line.ts'
import { isTicketId } from './model.ts'
import type { TicketView } from './schemas.ts'
import * as service from './service.ts'

const ticketArgument = checked(isTicketId, 'a TicketID, as a scanner reads it')

export function addTicketCommands(program: Command): void {
  const tickets = program.command('tickets').description('List and redeem the tickets of bookings.')

  tickets
    .command('list')
    .description('List the tickets of a booking, including void tickets.')
    .requiredOption('--account <slug>', 'Account to look at.', slugArgument)
    .requiredOption('--booking <reference>', 'The booking’s reference.')
    .option('--json', 'Print JSON, for programs.')
    .action(list)

  tickets
    .command('redeem')
    .description(
      'Redeem a ticket: its holder has come. The first redeemed ticket of a booking checks the party in.',
    )
    .argument('<id>', 'The ticket’s ID in `tickets list`.', ticketArgument)
    .requiredOption('--account <slug>', 'Account of the operator.', slugArgument)
    .action(async (ticketId: string, options: { account: string }) => {
      const ticket = await change(ticketId, options, { operation: 'ticket.redeem', act: service.redeem })
      await print(`${nameOf(ticket)} is redeemed.`)
    })

  tickets
    .command('undo-redeem')
    .description(
      'Undo the redemption of a ticket. If nobody else of the party is checked in, the booking is no longer checked in.',
    )
    .argument('<id>', 'The ticket’s ID in `tickets list`.', ticketArgument)
    .requiredOption('--account <slug>', 'Account of the operator.', slugArgument)
    .action(async (ticketId: string, options: { account: string }) => {
      const how = { operation: 'ticket.undo-redeem', act: service.undoRedemption }
      await print(`${nameOf(await change(ticketId, options, how))} is not redeemed.`)
    })
}

type TicketChange = { operation: string; act: typeof service.redeem }

function change(ticketId: string, { account }: { account: string }, { operation, act }: TicketChange) {
  return withDatabase(async (sql: Sql) => {
    const { id: accountId } = await getAccount(sql, account)
    const subject = { accountId, ticketId, actor: theService }
    const { answer } = await act(sql, withoutRequest(operation, subject), subject)
    return answer
  })
}

function nameOf({
  Number: number,
  BookingReference,
  Unit,
  ProductName,
  Date: date,
  Time,
}: TicketView): string {
  return `Ticket ${number} of booking ${BookingReference} (${Unit.Name}, ${ProductName}, ${date} ${Time})`
}

type TicketListOptions = { account: string; booking: string; json?: true }

async function list({ account, booking, json }: TicketListOptions): Promise<void> {
  const found = await withDatabase(async (sql) => {
    const { id: accountId } = await getAccount(sql, account)
    return service.listTickets(sql, { accountId, reference: booking })
  })
  if (found.length === 0 && !json) return print('The booking has no tickets: none have been made yet.')
  const records = found.map(({ TicketID, Number: number, Unit, Status, RedeemedAt, VoidedAt }) => ({
    Number: number,
    TicketID,
    Unit: Unit.Name,
    Status,
    RedeemedAt: RedeemedAt && new Date(RedeemedAt),
    VoidedAt: VoidedAt && new Date(VoidedAt),
  }))
  await printList(['Number', 'TicketID', 'Unit', 'Status', 'RedeemedAt', 'VoidedAt'], records, json)
}
