/**
 * Fills values into the commands of a document, lists the reasons not to run a block, and finds the errors in an
 * output.
 */

/** Why the commands of a block are not run, by the second word of its fence. */
export const reasons: Readonly<Record<string, string>> = {
  install: 'needs the network, and replaces the packages and the build that tests run with',
  'long-run': 'takes minutes, or runs tests; .ci/run runs these by themselves',
  'until-ctrl-c': 'runs until Ctrl-C; test/start.system.test.ts runs it',
  'writes-source': 'writes files of the checkout, which tests compare with their sources',
  docker: 'needs Docker',
  root: 'changes the system',
  installation: 'works on the files and stores of an installation; rehearsals do most of it',
  promtool: 'needs Prometheus',
}

/**
 * For each variable that is assigned `…`, except KEY, the pattern that finds its value in the output of a command
 * above.
 */
const sources: Readonly<Record<string, RegExp>> = {
  ACTIVITY: /"ActivityID":"(s_[\da-f-]{36})"/,
  BASKET: /"BasketID":(\d+)/,
  ENDPOINT: /"EndpointID":(\d+)/,
  ENTRY: /"ID":(\d+)/,
  PRODUCT: /"(?:ID":|id":")(\d+|s_[\da-f-]{36})/,
  REFERENCE: /"BookingReference":"(\w+)"/,
  SECRET: /^(pay_[\w-]+)$/m,
  TIMESLOT: /"id":"(\d{4}-\d\d-\d\dT[^"]+)"/,
  UNIT: /"UnitID":([1-9]\d*)/,
}

/** Values of the test's service that replace those in the documents. */
export type Surroundings = { baseUrl: string; key: string; testKey: string; today: Date }

/**
 * Replaces the address, the placeholders and the dates of a command.
 * @param printed the outputs of the commands above it, the latest last.
 * @throws if no output has the value of a placeholder, or if `…` is not the value of a variable.
 */
export function complete(command: string, printed: readonly string[], around: Surroundings): string {
  const here = command.replaceAll('http://127.0.0.1:3000', around.baseUrl)
  const filled = here.replaceAll(/\b([A-Z]+)=(\S*)…/g, (_, name: string, prefix: string) => {
    if (name === 'KEY') return `KEY=${prefix === 'abs_test_' ? around.testKey : around.key}`
    return `${name}=${findValue(name, printed)}`
  })
  if (filled.includes('…')) throw new Error(`… stands where no variable is set: ${command}`)
  return filled.replaceAll(/\b2027-\d\d-\d\d\b/g, (date) => shift(date, around.today))
}

function findValue(name: string, printed: readonly string[]): string {
  const source = sources[name]
  const found = source && printed.toReversed().flatMap((text) => source.exec(text)?.[1] ?? [])[0]
  if (!found) throw new Error(`no output of a command above has a value for ${name}`)
  return found
}

const dayMs = 86_400_000

/**
 * Moves a date of the examples by whole weeks: by the number that moves 1 June 2027 to one of the next eight
 * days. An earlier date may stay in the past.
 */
function shift(date: string, today: Date): string {
  const weeks = Math.ceil((today.getTime() + dayMs - Date.parse('2027-06-01')) / (7 * dayMs))
  return new Date(Date.parse(date) + weeks * 7 * dayMs).toISOString().slice(0, 10)
}

/** The statuses of the error responses in the output of a command; 400 for each error of OCTO. */
export function refusalsIn(output: string): number[] {
  const problems = output.matchAll(/"type":"[^"]*\/problems\/[^}]*?"status":(\d{3})/g)
  const lines = output.matchAll(/^HTTP\/\S+ ([45]\d\d)/gm)
  const ofOcto = output.matchAll(/^\{"error":"\w+"/gm)
  return [...[...problems, ...lines].map(([, status]) => Number(status)), ...[...ofOcto].map(() => 400)]
}
