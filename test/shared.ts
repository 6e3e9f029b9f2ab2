/**
 * What the tests of a process use one after another, because to make it takes longer than most tests take: an application
 * with its database, a browser.
 */
import type { Test } from 'tap'

/** Who ends what it makes. */
export type Owner = Pick<Test, 'teardown'>

/** `refresh` makes it as it was when it was new; it says false if it cannot. */
export type Made<One> = { one: One; refresh: () => Promise<boolean> }
type Shared<One> = Made<One> & { end: () => Promise<void> }
type Idle = { key: string; shared: Shared<unknown>; timer: NodeJS.Timeout }

const idle: Idle[] = []
const maxIdle = 5
// A process ends when nothing is open. Its next test begins sooner than this.
const idleMs = 1000

/** One with this key that no test uses now, or a new one. It ends when it cannot be refreshed, or when no test needs it soon. */
export async function borrow<One>(
  test: Owner,
  key: string,
  make: (owner: Owner) => Promise<Made<One>>,
): Promise<One> {
  const known = idle.findLast((one) => one.key === key)
  const shared = known ? (take(known) as Shared<One>) : await create(make)
  test.teardown(async () => {
    // A test may have taken anything away, such as its connections.
    if (!(await shared.refresh().catch(() => false))) return shared.end()
    const back: Idle = { key, shared, timer: setTimeout(() => take(back).end(), idleMs) }
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
