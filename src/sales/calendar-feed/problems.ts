/** Makes the problems of calendar feeds. */
import { Problem } from '../../http/problems.ts'

export const feedProblems = {
  notFound: () => new Problem('not-found', 'There is no such calendar link, or it was revoked.'),
  busy: (seconds: number) =>
    new Problem(
      'rate-limited',
      `This calendar was fetched too often; please wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
      { headers: { 'retry-after': String(seconds) } },
    ),
}
