/**
 * Index lifecycle management of the elasticsearch output. Events go to an alias, whose write index rolls over by a policy;
 * alias, first index and default policy are created when they are missing.
 */
import type { Log } from '../../base/log.ts'
import type { ElasticsearchConnection } from './connection.ts'
import type { TemplateApi } from './template.ts'

export interface Lifecycle {
  readonly alias: string
  /** The end of the name of the first index, with date math. */
  readonly pattern: string
  readonly policy: string
}

export const DEFAULT_POLICY = 'logstash-policy'
const POLICY = { policy: { phases: { hot: { actions: { rollover: { max_size: '50gb', max_age: '30d' } } } } } }

interface LifecycleOptions {
  readonly index: string | undefined
  readonly ilm_enabled: string
  readonly ilm_rollover_alias: string | undefined
  readonly ilm_pattern: string
  readonly ilm_policy: string
}

/** Undefined if events are written to indices as they are. The default index has a lifecycle, another one only with an alias. */
export function lifecycleOf(options: LifecycleOptions, defaultAlias: string, log: Log): Lifecycle | undefined {
  const { index, ilm_rollover_alias: alias = defaultAlias, ilm_pattern: pattern, ilm_policy: policy } = options
  const isDefault = index === undefined || index === `${defaultAlias}-%{+yyyy.MM.dd}`
  if (options.ilm_enabled === 'false' || (!isDefault && alias === defaultAlias)) return undefined
  if (!isDefault) log.warn(`Events go to the rollover alias ${alias} and not to the index ${index}`)
  return { alias, pattern, policy }
}

/** The template of the indices of a lifecycle: theirs alone, with the policy. */
export function withLifecycle(template: object, api: TemplateApi, { alias, policy }: Lifecycle): object {
  const given = template as { settings?: object; template?: { settings?: object } }
  const lifecycle = { 'index.lifecycle.name': policy, 'index.lifecycle.rollover_alias': alias }
  const patterns = { ...given, index_patterns: [`${alias}-*`] }
  const isComposable = given.template !== undefined || (given.settings === undefined && api === 'composable')
  if (!isComposable) return { ...patterns, settings: { ...given.settings, ...lifecycle } }
  return { ...patterns, template: { ...given.template, settings: { ...given.template?.settings, ...lifecycle } } }
}

/** Waits for the service. Throws if it refuses the alias, or if a policy that the user named is not there. */
export async function setUpLifecycle(
  connection: ElasticsearchConnection,
  { alias, pattern, policy }: Lifecycle,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const ask = (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' }
    return connection.waitFor(
      body === undefined ? { method, path } : { method, path, headers, body: JSON.stringify(body) },
      signal,
    )
  }
  const known = await ask('HEAD', `/${encodeURIComponent(alias)}`)
  if (known === undefined) return
  if (known.status === 404) {
    const target = `/${encodeURIComponent(`<${alias}-${pattern}>`)}`
    const made = await ask('PUT', target, { aliases: { [alias]: { is_write_index: true } } })
    if (made === undefined) return
    // Another output may have been faster.
    if (made.status < 300) log.info(`Created the rollover alias ${alias}`)
    else if (!made.text.includes('resource_already_exists_exception')) {
      throw new Error(`The rollover alias ${alias} cannot be created: ${made.status} ${made.text.slice(0, 500)}`)
    }
  }
  const path = `/_ilm/policy/${encodeURIComponent(policy)}`
  const found = await ask('GET', path)
  if (found === undefined || found.status === 200) return
  if (policy !== DEFAULT_POLICY) {
    throw new Error(`The ILM policy ${policy} (ilm_policy) does not exist: ${found.status} ${found.text.slice(0, 500)}`)
  }
  const installed = await ask('PUT', path, POLICY)
  if (installed === undefined) return
  if (installed.status < 300) log.info(`Installed the ILM policy ${policy}`)
  else log.warn(`Indices of ${alias} are never rolled over: the service has no ILM (${installed.status})`)
}
