/** The fields of a form about a user. */
import { Type } from '../../platform/schema/typebox.ts'
import { roles } from './model.ts'

export const roleSchema = Type.Enum([...roles], {
  description: 'Staff cannot manage users, keys and secrets.',
})

export const newUserSchema = Type.Object({
  Email: Type.String({
    format: 'email',
    maxLength: 254,
    description: 'E-mail address with which the user signs in.',
  }),
  Role: roleSchema,
})
