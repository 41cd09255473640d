/** `elapsed`: measures the time between a start event and an end event that have the same id. */
import { Double } from '../../base/json/json-writer.ts'
import { Event } from '../event/event.ts'
import { Fields, type FieldValue } from '../event/fields.ts'
import { textForm } from '../event/text-form.ts'
import { Timestamp } from '../event/timestamp.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'

interface Start {
  readonly id: FieldValue
  readonly timestamp: Timestamp
  readonly seenMs: number
}

export const elapsed = filterPlugin({
  name: 'elapsed',
  touches: 'nothing',
  options: {
    start_tag: option.string({ required: true }),
    end_tag: option.string({ required: true }),
    unique_id_field: option.field({ required: true }),
    timeout: option.number({ default: 1800 }),
    new_event_on_match: option.boolean({ default: false }),
    keep_start_event: option.words(['first', 'last'], { default: 'first' }),
  },
  create(options, { clock, hostName, succeed }) {
    const starts = new Map<string, Start>()
    const newEvent = (): Event => {
      const event = Event.ofFields(new Fields(), new Timestamp(clock.nowMs()))
      event.fields['host'] = hostName
      return event
    }
    const describe = (event: Event, tag: string, seconds: FieldValue, { id, timestamp }: Start): void => {
      event.tag('elapsed')
      event.tag(tag)
      event.set('elapsed_time', seconds)
      event.set(options.unique_id_field, id)
      event.set('elapsed_timestamp_start', timestamp)
    }
    const hasTag = (event: Event, tag: string): boolean => {
      const { tags } = event.fields
      return Array.isArray(tags) ? tags.includes(tag) : tags === tag
    }
    const timeOf = (event: Event): Timestamp => event.timestamp ?? new Timestamp(clock.nowMs())
    return {
      remembers: true,
      flushesByItself: true,
      filter(event, more) {
        const id = event.get(options.unique_id_field)
        if (id === undefined || id === null) return false
        const key = textForm(id)
        if (hasTag(event, options.start_tag)) {
          if (options.keep_start_event === 'last' || !starts.has(key)) {
            starts.set(key, { id, timestamp: timeOf(event), seenMs: clock.nowMs() })
          }
          return true
        }
        if (!hasTag(event, options.end_tag)) return false
        const start = starts.get(key)
        if (start === undefined) {
          event.tag('elapsed_end_without_start')
          return true
        }
        starts.delete(key)
        const seconds = (timeOf(event).ms - start.timestamp.ms) / 1000
        const time = Number.isInteger(seconds) ? new Double(seconds) : seconds
        if (!options.new_event_on_match) {
          describe(event, 'elapsed_match', time, start)
          return true
        }
        const match = newEvent()
        describe(match, 'elapsed_match', time, start)
        succeed(match)
        more.push(match)
        return true
      },
      flush(more) {
        const nowMs = clock.nowMs()
        for (const [key, start] of starts) {
          const ageS = Math.floor((nowMs - start.seenMs) / 1000)
          if (ageS < options.timeout) continue
          starts.delete(key)
          const expired = newEvent()
          describe(expired, 'elapsed_expired_error', ageS, start)
          succeed(expired)
          more.push(expired)
        }
      },
    }
  },
})
