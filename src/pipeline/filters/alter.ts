/** `alter`: rewrites fields depending on whether they have an expected value. */
import { textForm } from '../event/text-form.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { type ConfigValue, option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

export const alter = filterPlugin({
  name: 'alter',
  touches: 'nothing',
  options: {
    condrewrite: option.array({ default: [] }),
    condrewriteother: option.array({ default: [] }),
    coalesce: option.array({ default: [] }),
    remove: option.obsolete('Use `remove_field` instead.'),
  },
  create({ condrewrite, condrewriteother, coalesce }) {
    const rewrites = inGroups('condrewrite', condrewrite, 3)
    const others = inGroups('condrewriteother', condrewriteother, 4)
    const [target, ...choices] = coalesce.map(String)
    if (coalesce.length === 1) throw new PluginOptionError('coalesce needs a field and the values to choose from')
    return {
      filter(event) {
        const has = (field: string, expected: string) => {
          const value = event.get(field)
          return value !== undefined && value !== null && textForm(value) === event.expand(expected)
        }
        for (const [field, expected, value] of rewrites) {
          if (has(field!, expected!)) event.set(field!, event.expand(value!))
        }
        for (const [field, expected, other, value] of others) {
          if (has(field!, expected!)) event.set(other!, event.expand(value!))
        }
        if (target === undefined) return true
        // The first candidate whose references all exist.
        const chosen = choices.map((choice) => event.expand(choice)).find((text) => !text.includes('%{'))
        if (chosen !== undefined) event.set(target, chosen)
        return true
      },
    }
  },
})

function inGroups(name: string, items: readonly ConfigValue[], size: number): string[][] {
  if (items.length % size !== 0) throw new PluginOptionError(`${name} needs ${size} values for each rewrite`)
  const groups: string[][] = []
  for (let i = 0; i < items.length; i += size) groups.push(items.slice(i, i + size).map(String))
  return groups
}
