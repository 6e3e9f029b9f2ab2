/** The field that marks test data in a response. Responses about live accounts do not have it. */
import { Type } from '../platform/schema/typebox.ts'
import { isTestAccount } from './model.ts'

export const testModeFields = {
  TestMode: Type.Optional(
    Type.Literal(true, {
      description: 'Made in test mode: it is not real, and takes no places that are on sale.',
      examples: [true],
    }),
  ),
}

export function testModeView({ accountId }: { accountId: number }): { TestMode?: true } {
  return isTestAccount(accountId) ? { TestMode: true } : {}
}
