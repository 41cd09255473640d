/** `ruby`: code in Ruby, run by an interpreter of our own. */
import { readFileSync } from 'node:fs'
import type { Event } from '../event/event.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { type ConfigValue, option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { InlineRuby, ScriptRuby } from '../ruby/filter-runtime.ts'
import { exposeEnvironment } from '../ruby/library/system.ts'
import { RubyCodeError } from '../ruby/script-call.ts'

export const ruby = filterPlugin({
  name: 'ruby',
  touches: 'processes',
  options: {
    init: option.string(),
    code: option.string(),
    path: option.path(),
    script_params: option.hash({ default: new Map<string, ConfigValue>() }),
    tag_on_exception: option.string({ default: '_rubyexception' }),
    tag_with_exception_message: option.boolean({ default: false }),
  },
  create(options, { log, clock }) {
    const { code, init, path, script_params: params, tag_on_exception: tag } = options
    if ((code === undefined) === (path === undefined)) {
      throw new PluginOptionError(
        code === undefined
          ? 'You must set either `code` or `path`.'
          : 'You must set either `code` or `path`, not both.',
      )
    }
    exposeEnvironment(process.env)
    const runner = load()

    function load(): InlineRuby | ScriptRuby {
      try {
        if (path === undefined) return new InlineRuby(code!, init, { log, clock })
        return new ScriptRuby(readFileSync(path, 'utf8'), path, params, { log, clock })
      } catch (error) {
        if (error instanceof RubyCodeError) throw new PluginOptionError(error.message)
        throw error
      }
    }

    return {
      // Code may keep anything in instance variables, globals and constants.
      remembers: true,
      filter(event: Event, more: Event[]) {
        const error = runner.run(event, more)
        if (error === undefined) return true
        const prefix = path === undefined ? 'Ruby exception occurred' : 'Could not process event'
        log.error(`${prefix}: ${error.message}`, { class: error.className, line: error.line })
        if (options.tag_with_exception_message) event.tag(`${tag}: ${error.message}`)
        event.tag(tag)
        return false
      },
    }
  },
})
