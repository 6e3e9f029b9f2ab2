/** How an answer says that what it shows was made in test mode. Answers about live accounts do not have the field. */
import { Type } from '../platform/schema/typebox.ts'
import { isTestAccount } from './model.ts'

export const testModeFields = {
  TestMode: Type.Optional(
    Type.Literal(true, {
      description: 'Made with a test key: nobody comes, and it takes no place that is on sale.',
      examples: [true],
    }),
  ),
}

export function testModeView({ accountId }: { accountId: number }): { TestMode?: true } {
  return isTestAccount(accountId) ? { TestMode: true } : {}
}
