/** Beginning anew what somebody else was in the way of. */

/** What `work` comes to, begun up to `tries` times in all as long as `when` holds for its error. */
export async function tryAgain<T>(
  work: () => Promise<T>,
  { tries, when }: { tries: number; when: (error: unknown) => boolean },
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work()
    } catch (error) {
      if (tried === tries || !when(error)) throw error
    }
  }
}
