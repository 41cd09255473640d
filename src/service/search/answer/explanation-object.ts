/** The wire format of an explanation. */
import { Double, Float } from '../../../base/json/json-writer.ts'
import type { Explanation } from '../../../engine/scoring/explanation.ts'

export function explanationObject(explanation: Explanation): Record<string, unknown> {
  const { value, precision, description, details } = explanation
  const number = precision === 'float' ? new Float(value) : precision === 'double' ? new Double(value) : value
  return { value: number, description, details: details.map(explanationObject) }
}
