/** The outcome of a batch for each of its items. */
import { within } from './deadline.ts'

/**
 * The outcomes of a batch in the order of its items. A batch that fails, or takes longer than `timeoutMs`,
 * fails all its items: with its error, or with the code ETIMEDOUT. Its work may still finish.
 */
export async function outcomesOf<In, Out>(
  items: In[],
  run: (items: In[]) => Promise<(Out | Error)[]>,
  timeoutMs: number,
): Promise<(Out | Error)[]> {
  try {
    return await within(timeoutMs, run(items), takesTooLong)
  } catch (error) {
    return items.map(() => error as Error)
  }
}

function takesTooLong(): Error {
  return Object.assign(new Error('A batch took too long'), { code: 'ETIMEDOUT' })
}
