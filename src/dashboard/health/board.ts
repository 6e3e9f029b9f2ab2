/**
 * The queues themselves, by Bull Board, for owners. One job carries entries of many accounts, and BullMQ knows none
 * of them, so nothing of it can be shown for one account: it is shown to owners of the only account there is, or of
 * the one that runs the service, as QUEUES_ACCOUNT says, and to nobody else.
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
import { demandSession, isOurs } from '../frame/session.ts'

export const boardPath = '/dashboard/queues'

// As everywhere in the dashboard, but that its page says what its addresses begin with.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'self'; frame-ancestors 'none'"

/** Whose owners may see the jobs of all accounts. */
export type BoardRule = { sql: Sql; queuesAccount: string | undefined }

/** Why somebody may not see the queues; null when they may. */
export async function boardRefusal(
  { sql, queuesAccount }: BoardRule,
  { role, slug, accountId }: SignedIn,
): Promise<Problem | null> {
  if (role !== 'owner') return problems.ownersOnly(role)
  const theirs = queuesAccount === undefined ? await isOnlyAccount(sql, accountId) : queuesAccount === slug
  return theirs
    ? null
    : new Problem(
        'forbidden',
        'Jobs carry what belongs to several accounts, so only owners of the account that QUEUES_ACCOUNT names may look into the queues.',
      )
}

type BoardOptions = BoardRule & { signIns: SignInService; publicUrl: string; queue: JobQueue }

/** To be registered at `boardPath`, outside of what asks for a form's token. */
export const queueBoard: FastifyPluginAsync<BoardOptions> = async (
  app,
  { signIns, publicUrl, queue, ...rule },
) => {
  const board = createBoard(queue, boardPath)
  app.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, hide: true }
    // The board's own handler of errors knows none of ours.
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

/** What is no error of ours is one of the queues' store; the board's page shows this answer in its own words. */
function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (toProblem(error, request).slug !== 'internal') return pageErrorHandler(error, request, reply)
  request.log.warn({ err: error }, 'queues not shown')
  return reply
    .code(503)
    .header('retry-after', 1)
    .send({ error: { key: 'ERRORS.INTERNAL_SERVER_ERROR' } })
}

/** The board has no token of ours to send; a browser's word that the call comes from our own page stands for it. */
function checkChange(request: FastifyRequest, publicUrl: string, queue: JobQueue): void {
  const { method, url } = request
  if (!queue.state().reachable) throw problems.unavailable('The queue is out of reach.')
  if (method === 'GET' || method === 'HEAD') return
  if (isOurs(request, publicUrl) !== true) throw problems.foreignForm()
  if (!isHarmless(method, url.split('?', 1)[0]!))
    throw new Problem(
      'forbidden',
      'Here a job can only be tried again. To remove, add or change one could lose what was accepted, or forge it.',
    )
}

/** Its page asks another host for a typeface, and has styles that the policy forbids; it does without them. */
function withoutForeignParts(page: string): string {
  return page
    .replaceAll(/<link [^>]*https?:\/\/[^>]*>/g, '')
    .replaceAll(/<style>.*?<\/style>/gs, '')
    .replaceAll(/ style="[^"]*"/g, '')
}
