/**
 * Painless: compiles scripts to JavaScript in a closed scope and runs them with Java's semantics.
 *
 * This file is the whole interface of the module. In the bundle the compiler is loaded with the first script, because most nodes
 * never run one (scripts/later-modules.mjs).
 */
export { painlessContext } from './api/context-info.ts'
export { compileScript } from './compile.ts'
export {
  type ContextDefinition,
  type ContextName,
  contextDefinition,
  contextNames,
  isContextName,
} from './contexts/context.ts'
export type * from './contract.ts'
export {
  illegalArgument as javaIllegalArgument,
  JavaThrowable,
  unsupportedOperation as javaUnsupported,
  wireType,
} from './errors/java-throwable.ts'
export {
  exceededLimit,
  PainlessCompileError,
  PainlessRuntimeError,
  ScriptException,
} from './errors/script-exception.ts'
export { fromJava, javaItems, readJava, toJava } from './host/host-values.ts'
export { jsonMap } from './host/json-map.ts'
export { writeJava } from './host/write-java.ts'
export { arrayOf as javaArray } from './runtime/arrays.ts'
export { Boxed, JByte, JChar, JDouble, JFloat, JShort } from './runtime/boxed.ts'
export { classOf as javaClassOf } from './runtime/class-of.ts'
export { JFixedList } from './runtime/collections/fixed-list.ts'
export { JHashMap } from './runtime/collections/hash-map.ts'
export { JIterable } from './runtime/collections/iterable.ts'
export { JArrayList, JList } from './runtime/collections/list.ts'
export { JEntry, JMap } from './runtime/collections/map.ts'
export { compareTo as javaCompare, equals as javaEquals } from './runtime/equality.ts'
export { JArray } from './runtime/java-object.ts'
export { textOf as javaString } from './runtime/java-text.ts'
export {
  limitSteps as limitScriptSteps,
  resetLimits as resetScriptLimits,
  spentSteps as spentScriptSteps,
} from './runtime/limits.ts'
export { BigInteger } from './runtime/math/big-integer.ts'
export { type Implementation, provideStatics } from './runtime/registry.ts'
export { doublesFromIntegers, integersFromDoubles } from './runtime/script/columns/block-column.ts'
export * from './runtime/script/context-objects.ts'
export { CtxMap } from './runtime/script/ctx-map.ts'
export { INGEST_METADATA, IngestCtx, ingestConditionCtx } from './runtime/script/ingest-ctx.ts'
export { SMALL_DATE_PARTS, type SmallDatePart } from './runtime/script/small-date-parts.ts'
export { ZonedDateTime, zonedFromMillis } from './runtime/time/zoned-date-time.ts'
