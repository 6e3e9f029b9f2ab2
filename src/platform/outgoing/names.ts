/**
 * Looks up the addresses of names that somebody else chose. By the DNS itself and not getaddrinfo, which holds one of
 * the process's few threads until a slow name server has answered: four such names would stop all other look-ups.
 */
import { lookup, Resolver } from 'node:dns/promises'

/** @returns all addresses of a name, at least one. @throws when it has none, or no answer came in time. */
export type ResolveName = (name: string) => Promise<readonly string[]>

/** Names that may wait for the one thread that getaddrinfo is given here. */
const maxWaiting = 16

/** @param usesHosts whether names that the DNS does not know are looked for in this machine's hosts file as well. */
export function openNames({ usesHosts, servers }: { usesHosts: boolean; servers?: string[] }): ResolveName {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  if (servers) resolver.setServers(servers)
  const fromHosts = usesHosts ? createHostsLookup() : () => Promise.reject(new Error('unknown name'))

  return async (name) => {
    // Never a question for the DNS (RFC 6761).
    if (/(^|\.)localhost\.?$/.test(name)) return fromHosts(name)
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    return found.length > 0 ? found : fromHosts(name)
  }
}

/** One look-up at a time; a name that is asked for again meanwhile shares the answer. */
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
