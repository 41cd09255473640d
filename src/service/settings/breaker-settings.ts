/** `indices.breaker.*` and `network.breaker.*`: limits of the circuit breakers that operators change at run time. */
import { parseByteSize } from '../../base/byte-size.ts'
import type { BreakerLimits, BreakerSettings } from '../../base/memory/circuit-breakers.ts'
import { breakers, plannedMemory } from '../../base/memory/process-memory.ts'
import type { SettingValue } from '../metadata/metadata.ts'
import { textOf } from './flat-settings.ts'

/** Returns an explicitly set value; undefined leaves the breaker as planned. */
type SetValue = (name: string) => SettingValue | undefined

export function applyBreakerSettings(setValue: SetValue): void {
  breakers().configure(breakerSettings(setValue, plannedMemory().totalBytes))
}

/** Percentages are parts of the memory that the process may use. */
export function breakerSettings(setValue: SetValue, totalBytes: number): BreakerSettings {
  const limits = (prefix: string): BreakerLimits => ({
    limitBytes: limitOf(setValue, `${prefix}.limit`, totalBytes),
    overhead: numberOf(setValue(`${prefix}.overhead`)),
  })
  const usesRealMemory = setValue('indices.breaker.total.use_real_memory')
  return {
    fielddata: limits('indices.breaker.fielddata'),
    inFlightRequests: limits('network.breaker.inflight_requests'),
    request: limits('indices.breaker.request'),
    parent: limits('indices.breaker.total'),
    usesRealMemory: usesRealMemory === undefined || textOf(usesRealMemory) !== 'false',
  }
}

function limitOf(setValue: SetValue, name: string, totalBytes: number): number | undefined {
  const value = setValue(name)
  if (value === undefined) return undefined
  const text = textOf(value)
  return text.endsWith('%') ? Math.floor((Number(text.slice(0, -1)) / 100) * totalBytes) : parseByteSize(text, name)
}

const numberOf = (value: SettingValue | undefined) => (value === undefined ? undefined : Number(textOf(value)))
