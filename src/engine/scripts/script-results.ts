/** Converts the results of scripts for the rest of the engine. */
import { ApiError } from '../../base/api-error.ts'
import { Double, Float } from '../../base/json/json-writer.ts'
import { fromJava, JArray, javaString } from '../painless/index.ts'

/** The values of the script field with a number. Lists and sets are flattened, arrays stay arrays, null is a value. */
export function scriptFieldValues(result: unknown, number: number): unknown[] {
  const plain = shownResult(result, `ScriptFieldsPhase leaf script ${number}`)
  return Array.isArray(plain) && !(result instanceof JArray) ? plain : [plain]
}

function shownResult(result: unknown, where: string): unknown {
  try {
    return fromJava(result, where)
  } catch (error) {
    if (error instanceof ApiError && error.message.startsWith('cannot write xcontent')) return '<unserializable>'
    throw error
  }
}

/** A number of any Java type; undefined for other values. */
export function resultNumber(result: unknown): number | undefined {
  const plain = fromJava(result)
  if (plain instanceof Double || plain instanceof Float) return plain.value
  return typeof plain === 'number' || typeof plain === 'bigint' ? Number(plain) : undefined
}

/** A value as Java's `toString` shows it. */
export const resultText = (result: unknown): string => javaString(result)
