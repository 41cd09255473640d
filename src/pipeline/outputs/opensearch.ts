/** `opensearch`: the elasticsearch output with the name and authentication options of OpenSearch's plugin. */
import { type ConfigValue, option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { elasticsearch } from './elasticsearch.ts'

// OpenSearch has policies of its own, which its templates name.
const {
  ilm_enabled: _enabled,
  ilm_rollover_alias: _alias,
  ilm_pattern: _pattern,
  ilm_policy: _policy,
  ssl_certificate_verification: _obsolete,
  ...shared
} = elasticsearch.options

export const opensearch = outputPlugin({
  name: 'opensearch',
  touches: 'network',
  options: {
    ...shared,
    auth_type: option.hash(),
    ssl_certificate_verification: option.boolean({ default: true }),
    default_server_major_version: option.ignored('The version is asked for.'),
    legacy_template: option.ignored('`template_api` says which kind of template is installed.'),
  },
  create({ auth_type: authentication, ssl_certificate_verification: verifies, ...options }, context) {
    return elasticsearch.create(
      {
        ...options,
        ...credentials(authentication),
        ...(verifies ? {} : { ssl_verification_mode: 'none' }),
        // Data streams are used only when they are asked for.
        ilm_enabled: options['data_stream' as never] === 'true' ? 'auto' : 'false',
        ssl_certificate_verification: undefined,
      } as never,
      context,
    )
  },
})

function credentials(given: ReadonlyMap<string, ConfigValue> | undefined): { user?: string; password?: string } {
  if (given === undefined) return {}
  const type = String(given.get('type') ?? 'basic')
  if (type !== 'basic') throw new PluginOptionError(`auth_type "${type}" is not supported here; use "basic"`)
  return { user: String(given.get('user') ?? ''), password: String(given.get('password') ?? '') }
}
