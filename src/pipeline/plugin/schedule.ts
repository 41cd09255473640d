/** The `schedule` option of inputs that run repeatedly. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Cron } from '../time/cron.ts'
import { PluginOptionError } from './plugin-context.ts'

/** Timers are limited to 24 days. */
const WAIT_MS_MAX = 86_400_000

export function scheduleOf(text: string | undefined): Cron | undefined {
  if (text === undefined) return undefined
  try {
    return Cron.parse(text)
  } catch (error) {
    throw new PluginOptionError(`schedule: ${(error as Error).message}`)
  }
}

/** Waits for the next scheduled time; false if the signal aborts or no time is left. */
export async function waitForTurn(schedule: Cron, signal: AbortSignal): Promise<boolean> {
  const timeMs = schedule.next(Date.now())
  if (timeMs === undefined) return false
  for (let leftMs = timeMs - Date.now(); leftMs > 0 && !signal.aborted; leftMs = timeMs - Date.now()) {
    await sleep(Math.min(leftMs, WAIT_MS_MAX), undefined, { signal }).catch(() => {})
  }
  return !signal.aborted
}
