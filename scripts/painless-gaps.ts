// Prints the classes and members of the allow-list that this engine does not implement.
//   node --import tsx scripts/painless-gaps.ts
// Methods of objects are looked up on a sample object of each class: one that a constructor or a static member gives, or the result
// of an expression in SAMPLES.
import { apiClass, apiClassNames } from '../src/engine/painless/api/api-lines.ts'
import { JavaThrowable } from '../src/engine/painless/errors/java-throwable.ts'
import { compileScript } from '../src/engine/painless/index.ts'
import { isInstance, listedClassOf } from '../src/engine/painless/runtime/class-of.ts'
import { methodOf } from '../src/engine/painless/runtime/invoke.ts'
import { JFunction, JObject } from '../src/engine/painless/runtime/java-object.ts'
import { constructorOf, staticField, staticMethod } from '../src/engine/painless/runtime/registry.ts'
import { SAMPLES } from './painless-samples.ts'
// These modules provide static methods of their own to scripts.
import '../src/engine/aggregations/parse-aggregations.ts'
import '../src/service/ingest/script-api/provide-processors.ts'

/** Vectors, which only documents have. */
const SKIPPED = /\.vectors\./
const names = apiClassNames().filter((name) => !SKIPPED.test(name))

const samples: unknown[] = []
for (const source of SAMPLES) {
  try {
    samples.push(compileScript({ source, context: 'painless_test' }).newInstance({}).execute())
  } catch (error) {
    console.log(`sample failed: ${source}: ${(error as { options?: unknown; message: string }).message}`)
  }
}
for (const name of names) {
  const own = apiClass(name)!
  for (const field of own.staticFields.keys()) samples.push(staticField(name, field)?.value)
  for (const make of [constructorOf(name, 0), staticMethod(name, 'now', 0), staticMethod(name, 'instance', 0)]) {
    try {
      samples.push(make?.())
    } catch {}
  }
}

let missing = 0
let unsampled = 0
const report = (owner: string, what: string) => {
  missing++
  console.log(`missing ${owner} ${what}`)
}
for (const name of names) {
  const own = apiClass(name)!
  for (const key of own.constructors.keys()) if (constructorOf(name, key) === undefined) report(name, `new/${key}`)
  for (const { name: method, params } of own.statics.values())
    if (staticMethod(name, method, params.length) === undefined) report(name, `static ${method}/${params.length}`)
  for (const field of own.staticFields.keys())
    if (staticField(name, field) === undefined) report(name, `static ${field}`)
  if (own.methods.size === 0 || /Exception$/.test(name)) continue
  const fitting = samples.filter((sample) => sample !== null && sample !== undefined && fits(sample, name))
  if (fitting.length === 0) {
    unsampled++
    console.log(`no sample of ${name} (${[...own.methods.keys()].join(' ')})`)
    continue
  }
  for (const { name: method, params } of own.methods.values()) {
    const key = `${method}_${params.length}`
    const without = fitting.filter((sample) => methodOf(sample, key) === undefined)
    if (without.length > 0)
      report(name, `${method}/${params.length} of ${[...new Set(without.map(listedClassOf))].join(' ')}`)
  }
}
console.log(`${missing} members missing, ${unsampled} classes without a sample`)

function fits(sample: unknown, type: string): boolean {
  if (sample instanceof JFunction) return false
  if (sample instanceof JavaThrowable) return false
  return sample instanceof JObject || typeof sample !== 'object' || 'value' in (sample as object)
    ? isInstance(sample, type)
    : false
}
