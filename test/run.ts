/**
 * `npm test` and `npm run test:system`: starts one PostgreSQL with a migrated template database and one Redis, runs tap
 * on the test files with the given arguments, and stops everything, also after Ctrl-C.
 */
import { type Config, readConfig } from '../src/platform/config/config.ts'
import { bundleTests, type TestGroup } from './bundles.ts'
import { openPostgres, openRedis, withMigrated, withStore } from './stores.ts'
import { runTap, type TapOutcome } from './tap.ts'

const underCi = process.env.CI === 'true'
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => interruption.abort())

process.exitCode = await run(readConfig())

async function run(config: Config): Promise<number> {
  const redis = await openRedis(config)
  if (!redis && underCi)
    return fail('With CI=true, Redis is required: install redis-server, or set REDIS_URL')
  if (!redis) process.stderr.write('No Redis found: tests that need Redis are skipped.\n')
  return withStore(redis, async (redisUrl) =>
    withStore(await openPostgres(config), async (databaseUrl) =>
      withMigrated(databaseUrl, async (template) => {
        const [files, args] = await chosen(process.argv.slice(2))
        const variables = {
          TEST_FILES: files.join('\n'),
          TEST_DATABASE_URL: databaseUrl,
          TEST_TEMPLATE_DATABASE: template,
          TEST_REDIS_URL: redisUrl,
        }
        return report(await runTap([...args, 'dist/test/spawn-files.js'], variables, interruption.signal))
      }),
    ),
  )
}

/** The named test files, or the bundles of a group; and the other arguments of tap. */
async function chosen(args: string[]): Promise<[files: string[], args: string[]]> {
  const named = args.filter((arg) => arg.endsWith('.js'))
  const group: TestGroup = args.includes('--system') ? 'system' : 'main'
  const others = args.filter((arg) => !named.includes(arg) && arg !== '--system')
  return [named.length > 0 ? named : await bundleTests(group), others]
}

function report({ status, passed, failures, skipped, slowest }: TapOutcome): number {
  const counts = [`${passed} passed`, `${failures.length} failed`, ...(skipped ? [`${skipped} skipped`] : [])]
  // The failures are printed last, because the record of a CI run often shows only its end.
  const lines = failures.slice(0, 40).map((failure) => `✖ ${failure}`)
  if (failures.length > lines.length) lines.push(`and ${failures.length - lines.length} more`)
  // tap's own output may not end with a line end.
  process.stdout.write(`\n${[...slowest, '', counts.join(', '), ...lines].join('\n')}\n`)
  return status === 0 && skipped > 0 && underCi ? fail('With CI=true, no test may be skipped') : status
}

function fail(reason: string): number {
  process.stderr.write(`${reason}\n`)
  return 1
}
