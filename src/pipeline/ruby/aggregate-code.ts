/** The code of the `aggregate` filter, and the maps it fills. */
import type { Event } from '../event/event.ts'
import { Event as EventOfPipeline } from '../event/event.ts'
import { type FieldValue, isFields } from '../event/fields.ts'
import { Timestamp } from '../event/timestamp.ts'
import { compiledIn, preparing, type RaisedError, type RubyContext, raisedBy } from './filter-runtime.ts'
import type { Program } from './interpreter.ts'
import { RTime } from './library/time-value.ts'
import { REvent } from './logstash/event.ts'
import { aggregateFilterClass, FilterObject, LogStashLogger } from './logstash/filter-object.ts'
import { fieldsOf, rubyHash } from './logstash/values.ts'
import { define, makeClass } from './runtime/classes.ts'
import { toFloat } from './runtime/convert.ts'
import { RHash } from './runtime/hash.ts'
import { RObject, type Value } from './runtime/model.ts'
import { str } from './runtime/string.ts'

const ElementClass = makeClass('Element', undefined, aggregateFilterClass)

/** The state of one task: the map that the code fills, and the times of its events. The code sees it as `map_meta`. */
export class AggregateElement extends RObject {
  readonly taskId: string
  readonly map: RHash
  creationMs: number
  lastEventMs: number
  /** A timeout in seconds that the code set for this task only. */
  timeoutSeconds: number | undefined = undefined
  inactivitySeconds: number | undefined = undefined

  constructor(taskId: string, creationMs: number, map = new RHash()) {
    super(ElementClass)
    this.taskId = taskId
    this.map = map
    this.creationMs = creationMs
    this.lastEventMs = creationMs
  }

  /** A new event with the fields of the map. */
  toEvent(nowMs: number): Event {
    return EventOfPipeline.ofFields(fieldsOf(this.map), new Timestamp(nowMs))
  }

  /** The map as fields, for a file. */
  toField(): FieldValue {
    return fieldsOf(this.map)
  }

  static fromField(
    taskId: string,
    creationMs: number,
    lastEventMs: number,
    map: FieldValue | undefined,
  ): AggregateElement {
    const element = new AggregateElement(taskId, creationMs, isFields(map) ? rubyHash(map) : new RHash())
    element.lastEventMs = lastEventMs
    return element
  }
}

function timeAt(ms: number): Value {
  return new RTime(BigInt(Math.trunc(ms)) * 1_000_000n, { kind: 'local' })
}
define<AggregateElement>(ElementClass, 'task_id', 0, (self) => str(self.taskId))
define<AggregateElement>(ElementClass, 'map', 0, (self) => self.map)
define<AggregateElement>(ElementClass, 'creation_timestamp', 0, (self) => timeAt(self.creationMs))
define<AggregateElement>(ElementClass, 'lastevent_timestamp', 0, (self) => timeAt(self.lastEventMs))
define<AggregateElement>(ElementClass, 'timeout', 0, (self) => self.timeoutSeconds ?? null)
define<AggregateElement>(ElementClass, 'inactivity_timeout', 0, (self) => self.inactivitySeconds ?? null)
define<AggregateElement>(ElementClass, 'timeout=', 1, (self, [seconds]) => {
  self.timeoutSeconds = seconds === null ? undefined : toFloat(seconds!)
  return seconds!
})
define<AggregateElement>(ElementClass, 'inactivity_timeout=', 1, (self, [seconds]) => {
  self.inactivitySeconds = seconds === null ? undefined : toFloat(seconds!)
  return seconds!
})

/** `code` and `timeout_code` of one filter, which run in the same object. Throws `RubyCodeError`. */
export class AggregateCode {
  readonly #self: FilterObject
  readonly #code: Program
  readonly #timeoutCode: Program | undefined
  readonly #context: RubyContext

  constructor(code: string, timeoutCode: string | undefined, context: RubyContext) {
    this.#context = context
    this.#self = new FilterObject(aggregateFilterClass, new LogStashLogger(context.log))
    this.#code = compiledIn(aggregateFilterClass, 'code', code, ['event', 'map', 'map_meta'])
    this.#timeoutCode =
      timeoutCode === undefined ? undefined : compiledIn(aggregateFilterClass, 'timeout_code', timeoutCode, ['event'])
  }

  run(event: Event, element: AggregateElement, more: Event[]): RaisedError | undefined {
    return this.#guarded(this.#code, [new REvent(event), element.map, element], more)
  }

  runTimeout(event: Event, more: Event[]): RaisedError | undefined {
    return this.#timeoutCode === undefined ? undefined : this.#guarded(this.#timeoutCode, [new REvent(event)], more)
  }

  #guarded(program: Program, args: Value[], more: Event[]): RaisedError | undefined {
    const block = preparing(this.#context, more)
    try {
      program.run(this.#self, args, block)
      return undefined
    } catch (thrown) {
      const raised = raisedBy(thrown)
      if (raised === undefined) throw thrown
      return raised
    }
  }
}
