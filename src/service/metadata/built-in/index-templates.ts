/** The index templates for streams named by their type, dataset and namespace, such as `logs-nginx.access-default`. */
import type { IndexTemplate } from '../metadata.ts'
import { managed, STACK_VERSION } from './stack-version.ts'

/** Lower than what is recommended for templates of users, which therefore win. */
const PRIORITY = 100

const streamsOf = (type: string, composedOf: readonly string[], ignoreMissing?: readonly string[]): IndexTemplate => ({
  patterns: [`${type}-*-*`],
  composedOf,
  ...(ignoreMissing === undefined ? {} : { ignoreMissing }),
  priority: PRIORITY,
  version: STACK_VERSION,
  meta: managed(`default ${type} template installed by x-pack`),
  dataStream: { hidden: false, allowCustomRouting: false },
  allowAutoCreate: true,
  deprecated: false,
})

export function indexTemplates(): ReadonlyMap<string, IndexTemplate> {
  const parts = (type: string) => [`${type}@mappings`, 'data-streams@mappings', `${type}@settings`]
  const logs = ['logs@mappings', 'logs@settings', 'logs@custom', 'ecs@mappings']
  return new Map([
    ['logs', streamsOf('logs', logs, ['logs@custom'])],
    ['metrics', streamsOf('metrics', parts('metrics'))],
    ['synthetics', streamsOf('synthetics', parts('synthetics'))],
  ])
}
