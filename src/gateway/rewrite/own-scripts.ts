/** Scripts that the gateway adds to searches. A cluster may forbid scripts in requests. */
import { PERCENTILES_SCRIPT } from './exact-percentiles.ts'
import { IGNORED_FIELD } from './ignored-values.ts'
import { NONE_SCRIPT } from './order-of-none.ts'

const NAMES: readonly string[] = [IGNORED_FIELD, PERCENTILES_SCRIPT, NONE_SCRIPT]

/** Whether the cluster refused a search that has scripts of the gateway because of scripts. */
export function refusesOwnScripts(sent: Buffer | undefined, answer: Buffer): boolean {
  return sent !== undefined && NAMES.some((name) => sent.includes(name)) && refusesScripts(answer)
}

export function refusesScripts(body: Buffer): boolean {
  return /cannot execute (scripts|\[inline\] scripts)|script_lang not supported|cannot execute scripts using/.test(
    body.toString('latin1'),
  )
}
