/**
 * Errors of a shard on another node than the one that answers. OpenSearch cannot send some exceptions from node to node and
 * puts their name before their message; and it reports the cause within a script exception as the root cause.
 */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { isObject } from './field-types.ts'

/** The error as the node of the shard would have answered it. */
export function localError(error: JsonObject): JsonObject {
  const out = withPlainReasons(error)
  const roots = out['root_cause']
  const failed = out['failed_shards']
  if (!Array.isArray(roots) || !Array.isArray(failed)) return out
  const scripts = failed.map((shard) => (isObject(shard) ? shard['reason'] : undefined)).filter(isScriptException)
  if (scripts.length === 0 || scripts.length !== roots.length || roots.some(isScriptException)) return out
  const cause = isObject(out['caused_by']) && !isScriptException(out['caused_by']) ? { caused_by: scripts[0] } : {}
  return { ...out, root_cause: scripts.map(({ caused_by: _, ...rest }) => rest), ...cause }
}

function isScriptException(reason: unknown): reason is JsonObject {
  return isObject(reason) && reason['type'] === 'script_exception'
}

function withPlainReasons(error: JsonObject): JsonObject {
  const out: JsonObject = {}
  const prefix = `${String(error['type'])}: `
  for (const [name, value] of Object.entries(error)) {
    if (name === 'reason' && typeof value === 'string' && value.startsWith(prefix)) {
      const message = value.slice(prefix.length)
      out[name] = message === 'null' ? null : message
    } else if (Array.isArray(value)) out[name] = value.map((item) => (isObject(item) ? withPlainReasons(item) : item))
    else out[name] = isObject(value) ? withPlainReasons(value) : value
  }
  return out
}
