/**
 * Time zones: conversion between instants and local times. The rules are those of the JavaScript engine (the IANA
 * database).
 */

export interface Zone {
  /** The instant of a local time; undefined in a DST gap. In an overlap it is the earlier one. */
  toUtc(wallMs: number): number | undefined
}

export const UTC: Zone = { toUtc: (wallMs) => wallMs }

/** The zone of this machine. */
const machineZone: Zone = {
  toUtc(wallMs) {
    const wall = new Date(wallMs)
    const local = new Date(
      wall.getUTCFullYear(),
      wall.getUTCMonth(),
      wall.getUTCDate(),
      wall.getUTCHours(),
      wall.getUTCMinutes(),
      wall.getUTCSeconds(),
      wall.getUTCMilliseconds(),
    )
    if (wall.getUTCFullYear() < 100) local.setFullYear(wall.getUTCFullYear())
    // In a gap the engine moves the clock forward, so that the parts no longer agree.
    return local.getMinutes() === wall.getUTCMinutes() && local.getHours() === wall.getUTCHours()
      ? local.getTime()
      : undefined
  },
}

/**
 * Machines in UTC skip the conversion through local parts. Requesting the zone's name would take a tenth of a second.
 */
export function defaultZone(): Zone {
  const samples = [new Date(0), new Date(1970, 6, 1), new Date(), new Date(2000, 0, 1), new Date(2000, 6, 1)]
  return samples.every((date) => date.getTimezoneOffset() === 0) ? UTC : machineZone
}

const known = new Map<string, Zone | undefined>()
const KNOWN_MAX = 1000

/** A zone by id (`Europe/Paris`) or offset (`+02:00`); undefined if unknown. */
export function zoneOf(id: string): Zone | undefined {
  if (known.has(id)) return known.get(id)
  if (known.size >= KNOWN_MAX) known.clear()
  const zone = fixedZone(id) ?? namedZone(id)
  known.set(id, zone)
  return zone
}

function fixedZone(id: string): Zone | undefined {
  if (/^(?:UTC|GMT|UT|Z|Etc\/UTC)$/.test(id)) return UTC
  const match = /^([+-])(\d{2}):?(\d{2})?$/.exec(id)
  if (match === null) return undefined
  const minutes = (Number(match[2]) * 60 + Number(match[3] ?? 0)) * (match[1] === '-' ? -1 : 1)
  return offsetZone(minutes * 60_000)
}

export function offsetZone(offsetMs: number): Zone {
  return { toUtc: (wallMs) => wallMs - offsetMs }
}

const DAY_MS = 86_400_000
/** Offsets change only at quarters of an hour. */
const BUCKET_MS = 900_000
const BUCKETS_MAX = 20_000

function namedZone(id: string): Zone | undefined {
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: id,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      era: 'short',
    })
  } catch {
    return undefined
  }
  const offsets = new Map<number, number>()
  const offsetAt = (utcMs: number): number => {
    const bucket = Math.floor(utcMs / BUCKET_MS)
    let offset = offsets.get(bucket)
    if (offset === undefined) {
      offset = wallOf(format, bucket * BUCKET_MS) - bucket * BUCKET_MS
      if (offsets.size >= BUCKETS_MAX) offsets.clear()
      offsets.set(bucket, offset)
    }
    return offset
  }
  return {
    toUtc(wallMs) {
      const before = offsetAt(wallMs - DAY_MS)
      const after = offsetAt(wallMs + DAY_MS)
      const first = wallMs - Math.max(before, after)
      const second = wallMs - Math.min(before, after)
      if (offsetAt(first) === wallMs - first) return first
      return offsetAt(second) === wallMs - second ? second : undefined
    },
  }
}

function wallOf(format: Intl.DateTimeFormat, utcMs: number): number {
  const part: Record<string, string> = {}
  for (const { type, value } of format.formatToParts(utcMs)) part[type] = value
  const year = part['era'] === 'BC' ? 1 - Number(part['year']) : Number(part['year'])
  const date = new Date(0)
  date.setUTCFullYear(year, Number(part['month']) - 1, Number(part['day']))
  return date.setUTCHours(Number(part['hour']), Number(part['minute']), Number(part['second']))
}
