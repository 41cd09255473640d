/** `environment`: stores environment variables in fields. */
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { type ConfigValue, option } from '../plugin/options.ts'

export const environment = filterPlugin({
  name: 'environment',
  touches: 'processes',
  options: {
    add_metadata_from_env: option.hash({ default: new Map<string, ConfigValue>() }),
    add_field_from_env: option.hash({ default: new Map<string, ConfigValue>() }),
  },
  create(options, { environment: variables }) {
    const fields: [string, string][] = [
      ...[...options.add_field_from_env].map(([field, name]): [string, string] => [field, String(name)]),
      ...[...options.add_metadata_from_env].map(([field, name]): [string, string] => [
        `[@metadata]${field.startsWith('[') ? field : `[${field}]`}`,
        String(name),
      ]),
    ]
    return {
      filter(event) {
        for (const [field, name] of fields) event.set(field, variables[name] ?? null)
        return true
      },
    }
  },
})
