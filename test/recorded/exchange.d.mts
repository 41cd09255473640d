export function comparable(value: unknown): unknown
export function shapeOf(value: unknown): unknown
export function keptMembers(
  keep: Readonly<Record<string, string>> | undefined,
  answer: unknown,
): Record<string, unknown>
export function fillIn<T>(value: T, kept: Readonly<Record<string, unknown>>): T
export function without(answer: unknown, keep: Readonly<Record<string, string>> | undefined): unknown
