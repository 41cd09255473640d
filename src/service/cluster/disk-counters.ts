/** `fs.io_stats` of a node: what the device of the data folder has done since somebody first asked (Linux). */
import { readFileSync, statSync } from 'node:fs'
import type { JsonObject } from '../metadata/metadata.ts'

/** Sectors of /proc/diskstats have this size, whatever the device says. */
const SECTORS_PER_KILOBYTE = 2

const MEMBERS = ['operations', 'read_operations', 'write_operations', 'read_kilobytes', 'write_kilobytes'] as const
const BUSY = 'io_time_in_millis'

type Counters = Readonly<Record<(typeof MEMBERS)[number] | typeof BUSY, number>>

const first = new Map<string, Counters>()

/** Without a device that can be counted, such as a node in memory or another system, the object is empty. */
export function diskCounters(folder: string | undefined): JsonObject {
  const found = folder === undefined ? undefined : countersOf(folder)
  if (found === undefined) return {}
  const { device, counters } = found
  const start = first.get(device) ?? counters
  first.set(device, start)
  const since = Object.fromEntries(
    [...MEMBERS, BUSY].map((name) => [name, counters[name as keyof Counters] - start[name as keyof Counters]]),
  )
  return { devices: [{ device_name: device, ...since }], total: since }
}

function countersOf(folder: string): { device: string; counters: Counters } | undefined {
  let text: string
  let number: number
  try {
    text = readFileSync('/proc/diskstats', 'utf8')
    number = statSync(folder).dev
  } catch {
    return undefined
  }
  return readDiskStats(text, majorOf(number), minorOf(number))
}

/** The line of a device, by its numbers. */
export function readDiskStats(text: string, major: number, minor: number) {
  for (const line of text.split('\n')) {
    const fields = line.trim().split(/ +/)
    if (Number(fields[0]) !== major || Number(fields[1]) !== minor || fields.length < 13) continue
    const at = (field: number) => Number(fields[field])
    const [reads, writes] = [at(3), at(7)]
    const counters: Counters = {
      operations: reads + writes,
      read_operations: reads,
      write_operations: writes,
      read_kilobytes: Math.floor(at(5) / SECTORS_PER_KILOBYTE),
      write_kilobytes: Math.floor(at(9) / SECTORS_PER_KILOBYTE),
      io_time_in_millis: at(12),
    }
    return { device: fields[2]!, counters }
  }
  return undefined
}

/** The numbers are spread over the bits of the value of stat(2). */
const majorOf = (device: number) => Math.floor(device / 2 ** 8) % 2 ** 12
const minorOf = (device: number) => (device % 2 ** 8) + (Math.floor(device / 2 ** 20) % 2 ** 12) * 2 ** 8
