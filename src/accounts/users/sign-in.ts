/**
 * Signing in and out. Each guess at a password is counted before it is checked, and after some wrong ones the next has
 * to wait. Guesses from a browser or a network address that the user signed in from before have a count of their own,
 * so that guesses from elsewhere do not keep the user out.
 */
import { problems } from '../../http/problems.ts'
import { type BatchObserver, createBatcher } from '../../platform/async/batcher.ts'
import { createShares } from '../../platform/async/shares.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import { networkOf } from '../../platform/text/network.ts'
import { findAccount } from '../service.ts'
import * as model from './model.ts'
import { deleteSession, findSession, insertSession, type SignedIn, updatePassword } from './queries.ts'
import * as queries from './sign-in-queries.ts'

export { originDays, sweepSignIns } from './sign-in-queries.ts'

export type SignIn = {
  /** The slug of the account. */
  slug: string
  email: string
  password: string
  /** The network address of the client. */
  from: string
  /** The cookie by which the browser may be known; undefined when it brought none. */
  browser: string | undefined
}

/** What the browser is given: the token of its session, and the cookie by which it is known the next time. */
export type OpenedSession = { token: string; browser: string }

export type SignInService = {
  /**
   * Opens a session; null for a wrong password, an unknown user or account, or one who is disabled: which of these
   * takes no shorter and looks no different.
   * @throws Problem rate-limited when too many guesses were made about the user, or from the same address.
   */
  signIn(attempt: SignIn): Promise<OpenedSession | null>
  /** Who holds this token; null when it is none, or over. */
  findSession(token: string): Promise<SignedIn | null>
  signOut(token: string): Promise<void>
  /**
   * Gives the user of a session another password, ends every session of theirs, and opens a new one; null when
   * `current` is wrong.
   * @throws Problem rate-limited when too many guesses were made in this session.
   */
  changeOwnPassword(
    session: { token: string; user: SignedIn },
    change: { current: string; next: string; from: string },
  ): Promise<OpenedSession | null>
}

export const sessionHours = 12
const freeGuesses = { email: 5, network: 30, known: 5 }
/** Connections that signing in uses at once. */
const connections = 2
/** Most browsers, and most addresses, that are known of a user. */
const mostOrigins = 20

type Guess = {
  accountId: number
  email: string
  password: string
  network: string
  /** The first of these that is known of the user counts the guess. */
  origins: model.Origin[]
  /** The hash of the session in which the guess is made. Then the session counts it. */
  session?: Buffer
}

/** The user whose password is guessed at, and the key under which the guess is counted where its origin is known. */
type Counted = { user: queries.Credentials | null; own: Buffer | undefined }

export function createSignInService(sql: Sql, observe: BatchObserver): SignInService {
  // Two queues, so that guesses from unknown addresses, however many, do not delay known ones.
  const checks = { known: createChecks(observe), unknown: createChecks(observe) }
  const shares = createShares(connections)

  /** Does what needs a connection in the turn of a network address. Waiting for a password check needs none. */
  async function inTurn<T>(network: string, work: () => Promise<T>): Promise<T> {
    const turn = shares.take(network)
    await turn.began
    try {
      return await work()
    } finally {
      turn.end()
    }
  }

  async function refuseTooMany(accountId: number, count: queries.GuessCount): Promise<void> {
    const seconds = await queries.countGuess(sql, accountId, count)
    if (seconds > 0) throw problems.tooManyGuesses(seconds)
  }

  /** Counts a guess. @throws Problem rate-limited when it came too early. */
  async function count({ accountId, email, network, origins, session }: Guess): Promise<Counted> {
    const user = await queries.findCredentials(sql, accountId, { email, origins })
    const own = session ?? origins.find(({ kind }) => user?.known.includes(kind))?.about
    if (own) await refuseTooMany(accountId, { about: own, free: freeGuesses.known })
    else {
      // The address is counted first, so that one that has to wait adds no row for each user name that it tries.
      await refuseTooMany(accountId, { about: model.aboutNetwork(network), free: freeGuesses.network })
      await refuseTooMany(accountId, { about: model.aboutEmail(email), free: freeGuesses.email })
    }
    return { user, own }
  }

  async function isRight({ password, network }: Guess, { user, own }: Counted): Promise<boolean> {
    const check = { password, kept: user?.passwordHash ?? null, network }
    return checks[own ? 'known' : 'unknown'].add(check)
  }

  /** What follows a right guess, which is counted no more; null when the password changed since it was checked. */
  function proceed<T>(
    { accountId, email, network }: Guess,
    { user, own }: Counted,
    work: (tx: Transaction, user: queries.Credentials) => Promise<T>,
  ): Promise<T | null> {
    return sql.begin(async (tx) => {
      if (!user || !(await queries.lockCredentials(tx, accountId, user))) return null
      await queries.deleteGuesses(tx, accountId, own ?? model.aboutEmail(email))
      if (!own) await queries.takeBackGuess(tx, accountId, model.aboutNetwork(network))
      return work(tx, user)
    }) as Promise<T | null>
  }

  return {
    async signIn({ slug, email: given, password, from, browser: brought }) {
      const [email, network] = [model.normalizeEmail(given), networkOf(from)]
      const origins = [model.browserOrigin(email, brought) ?? [], model.addressOrigin(email, network)].flat()
      const guess = { accountId: 0, email, password, network, origins }
      const counted = await inTurn(network, async () => {
        // Account 0 stands for every unknown one.
        guess.accountId = (await findAccount(sql, slug))?.id ?? 0
        return count(guess)
      })
      if (!(await isRight(guess, counted))) return null
      const browser = counted.user?.known.includes('browser') ? brought! : model.makeBrowser()
      return inTurn(network, () =>
        proceed(guess, counted, (tx, { id }) => open(tx, guess, { userId: id, browser })),
      )
    },
    async changeOwnPassword({ token, user: { accountId, email } }, { current, next, from }) {
      const session = model.parseSession(token)!.hash
      const guess = { accountId, email, password: current, network: networkOf(from), origins: [], session }
      const counted = await count(guess)
      if (!(await isRight(guess, counted))) return null
      const passwordHash = await model.hashPassword(next)
      return proceed(guess, counted, async (tx, { id }) => {
        await updatePassword(tx, { accountId, email, passwordHash, about: model.aboutEmail(email) })
        return open(tx, guess, { userId: id, browser: model.makeBrowser() })
      })
    },
    async findSession(token) {
      const session = model.parseSession(token)
      return session && findSession(sql, session)
    },
    async signOut(token) {
      const session = model.parseSession(token)
      if (session) await deleteSession(sql, session.accountId, session.hash)
    },
  }
}

type PasswordCheck = { password: string; kept: string | null; network: string }

/** Each check takes 32 MiB and a processor for a while: one at a time, and network addresses in turn. */
function createChecks(observe: BatchObserver) {
  return createBatcher<PasswordCheck, boolean>({
    maxSize: 1,
    concurrency: 1,
    maxWaiting: 20,
    ownerOf: ({ network }) => network,
    refusal: () => problems.unavailable('Too many are signing in; please try again.'),
    observe,
    run: async ([check]) => [await model.checkPassword(check!.password, check!.kept)],
  })
}

/** A new session of a locked user, who is known from now on by this browser and at this address. */
async function open(
  tx: Transaction,
  { accountId, email, network }: Guess,
  { userId, browser }: { userId: number; browser: string },
): Promise<OpenedSession> {
  const origins = [model.browserOrigin(email, browser)!, model.addressOrigin(email, network)]
  await queries.rememberOrigins(tx, accountId, { userId, origins, most: mostOrigins })
  const { token, hash } = model.makeSession(accountId)
  await insertSession(tx, { accountId, hash, userId, hours: sessionHours })
  return { token, browser }
}
