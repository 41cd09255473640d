/** The functions of the contexts: emit, parse, field, metadata and the scoring functions. */
import type { ContextDefinition } from '../../contexts/context.ts'
import { nullPointer } from '../../errors/java-throwable.ts'
import type { JMap } from '../collections/map.ts'
import { textOf } from '../java-text.ts'
import type { Implementation } from '../registry.ts'
import type { Environment } from './environment.ts'
import { documentField } from './field-api.ts'
import { SCORING_FUNCTIONS } from './scoring-functions.ts'
import { Metadata, writeField } from './write-field.ts'

export function contextFunctions(
  context: ContextDefinition,
  env: Environment,
): Readonly<Record<string, Implementation>> {
  const functions: Record<string, Implementation> = Object.create(null)
  for (const fn of context.functions) {
    const key = `${fn.name}_${fn.params.length}`
    functions[key] = emitFunction(context.name, key, env) ?? otherFunction(key, fn.returns, env)
  }
  return functions
}

const required = (value: unknown, missing: string | null = null) => {
  if (value === null) throw nullPointer(missing)
  return value
}

const NO_TEXT = 'Cannot invoke "String.length()" because "<local1>" is null'

/** The emit function of the runtime field contexts. */
function emitFunction(context: string, key: string, env: Environment): Implementation | undefined {
  const sink = env.bindings.emit
  if (!key.startsWith('emit_') || sink === undefined) return key.startsWith('emit_') ? () => undefined : undefined
  switch (context) {
    case 'long_field':
    case 'date_field':
      return (value: bigint) => sink.emitLong!(value)
    case 'double_field':
      return (value: number) => sink.emitDouble!(value)
    case 'boolean_field':
      return (value: boolean) => sink.emitBoolean!(value)
    case 'keyword_field':
    case 'ip_field':
      return (value: string | null) => sink.emitString!(required(value, NO_TEXT) as string)
    case 'geo_point_field':
      return (lat: number, lon: number) => sink.emitGeoPoint!(lat, lon)
    default:
      if (key === 'emit_2') return (name: string, value: unknown) => sink.emitComposite!(name, value)
      return (map: JMap | null) => {
        for (const entry of (required(map) as JMap).entries()) sink.emitComposite!(textOf(entry.key), entry.value)
      }
  }
}

function otherFunction(key: string, returns: string, env: Environment): Implementation {
  if (key === 'parse_1') return (text: unknown) => env.bindings.parseDate!(textOf(required(text)))
  if (key === 'metadata_0') {
    return () => new Metadata(env['ctx'] as JMap)
  }
  if (key === 'field_1') {
    const writes = returns.endsWith('WriteField')
    return (name: string) => (writes ? writeField(env, name) : documentField(env, name))
  }
  const scoring = SCORING_FUNCTIONS[key]
  if (scoring === undefined) throw new Error(`the function [${key}] is not implemented`)
  const kept = new Map<number, unknown>()
  return (...args: unknown[]) => scoring(env, kept, ...args)
}
