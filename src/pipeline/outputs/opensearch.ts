/** `opensearch`: the elasticsearch output with the name and authentication options of OpenSearch's plugin. */
import { type ConfigValue, option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { elasticsearch } from './elasticsearch.ts'

const { ilm_enabled: _lifecycle, ssl_certificate_verification: _obsolete, ...shared } = elasticsearch.options

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
        ilm_enabled: 'false',
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
