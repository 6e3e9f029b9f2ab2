/** A user of the dashboard who signs in with the sign-in form, from any network address and browser. */
import { execFileSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import type { Test } from 'tap'
import { insertUser } from '../../src/accounts/users/queries.ts'
import { makeFolder } from '../command-line.ts'
import { build, makeCaller } from '../helper.ts'
import { password, passwordHash } from './fixtures.ts'

export const email = 'ana@quay.test'

type Cookies = { cookies: { name: string; value: string }[] }

export async function makeUser(t: Test, environment: Record<string, string> = {}) {
  const built = await build(t, { environment })
  const { app, sql } = built
  const { accountId } = await makeCaller(sql, { slug: 'quay' })
  await insertUser(sql, { accountId, email, role: 'owner', passwordHash })
  const signIn = (changes: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url: '/dashboard/sign-in',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams({
        Account: 'quay',
        Email: email,
        Password: password,
        ...changes,
      }).toString(),
    })
  return { ...built, accountId, signIn }
}

/**
 * Blocks the threads that check passwords until the returned function is called: each thread opens a pipe that
 * nobody writes to yet.
 */
export async function blockPasswordChecks(t: Test): Promise<() => void> {
  const folder = await makeFolder(t)
  const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4)
  const pipes = Array.from({ length: threads }, (_, number) => path.join(folder, `pipe-${number}`))
  execFileSync('mkfifo', pipes)
  const opened = pipes.map((pipe) => open(pipe, 'r'))
  let isHeld = true
  const release = () => {
    if (isHeld) for (const pipe of pipes) closeSync(openSync(pipe, 'r+'))
    isHeld = false
  }
  t.teardown(async () => {
    release()
    for (const file of opened) await (await file).close()
  })
  return release
}

/** The cookie of a session that was opened, as a browser sends it back. */
export function cookieOf({ cookies }: Cookies): string {
  return cookiesOf({ cookies }, 'abs_session')
}

/** The cookie by which the browser is recognised at the next sign-in. */
export function browserOf({ cookies }: Cookies): string {
  return cookiesOf({ cookies }, 'abs_browser_')
}

function cookiesOf({ cookies }: Cookies, prefix: string): string {
  const cookie = cookies.find(({ name }) => name.startsWith(prefix))
  return `${cookie?.name}=${cookie?.value}`
}
