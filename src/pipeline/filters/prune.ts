/** `prune`: keeps or removes top-level fields by their names and values. */
import type { Event } from '../event/event.ts'
import { topLevelReference } from '../event/field-reference.ts'
import { textForm } from '../event/text-form.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { type ConfigValue, option } from '../plugin/options.ts'
import { RubyRegexp } from '../regex/ruby-regexp.ts'

/** An expression, made anew per event when it holds references. */
type Test = (text: string, event: Event) => boolean

export const prune = filterPlugin({
  name: 'prune',
  options: {
    whitelist_names: option.strings({ default: [] }),
    blacklist_names: option.strings({ default: ['%\\{[^}]+\\}'] }),
    whitelist_values: option.hash({ default: new Map<string, ConfigValue>() }),
    blacklist_values: option.hash({ default: new Map<string, ConfigValue>() }),
    interpolate: option.boolean({ default: false }),
  },
  create(options) {
    const testOf = (pattern: string): Test => {
      if (options.interpolate && pattern.includes('%{')) {
        return (text, event) => new RubyRegexp(event.expand(pattern)).test(text)
      }
      const regexp = new RubyRegexp(pattern)
      return (text) => regexp.test(text)
    }
    const wanted = options.whitelist_names.map(testOf)
    const unwanted = options.blacklist_names.map(testOf)
    const wantedValues = [...options.whitelist_values].map(([name, text]) => [name, testOf(String(text))] as const)
    const unwantedValues = [...options.blacklist_values].map(([name, text]) => [name, testOf(String(text))] as const)
    return {
      filter(event) {
        for (const name of Object.keys(event.fields)) {
          const keep = wanted.length === 0 || wanted.some((test) => test(name, event))
          if (!keep || unwanted.some((test) => test(name, event))) event.remove(topLevelReference(name))
        }
        for (const [name, test] of wantedValues) keepValues(event, name, (text) => test(text, event))
        for (const [name, test] of unwantedValues) keepValues(event, name, (text) => !test(text, event))
        return true
      },
    }
  },
})

/** Items that do not pass are taken out of an array; a scalar that does not goes with its field. */
function keepValues(event: Event, name: string, passes: (text: string) => boolean): void {
  const value = event.get(name)
  if (value === undefined || value === null) return
  if (!Array.isArray(value)) {
    if (!passes(textForm(value))) event.remove(name)
    return
  }
  const kept = value.filter((item) => item !== null && passes(textForm(item)))
  if (kept.length === 0) event.remove(name)
  else event.set(name, kept)
}
