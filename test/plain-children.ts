/**
 * Imported first, has the processes that tests start begin without tap's loader, which tap hands down to each: it counts
 * what they load, for coverage that nobody asks for, and more than doubles the time they need to start.
 */
import processOnSpawn from 'process-on-spawn'

processOnSpawn.addListener((child) => {
  const { NODE_OPTIONS, ...env } = child.env
  child.env = NODE_OPTIONS?.includes('processinfo') ? env : child.env
})
