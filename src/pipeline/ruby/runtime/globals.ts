/** Ruby's global variables. All filters share them. */
import type { Value } from './model.ts'

export const globals = new Map<string, Value>()
