/** Shared by the tests of the dashboard: an operator whose users are signed in, and functions that read pages. */
import { randomBytes, scryptSync } from 'node:crypto'
import type { Test } from 'tap'
import { csrfToken, makeSession, type Role } from '../../src/accounts/users/model.ts'
import { insertSession, insertUser } from '../../src/accounts/users/queries.ts'
import { modeOf } from '../../src/dashboard/frame/mode.ts'
import { makeOperator } from '../operator.ts'

export const password = 'a long enough password'
// Weak parameters, because hashPassword() takes a tenth of a second. The stored hash contains its parameters.
const salt = randomBytes(16)
export const passwordHash = [
  ...['scrypt', 2, 8, 1, salt.toString('base64url')],
  scryptSync(password, salt, 32, { N: 2, r: 8, p: 1 }).toString('base64url'),
].join('$')

/**
 * Makes an operator. `signIn` makes a user whose `get` and `post` send requests as a browser without JavaScript does.
 */
export async function makeDashboard(t: Test, settings: Parameters<typeof makeOperator>[1] = {}) {
  const operator = await makeOperator(t, settings)
  const { app, sql, accountId } = operator
  const signIn = async (role: Role = 'owner', email = `${role}@quay.test`, account = { accountId }) => {
    const userId = (await insertUser(sql, { accountId: account.accountId, email, role, passwordHash }))!
    const session = makeSession(account.accountId)
    await insertSession(sql, { accountId: account.accountId, hash: session.hash, userId, hours: 12 })
    const cookie = `abs_session=${session.token}`
    const get = async (url: string, headers: Record<string, string> = {}) => {
      const answer = await app.inject({ url, headers: { cookie, ...headers } })
      const { location } = answer.headers
      // The page that offers timeslots redirects once, to an address that has the key of its form.
      return /[?&]Key=/.test(String(location))
        ? app.inject({ url: location!, headers: { cookie, ...headers } })
        : answer
    }
    /** Sends a form. `once` is its idempotency key, and `csrf` its token; by default, both are valid. */
    const post = async (
      url: string,
      fields: Record<string, string | string[]> = {},
      { once = crypto.randomUUID(), csrf }: { once?: string; csrf?: string } = {},
    ) => {
      const form = new URLSearchParams({ _csrf: csrf ?? csrfToken(session.token, modeOf(url)), _once: once })
      for (const [name, value] of Object.entries(fields)) {
        for (const text of [value].flat()) form.append(name, text)
      }
      return app.inject({
        method: 'POST',
        url,
        headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
        payload: form.toString(),
      })
    }
    return { userId, email, cookie, get, post }
  }
  return { ...operator, signIn }
}

/** The CSRF token in the forms of a page. */
export function tokenIn(body: string): string {
  return /name="_csrf" value="([^"]+)"/.exec(body)![1]!
}

const entities: Record<string, string> = { 38: '&', 60: '<', 62: '>', 34: '"', 39: '’' }

/** The text of a page, on one line. */
export function textOf(body: string): string {
  return body
    .replace(/<(style|script)[^>]*>.*?<\/\1>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#(\d+);/g, (_, code) => entities[code] ?? ' ')
    .replace(/\s+/g, ' ')
}

/** The text of a page below its menu, on one line. */
export function mainOf(body: string): string {
  return textOf(body.slice(body.indexOf('<main')))
}

/** The value of a hidden field of a page; empty if the page has no such field. */
export function hidden(body: string, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? ''
  return value.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}
