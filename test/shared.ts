/**
 * Fixtures that the tests of a process share one after another, for example an application with its database, or a
 * browser: making one takes longer than most tests.
 */
import type { Test } from 'tap'

/** Registers functions that end the fixture. */
export type Owner = Pick<Test, 'teardown'>

/** `refresh` restores the initial state; it returns false if it cannot. */
export type Made<One> = { one: One; refresh: () => Promise<boolean> }
type Shared<One> = Made<One> & { end: () => Promise<void> }
type Idle = { key: string; shared: Shared<unknown>; timer: NodeJS.Timeout }

const idle: Idle[] = []
const maxIdle = 5
// An idle fixture keeps the process alive, so it ends after this time. The next test begins sooner.
const idleMs = 1000

/**
 * Returns an idle fixture with this key, or a new one. It ends if it cannot be refreshed, or if no test borrows it
 * soon.
 */
export async function borrow<One>(
  test: Owner,
  key: string,
  make: (owner: Owner) => Promise<Made<One>>,
): Promise<One> {
  const known = idle.findLast((one) => one.key === key)
  const shared = known ? (take(known) as Shared<One>) : await create(make)
  test.teardown(async () => {
    // A test may have broken the fixture, for example ended its connections.
    if (!(await shared.refresh().catch(() => false))) return shared.end()
    const back: Idle = {
      key,
      shared,
      timer: setTimeout(
        () =>
          take(back)
            .end()
            .catch(() => {}),
        idleMs,
      ),
    }
    idle.push(back)
    if (idle.length > maxIdle) await take(idle[0]!).end()
  })
  return shared.one
}

function take(wanted: Idle): Shared<unknown> {
  clearTimeout(wanted.timer)
  idle.splice(idle.indexOf(wanted), 1)
  return wanted.shared
}

async function create<One>(make: (owner: Owner) => Promise<Made<One>>): Promise<Shared<One>> {
  const ends: Parameters<Owner['teardown']>[0][] = []
  const made = await make({ teardown: (end) => ends.push(end) })
  const end = async () => {
    for (const act of ends.toReversed()) await act()
  }
  return { ...made, end }
}
