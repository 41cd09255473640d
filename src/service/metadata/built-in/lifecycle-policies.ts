/** The lifecycle policies of the stack templates, and those that are offered for streams of users. */
import type { JsonObject, MetadataSections } from '../metadata.ts'
import { managed } from './stack-version.ts'

type Policies = MetadataSections['lifecyclePolicies']

const hot = (maxAge: string): JsonObject => ({
  min_age: '0ms',
  actions: { rollover: { max_age: maxAge, max_primary_shard_size: '50gb' } },
})

/** Without the action `shrink` of Elasticsearch's, which is not implemented: these streams have one shard anyway. */
const WARM: JsonObject = { min_age: '2d', actions: { forcemerge: { max_num_segments: 1 } } }
const COLD: JsonObject = { min_age: '30d', actions: {} }

function retention(days: number): JsonObject {
  const hasCold = days > 30
  const phases = hasCold ? 'hot, warm, and cold phases' : 'hot and warm phases'
  return {
    phases: {
      hot: hot(`${Math.min(days, 30)}d`),
      warm: WARM,
      ...(hasCold ? { cold: COLD } : {}),
      delete: { min_age: `${days}d`, actions: { delete: { delete_searchable_snapshot: true } } },
    },
    _meta: managed(`built-in ILM policy using the ${phases} with a retention of ${days} days`),
  }
}

/** The former names are in use: the settings of the stack templates refer to `logs`, `metrics` and `synthetics`. */
export function lifecyclePolicies(): Policies {
  const found = new Map<string, { version: number; modifiedMs: number; policy: JsonObject }>()
  const modifiedMs = Date.now()
  const add = (name: string, formerName: string, policy: JsonObject) => {
    found.set(name, { version: 1, modifiedMs, policy: { ...policy, deprecated: false } })
    found.set(formerName, { version: 1, modifiedMs, policy: { ...policy, deprecated: true } })
  }
  for (const type of ['logs', 'metrics', 'synthetics']) {
    const meta = managed(`default policy for the ${type} index template installed by x-pack`)
    add(`${type}@lifecycle`, type, { phases: { hot: hot('30d') }, _meta: meta })
  }
  for (const days of [7, 30, 90, 180, 365]) add(`${days}-days@lifecycle`, `${days}-days-default`, retention(days))
  return found
}
