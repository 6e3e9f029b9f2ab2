/** The page on which owners manage the users of the dashboard. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { makePassword } from '../../accounts/users/model.ts'
import { newUserSchema, roleSchema } from '../../accounts/users/schemas.ts'
import * as users from '../../accounts/users/service.ts'
import { idInPathSchema } from '../../catalogue/schemas.ts'
import { html } from '../../http/pages.ts'
import { problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { faultIn } from '../../languages/faults.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import { createAndShowSecret } from '../frame/shown-once.ts'
import { textsFor } from '../frame/texts.ts'
import { inviteForm, userList } from './views.ts'

const path = '/dashboard/users'
const schema = { hide: true, params: Type.Object({ UserID: idInPathSchema }) }

export const userPages: Routes<{ sql: Sql }> = (app, { sql }) => {
  app.get('/users', { schema: { hide: true } }, (request, reply) => sendUsers(request, reply))

  app.post('/users', { schema: { hide: true, body: newUserSchema } }, (request, reply) => {
    const { Email, Role } = request.body
    const t = textsFor(request)
    const { accountId } = request.session.user
    return showRefusal(request, reply, () =>
      createAndShowSecret(sql, request, reply, {
        operation: 'user.create',
        what: 'invitation',
        about: t.say('users.invited', { email: Email, account: request.session.user.slug }),
        back: path,
        make: async (tx) => {
          const password = makePassword()
          await users.createUser(tx, { accountId, email: Email, role: Role, password })
          return password
        },
      }),
    )
  })

  app.post('/users/:UserID/password', { schema }, (request, reply) => {
    const { accountId } = request.session.user
    return showRefusal(request, reply, async () => {
      const { email } = await users.getUser(sql, accountId, Number(request.params.UserID))
      return createAndShowSecret(sql, request, reply, {
        operation: 'user.password',
        what: 'password',
        about: textsFor(request).say('users.password-changed', { email }),
        back: path,
        make: async (tx) => {
          const password = makePassword()
          await users.changePassword(tx, { accountId, email, password })
          return password
        },
      })
    })
  })

  const body = Type.Object({ Role: roleSchema })
  app.post('/users/:UserID/role', { schema: { ...schema, body } }, (request, reply) =>
    showRefusal(request, reply, async () => {
      const { accountId } = request.session.user
      await users.changeRole(sql, accountId, Number(request.params.UserID), request.body.Role)
      return reply.redirect(doneAt(path, 'user-role'), 303)
    }),
  )

  const changes = [
    ['disable', users.disableUser, 'user-disabled'],
    ['enable', users.enableUser, 'user-enabled'],
    ['sign-out', users.signOutEverywhere, 'user-signed-out'],
  ] as const
  for (const [name, change, word] of changes) {
    app.post(`/users/:UserID/${name}`, { schema }, (request, reply) =>
      showRefusal(request, reply, async () => {
        await change(sql, request.session.user.accountId, Number(request.params.UserID))
        return reply.redirect(doneAt(path, word), 303)
      }),
    )
  }

  /** Runs `work`. If that throws a UserError, shows its message above the list of users. */
  async function showRefusal(
    request: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof users.UnknownUser) throw problems.notFound()
      if (error instanceof users.UserError)
        return sendUsers(request, reply, faultIn(textsFor(request), error.message))
      throw error
    }
  }

  async function sendUsers(
    request: FastifyRequest,
    reply: FastifyReply,
    fault?: string,
  ): Promise<FastifyReply> {
    const { session } = request
    const t = textsFor(request)
    const list = await users.listUsers(sql, session.user.accountId)
    return sendDashboard(reply, session, {
      title: t.say('users.title'),
      status: fault ? 409 : 200,
      assets: ['upkeep.css'],
      body: html`${fault ? html`<p role="alert" class="fault">${t.say('users.nothing-changed', { fault })}</p>` : ''}
${userList(session, list, t)}
<h2>${t.say('users.invite.title')}</h2>
${inviteForm(session, t)}`,
    })
  }
}
