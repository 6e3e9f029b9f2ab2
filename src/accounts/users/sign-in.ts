/**
 * Signing in and out. Each guess at a password is counted before it is checked, and after some wrong guesses
 * the next one must wait. Guesses from a browser or a network address from which the user signed in before
 * are counted separately, so that guesses from elsewhere do not lock the user out.
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
  /** The cookie that identifies the browser; undefined without one. */
  browser: string | undefined
}

/** What the browser gets: the token of its session, and the cookie that identifies it the next time. */
export type OpenedSession = { token: string; browser: string }

export type SignInService = {
  /**
   * Opens a session; null for a wrong password, an unknown user or account, or a disabled user. The result
   * and its time do not show which of these it was.
   * @throws Problem rate-limited after too many guesses at the user's password, or from the same address;
   * unavailable when too many guesses wait for their check.
   */
  signIn(attempt: SignIn): Promise<OpenedSession | null>
  /** The user of this token; null when it is not a session, or has ended. */
  findSession(token: string): Promise<SignedIn | null>
  signOut(token: string): Promise<void>
  /**
   * Changes the password of the user of a session, ends all their sessions, and opens a new one; null when
   * `current` is wrong, or when the user was disabled or the password was changed in the meantime.
   * @throws Problem rate-limited after too many guesses in this session; unavailable when too many guesses
   * wait for their check.
   */
  changeOwnPassword(
    session: { token: string; user: SignedIn },
    change: { current: string; next: string; from: string },
  ): Promise<OpenedSession | null>
}

export const sessionHours = 12
const freeGuesses = { email: 5, network: 30, known: 5 }
/**
 * The most connections that sign-ins use at once. A change of password by a signed-in user is not limited.
 */
const connections = 2
/** The most browsers, and the most addresses, that are known for a user. */
const maxOrigins = 20

type Guess = {
  accountId: number
  email: string
  password: string
  network: string
  /** The guess is counted under the first of these that is known for the user. */
  origins: model.Origin[]
  /** The hash of the session in which the guess is made. If given, the guess is counted under it. */
  session?: Buffer
}

/**
 * The user whose password is guessed, and `own`: the known origin or session that the guess is counted under,
 * if any.
 */
type Counted = { user: queries.Credentials | null; own: Buffer | undefined }

export function createSignInService(sql: Sql, observe: BatchObserver): SignInService {
  // Two queues, so that guesses from unknown browsers and addresses do not delay those from known ones.
  const checks = { known: createChecks(observe), unknown: createChecks(observe) }
  const shares = createShares(connections)

  /**
   * Waits for the network address's turn, then runs work that needs a database connection. The password check
   * needs no connection, so it runs outside a turn.
   */
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
      // The guess is counted for the address first. So an address that must wait adds no row for each user
      // name that it tries.
      await refuseTooMany(accountId, { about: model.aboutNetwork(network), free: freeGuesses.network })
      await refuseTooMany(accountId, { about: model.aboutEmail(email), free: freeGuesses.email })
    }
    return { user, own }
  }

  async function isRight({ password, network }: Guess, { user, own }: Counted): Promise<boolean> {
    const check = { password, storedHash: user?.passwordHash ?? null, network }
    return checks[own ? 'known' : 'unknown'].add(check)
  }

  /**
   * Runs `work` after a right guess, and first resets the count to which the guess was added: that of the
   * user, the origin or the session. Null if there is no such user, or if the password was changed or the
   * user disabled since the check.
   */
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
        // Account 0 represents all unknown accounts.
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

/** `storedHash` is null if there is no such user. */
type PasswordCheck = { password: string; storedHash: string | null; network: string }

/**
 * A queue of password checks. Each check needs 32 MiB and a tenth of a second of processor time, so the queue
 * runs one at a time, and network addresses take turns.
 */
function createChecks(observe: BatchObserver) {
  return createBatcher<PasswordCheck, boolean>({
    maxSize: 1,
    concurrency: 1,
    maxWaiting: 20,
    ownerOf: ({ network }) => network,
    refusal: () => problems.unavailable('Too many people are signing in; please try again.'),
    observe,
    run: async ([check]) => [await model.checkPassword(check!.password, check!.storedHash)],
  })
}

/** Opens a session for a locked user, and records this browser and address as known. */
async function open(
  tx: Transaction,
  { accountId, email, network }: Guess,
  { userId, browser }: { userId: number; browser: string },
): Promise<OpenedSession> {
  const origins = [model.browserOrigin(email, browser)!, model.addressOrigin(email, network)]
  await queries.rememberOrigins(tx, accountId, { userId, origins, most: maxOrigins })
  const { token, hash } = model.makeSession(accountId)
  await insertSession(tx, { accountId, hash, userId, hours: sessionHours })
  return { token, browser }
}
