/** PostgreSQL and Redis in containers, for machines with Docker that cannot start them without containers. */
import { GenericContainer, getContainerRuntimeClient, type StartedTestContainer, Wait } from 'testcontainers'
import { durableRedis } from './redis-server.ts'

export async function dockerRuns(): Promise<boolean> {
  return getContainerRuntimeClient().then(
    () => true,
    () => false,
  )
}

export async function startPostgresContainer() {
  const container = await new GenericContainer('postgres:18-alpine')
    .withEnvironment({ POSTGRES_PASSWORD: 'test' })
    .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=200'])
    .withExposedPorts(5432)
    // PostgreSQL starts once to create its database, and then again.
    .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
    .start()
  return {
    url: `postgres://postgres:test@${address(container, 5432)}/postgres`,
    stop: () => container.stop(),
  }
}

export async function startRedisContainer() {
  const container = await new GenericContainer('redis:7-alpine')
    .withCommand(['redis-server', ...durableRedis])
    .withExposedPorts(6379)
    .withWaitStrategy(Wait.forListeningPorts())
    .start()
  return { url: `redis://${address(container, 6379)}`, stop: () => container.stop() }
}

function address(container: StartedTestContainer, port: number): string {
  return `${container.getHost()}:${container.getMappedPort(port)}`
}
