/** How much processor time work of the main thread has used. */

export type ProcessorClock = {
  /** Milliseconds of processor time so far. */
  readMs(): number
  /**
   * Whether only the calling thread is counted. If not, the time of V8's own threads, which compile code and collect
   * garbage, and of the threads of libuv is included, so the calling thread used at most this time.
   */
  ofThread: boolean
}

type Usage = Pick<NodeJS.CpuUsage, 'user' | 'system'>

const inMs = ({ user, system }: Usage) => (user + system) / 1000

// Since Node.js 23.9. The types are those of the oldest supported version.
const { threadCpuUsage } = process as { threadCpuUsage?: () => Usage }

export const processorClock: ProcessorClock = threadCpuUsage
  ? { readMs: () => inMs(threadCpuUsage.call(process)), ofThread: true }
  : { readMs: () => inMs(process.cpuUsage()), ofThread: false }
