/** The commands of calendar feeds. */
import type { Command } from 'commander'
import { slugArgument } from '../../accounts/commands.ts'
import { getAccount } from '../../accounts/service.ts'
import { theService } from '../../events/actor.ts'
import { print, printList, wholeNumber, withDatabase } from '../../platform/process/command-line.ts'
import { listFeeds, revokeFeed } from './service.ts'

export function addCalendarCommands(program: Command): void {
  const links = program
    .command('calendar-links')
    .description('List and revoke the links of calendar programs.')

  links
    .command('list')
    .description(
      'List an account’s calendar links that are not revoked, newest first, without their secrets; at most 500.',
    )
    .requiredOption('--account <slug>', 'Account to look at.', slugArgument)
    .option('--json', 'Print JSON, for programs.')
    .action(async ({ account, json }: { account: string; json?: true }) => {
      const feeds = await withDatabase(async (sql) =>
        listFeeds(sql, (await getAccount(sql, account)).id, null),
      )
      const records = feeds.map((feed) => ({
        ID: feed.id,
        User: feed.userEmail,
        Product: feed.productName,
        Names: feed.showsNames ? 'shown' : 'not shown',
        CreatedAt: feed.createdAt,
        LastUsedAt: feed.lastUsedAt,
      }))
      await printList(['ID', 'User', 'Product', 'Names', 'CreatedAt', 'LastUsedAt'], records, json)
    })

  links
    .command('revoke')
    .description('End a calendar link at once.')
    .argument('<id>', 'The link’s ID in `calendar-links list`.', wholeNumber(Number.MAX_SAFE_INTEGER))
    .requiredOption('--account <slug>', 'Account whose link it is.', slugArgument)
    .action(async (id: number, { account }: { account: string }) => {
      await withDatabase(async (sql) => {
        const by = { accountId: (await getAccount(sql, account)).id, actor: theService }
        await sql.begin((tx) => revokeFeed(tx, by, { id, userId: null }))
      })
      await print(`Calendar link ${id} is revoked.`)
    })
}
