/**
 * Shows the queues with Bull Board. A job has entries of many accounts, so the board always shows data of all
 * accounts. Only owners of the account in QUEUES_ACCOUNT may see it. If QUEUES_ACCOUNT is not set, owners may
 * see it while the service has only one account.
 */
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { isOnlyAccount } from '../../accounts/service.ts'
import type { SignedIn } from '../../accounts/users/service.ts'
import type { SignInService } from '../../accounts/users/sign-in.ts'
import { toProblem } from '../../http/error-handler.ts'
import { Problem, problems } from '../../http/problems.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { createBoard, isHarmless } from '../../queue/board.ts'
import type { JobQueue } from '../../queue/producer.ts'
import { pageErrorHandler } from '../frame/errors.ts'
import { demandSession, isSameOrigin } from '../frame/session.ts'

export const boardPath = '/dashboard/queues'

// Like the policy of the dashboard, but the page may load fonts and set its base address, and may not send forms.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'self'; frame-ancestors 'none'"

/** `queuesAccount` is the slug of the account whose owners may see the jobs of all accounts. */
export type BoardRule = { sql: Sql; queuesAccount: string | undefined }

/** Why a user may not see the queues; null if they may. */
export async function boardRefusal(
  { sql, queuesAccount }: BoardRule,
  { role, slug, accountId }: SignedIn,
): Promise<Problem | null> {
  if (role !== 'owner') return problems.ownersOnly(role)
  const theirs = queuesAccount === undefined ? await isOnlyAccount(sql, accountId) : queuesAccount === slug
  if (theirs) return null
  if (queuesAccount === undefined)
    return new Problem(
      'forbidden',
      'The queues show data of several accounts, so nobody may see them until QUEUES_ACCOUNT names the account whose owners may.',
    )
  return new Problem(
    'forbidden',
    'The queues show data of several accounts, so only owners of the account that QUEUES_ACCOUNT names may see them.',
  )
}

type BoardOptions = BoardRule & { signIns: SignInService; publicUrl: string; queue: JobQueue }

/**
 * Register the board at `boardPath`, outside the scope that checks form tokens: the board does not send a
 * token.
 */
export const queueBoard: FastifyPluginAsync<BoardOptions> = async (
  app,
  { signIns, publicUrl, queue, ...rule },
) => {
  const board = createBoard(queue, boardPath)
  app.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, hide: true }
    // The board's own error handler does not know our errors.
    route.errorHandler = answerError
  })
  app.addHook('onRequest', async (request, reply) => {
    await demandSession(request, reply, signIns)
    if (reply.sent) return reply
    const refusal = await boardRefusal(rule, request.session.user)
    if (refusal) throw refusal
    checkChange(request, publicUrl, queue)
    reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-store' })
    board.refresh()
  })
  app.addHook('onSend', async (_request, reply, payload) => {
    return typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('text/html')
      ? withoutForeignParts(payload)
      : payload
  })
  await app.register(board.plugin)
}

/**
 * Problems become error pages. Any other error most likely comes from the store of the queues, and gets a
 * response with 503 in the format of Bull Board, which shows it on its own page.
 */
function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (toProblem(error, request).slug !== 'internal') return pageErrorHandler(error, request, reply)
  request.log.warn({ err: error }, 'queues not shown')
  return reply
    .code(503)
    .header('retry-after', 1)
    .send({ error: { key: 'ERRORS.INTERNAL_SERVER_ERROR' } })
}

/**
 * Refuses all requests while the store is unreachable, and changes that could lose jobs. The board sends no form
 * token, so the headers of the browser must say that a change comes from one of our pages.
 */
function checkChange(request: FastifyRequest, publicUrl: string, queue: JobQueue): void {
  const { method, url } = request
  if (!queue.state().reachable) throw problems.unavailable('The queue cannot be reached.')
  if (method === 'GET' || method === 'HEAD') return
  if (isSameOrigin(request, publicUrl) !== true) throw problems.foreignForm()
  if (!isHarmless(method, url.split('?', 1)[0]!))
    throw new Problem(
      'forbidden',
      'On this page a job can only be retried. Removing, adding or changing a job could lose or forge accepted data.',
    )
}

/** Removes links to other hosts, such as fonts, and inline styles, because the policy forbids both. */
function withoutForeignParts(page: string): string {
  return page
    .replaceAll(/<link [^>]*https?:\/\/[^>]*>/g, '')
    .replaceAll(/<style>.*?<\/style>/gs, '')
    .replaceAll(/ style="[^"]*"/g, '')
}
