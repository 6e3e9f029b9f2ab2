/**
 * Looks up the addresses of host names that users chose. It queries the DNS directly: getaddrinfo blocks one
 * of the four threads of the process until a name server responds, so four slow names would stop all
 * look-ups.
 */
import { lookup, Resolver } from 'node:dns/promises'

/**
 * @returns all addresses of a name, at least one. @throws when it has none, or the DNS did not respond in
 * time.
 */
export type ResolveName = (name: string) => Promise<readonly string[]>

/** The most look-ups with getaddrinfo that run or wait. Only one runs at a time, so it occupies one thread. */
const maxWaiting = 16

/**
 * @param usesHosts whether names that the DNS does not know are also looked up in this machine's hosts file.
 */
export function openNames({ usesHosts, servers }: { usesHosts: boolean; servers?: string[] }): ResolveName {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  if (servers) resolver.setServers(servers)
  const fromHosts = usesHosts ? createHostsLookup() : () => Promise.reject(new Error('unknown name'))

  return async (name) => {
    // The DNS must not be asked for these names (RFC 6761).
    if (/(^|\.)localhost\.?$/.test(name)) return fromHosts(name)
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    return found.length > 0 ? found : fromHosts(name)
  }
}

/** One look-up at a time. Callers that ask for the same name meanwhile share its result. */
function createHostsLookup(): ResolveName {
  const underWay = new Map<string, Promise<string[]>>()
  let last: Promise<unknown> = Promise.resolve()

  return (name) => {
    const same = underWay.get(name)
    if (same) return same
    if (underWay.size >= maxWaiting) return Promise.reject(new Error('too many names'))
    const found = last.then(async () => (await lookup(name, { all: true })).map(({ address }) => address))
    underWay.set(name, found)
    last = found.catch(() => undefined).then(() => underWay.delete(name))
    return found
  }
}
