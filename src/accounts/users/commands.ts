/** The commands of users: their options and their output. */
import type { Command } from 'commander'
import { askSecretly, checked, print, printList, withDatabase } from '../../platform/process/command-line.ts'
import { slugArgument } from '../commands.ts'
import { getAccount } from '../service.ts'
import { makePassword, maxPasswordLength, minPasswordLength, type Role, roles } from './model.ts'
import * as service from './service.ts'

const emailArgument = checked(
  (text) => text.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(text),
  'an e-mail address',
)
const roleArgument = checked<Role>(
  (text) => roles.some((role) => role === text),
  `one of ${roles.join(', ')}`,
)

export function addUserCommands(program: Command): void {
  const users = program.command('users').description('Manage the users of the dashboard.')

  users
    .command('create')
    .description(
      'Create a user. The command asks for a password, or generates and prints one with --generate.',
    )
    .requiredOption('--account <slug>', 'Account the user works for.', slugArgument)
    .requiredOption('--email <address>', 'E-mail address with which the user signs in.', emailArgument)
    .requiredOption(
      '--role <role>',
      'owner or staff. Staff cannot manage users, keys and secrets.',
      roleArgument,
    )
    .option('--generate', 'Make a password and print it. It cannot be shown again.')
    .action(create)

  users
    .command('password')
    .description('Change a user’s password, end all their sessions, and reset the count of wrong passwords.')
    .requiredOption('--account <slug>', 'Account the user works for.', slugArgument)
    .requiredOption('--email <address>', 'E-mail address of the user.', emailArgument)
    .option('--generate', 'Make a password and print it. It cannot be shown again.')
    .action(changePassword)

  users
    .command('disable')
    .description('Disable a user, end all their sessions, and revoke their calendar links.')
    .requiredOption('--account <slug>', 'Account the user works for.', slugArgument)
    .requiredOption('--email <address>', 'E-mail address of the user.', emailArgument)
    .action(async ({ account, email }: { account: string; email: string }) => {
      await withDatabase(async (sql) => service.disableUser(sql, (await getAccount(sql, account)).id, email))
      await print(`User ${email} is disabled.`)
    })

  users
    .command('list')
    .description('List the users of an account.')
    .requiredOption('--account <slug>', 'Account whose users to list.', slugArgument)
    .option('--json', 'Print JSON, for programs.')
    .action(list)
}

type UserTarget = { account: string; email: string; generate?: true }

async function create({ account, email, role, generate }: UserTarget & { role: Role }): Promise<void> {
  const password = await choosePassword(generate)
  await withDatabase(async (sql) => {
    const { id } = await getAccount(sql, account)
    await service.createUser(sql, { accountId: id, email, role, password })
  })
  if (generate) await print(password)
}

async function changePassword({ account, email, generate }: UserTarget): Promise<void> {
  const password = await choosePassword(generate)
  await withDatabase(async (sql) => {
    const { id } = await getAccount(sql, account)
    await service.changePassword(sql, { accountId: id, email, password })
  })
  if (generate) await print(password)
}

async function choosePassword(generate: true | undefined): Promise<string> {
  if (generate) return makePassword()
  const password = await askSecretly('Password: ')
  if (password.length < minPasswordLength || password.length > maxPasswordLength)
    throw new service.UserError(
      `the password must have ${minPasswordLength} to ${maxPasswordLength} characters`,
    )
  return password
}

async function list({ account, json }: { account: string; json?: true }): Promise<void> {
  const users = await withDatabase(async (sql) => service.listUsers(sql, (await getAccount(sql, account)).id))
  const records = users.map(({ id, email, role, createdAt, disabledAt }) => {
    return { ID: id, Email: email, Role: role, CreatedAt: createdAt, DisabledAt: disabledAt }
  })
  await printList(['ID', 'Email', 'Role', 'CreatedAt', 'DisabledAt'], records, json)
}
