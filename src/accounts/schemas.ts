/** The fields of a form that makes an API key. */
import { type Static, Type } from '../platform/schema/typebox.ts'
import { scopes } from './model.ts'

export const longestKeyDays = 36_500

export const newKeySchema = Type.Object({
  Partner: Type.Optional(
    Type.String({
      trimmedLength: 255,
      pattern: '^[^\\p{Cc}\\p{Zl}\\p{Zp}]*$',
      errorMessage: 'must be one line of text',
      description: 'Name of the partner of the key. A partner that does not exist is created.',
    }),
  ),
  Scopes: Type.Array(Type.Enum([...scopes]), { minItems: 1, description: 'What the key may do.' }),
  ExpiresInDays: Type.Optional(
    Type.Integer({ minimum: 1, maximum: longestKeyDays, description: 'Days after which the key expires.' }),
  ),
})
export type NewKeyRequest = Static<typeof newKeySchema>
