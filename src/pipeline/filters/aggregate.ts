/** `aggregate`: collects what several events of one task say in a map, with code in Ruby. */
import type { Event } from '../event/event.ts'
import { Timestamp } from '../event/timestamp.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { AggregateCode, AggregateElement } from '../ruby/aggregate-code.ts'
import type { RaisedError } from '../ruby/filter-runtime.ts'
import { RubyCodeError } from '../ruby/script-call.ts'
import { AggregateMaps } from './aggregate-maps.ts'

/** The timeout of tasks for which no filter sets one. */
const TIMEOUT_SECONDS = 1800
const TIMEOUT_OPTIONS =
  'timeout, inactivity_timeout, timeout_code, push_map_as_event_on_timeout, push_previous_map_as_event, timeout_timestamp_field, timeout_task_id_field, timeout_tags'

export const aggregate = filterPlugin({
  name: 'aggregate',
  touches: 'nothing',
  options: {
    task_id: option.string({ required: true }),
    code: option.touching('processes', option.string({ required: true })),
    map_action: option.string({
      default: 'create_or_update',
      check: (value) =>
        ['create', 'update', 'create_or_update'].includes(value)
          ? undefined
          : "map_action must be 'create', 'update' or 'create_or_update'",
    }),
    end_of_task: option.boolean({ default: false }),
    aggregate_maps_path: option.touching('files', option.string()),
    timeout: option.number(),
    inactivity_timeout: option.number(),
    timeout_code: option.touching('processes', option.string()),
    push_map_as_event_on_timeout: option.boolean({ default: false }),
    push_previous_map_as_event: option.boolean({ default: false }),
    timeout_timestamp_field: option.string(),
    timeout_task_id_field: option.string(),
    timeout_tags: option.strings({ default: [] }),
    map_count_warning_threshold: option.number({ default: 5000 }),
  },
  create(options, { log, clock, workers, shared }) {
    const { task_id: pattern, map_action: action, timeout_timestamp_field: stampField } = options
    const { push_previous_map_as_event: pushesPrevious, push_map_as_event_on_timeout: pushesOnTimeout } = options
    if (!/%\{.+\}/.test(pattern))
      throw new PluginOptionError(
        `Aggregate plugin: task_id pattern '${pattern}' must contain a dynamic expression like '%{field}'`,
      )
    const { timeout, inactivity_timeout: inactivity } = options
    if (timeout !== undefined && inactivity !== undefined && inactivity > timeout) {
      throw new PluginOptionError(
        `Aggregate plugin: For task_id pattern ${pattern}, inactivity_timeout (${inactivity}) must be lower than timeout (${timeout})`,
      )
    }
    const code = load()
    const store = (shared.get('aggregate') as AggregateMaps | undefined) ?? new AggregateMaps()
    shared.set('aggregate', store)
    const definesTimeout =
      [timeout, inactivity, options.timeout_code, stampField, options.timeout_task_id_field].some(
        (value) => value !== undefined,
      ) ||
      pushesOnTimeout ||
      pushesPrevious ||
      options.timeout_tags.length > 0
    if (definesTimeout && store.patternsWithTimeout.has(pattern)) {
      throw new PluginOptionError(
        `Aggregate plugin: For task_id pattern '${pattern}', there are more than one filter which defines timeout options. All timeout options have to be defined in only one aggregate filter per task_id pattern. Timeout options are : ${TIMEOUT_OPTIONS}`,
      )
    }
    if (definesTimeout) store.patternsWithTimeout.add(pattern)
    const { aggregate_maps_path: path } = options
    if (path !== undefined) {
      if (store.path !== undefined)
        throw new PluginOptionError(
          "Aggregate plugin: Option 'aggregate_maps_path' must be set on only one aggregate filter",
        )
      store.path = path
    }
    if (workers > 1) {
      log.warn(
        'The aggregate filter needs events in the order they came in: with more than one worker, events of a task may overtake each other. Run with -w 1',
        { task_id: pattern },
      )
    }
    const isFirst = !store.flushedPatterns.has(pattern)
    store.flushedPatterns.add(pattern)
    let hasWarned = false
    let flushedMs = clock.nowMs()

    function load(): AggregateCode {
      try {
        return new AggregateCode(options.code, options.timeout_code, { log, clock })
      } catch (error) {
        if (error instanceof RubyCodeError) throw new PluginOptionError(error.message)
        throw error
      }
    }

    /** One filter looks after the maps of a task id: the one with timeout options, or the first. */
    const isKeeper = () => definesTimeout || (isFirst && !store.patternsWithTimeout.has(pattern))
    const timeoutMs = (timeout ?? TIMEOUT_SECONDS) * 1000
    const inactivityMs = (inactivity ?? timeout ?? TIMEOUT_SECONDS) * 1000

    const isExpired = (element: AggregateElement, nowMs: number): boolean =>
      element.creationMs < nowMs - (element.timeoutSeconds === undefined ? timeoutMs : element.timeoutSeconds * 1000) ||
      element.lastEventMs <
        nowMs - (element.inactivitySeconds === undefined ? inactivityMs : element.inactivitySeconds * 1000)

    const failed = (event: Event, error: RaisedError): void => {
      log.error(`Aggregate exception occurred: ${error.message}`, {
        class: error.className,
        line: error.line,
        task_id: pattern,
      })
      event.tag('_aggregateexception')
    }

    function timeoutEvent(element: AggregateElement, more: Event[]): Event {
      const event = element.toEvent(clock.nowMs())
      if (options.timeout_task_id_field !== undefined) event.set(options.timeout_task_id_field, element.taskId)
      for (const tag of options.timeout_tags) event.appendTag(event.expand(tag))
      const error = code.runTimeout(event, more)
      if (error !== undefined) failed(event, error)
      return event
    }

    /**
     * The time by which the timeouts of a task are measured: that of the event if `timeout_timestamp_field` is set,
     * else the clock.
     */
    const timeOf = (event: Event): number => {
      const stamp = stampField === undefined ? undefined : event.get(stampField)
      return stamp instanceof Timestamp ? stamp.ms : clock.nowMs()
    }

    function oldest(more: Event[]): Event | undefined {
      const maps = store.of(pattern)
      const [taskId, element] = maps.entries().next().value ?? []
      if (element === undefined) return undefined
      maps.delete(taskId!)
      return timeoutEvent(element, more)
    }

    return {
      remembers: true,
      flushesByItself: true,
      filter(event, more) {
        store.load()
        const taskId = event.expand(pattern)
        if (taskId === '' || taskId === pattern) return false
        const maps = store.of(pattern)
        const extra: Event[] = []
        if (stampField !== undefined) {
          const known = maps.get(taskId)
          if (known !== undefined && isExpired(known, timeOf(event))) {
            maps.delete(taskId)
            if (pushesPrevious || pushesOnTimeout) extra.push(timeoutEvent(known, extra))
          }
        }
        let element = maps.get(taskId)
        if (element === undefined) {
          if (action === 'update') {
            more.push(...extra)
            return false
          }
          const previous = pushesPrevious ? oldest(extra) : undefined
          if (previous !== undefined) extra.push(previous)
          element = new AggregateElement(taskId, timeOf(event))
          maps.set(taskId, element)
          if (!hasWarned && maps.size >= options.map_count_warning_threshold) {
            hasWarned = true
            log.warn(
              `Aggregate plugin: there are ${maps.size} maps of task_id '${pattern}': set end_of_task or a timeout`,
            )
          }
        } else if (action === 'create') {
          more.push(...extra)
          return false
        }
        element.lastEventMs = timeOf(event)
        const error = code.run(event, element, extra)
        if (error !== undefined) failed(event, error)
        if (options.end_of_task) maps.delete(taskId)
        more.push(...extra)
        return error === undefined
      },
      flush(more, isFinal) {
        store.load()
        const nowMs = clock.nowMs()
        if (!isKeeper() || (!isFinal && nowMs - flushedMs < inactivityMs / 2 && nowMs - flushedMs < 5000)) return
        flushedMs = nowMs
        // With `timeout_timestamp_field` the clock does not matter: tasks expire with later events, and when the
        // pipeline ends.
        for (const [taskId, element] of store.of(pattern)) {
          if (stampField !== undefined || !isExpired(element, nowMs)) continue
          store.of(pattern).delete(taskId)
          if (pushesPrevious || pushesOnTimeout) more.push(timeoutEvent(element, more))
        }
        if (!isFinal || !pushesPrevious) return
        const last = oldest(more)
        if (last !== undefined) more.push(last)
      },
      async close() {
        if (path !== undefined) store.save()
      },
    }
  },
})
