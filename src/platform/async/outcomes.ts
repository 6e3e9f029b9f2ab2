/** What a batch came to, for each of its items. */
import { within } from './deadline.ts'

/**
 * The outcomes of a batch in the order of its items. A batch that fails, or takes longer than `timeoutMs`, fails all of
 * them: with its error, or with the code ETIMEDOUT. What it does may still be done.
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
