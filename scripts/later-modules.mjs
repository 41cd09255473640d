// Modules of the bundle that are loaded by the first call of one of their functions. Most services never need them, and their code and
// tables would take memory in every thread and time at every start. Importers are written as if the modules were loaded at once: the bundle
// contains functions of the same names in their place.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A module here exports functions only, and none that runs per document. */
const LATER = [
  'engine/aggregations/aggregation-kinds.ts',
  'engine/aggregations/pipelines/moving-functions.ts',
  'engine/painless/api/api-data.generated.ts',
  'engine/painless/api/context-info.ts',
  'engine/painless/compile.ts',
  'service/ingest/pipeline/compile-pipeline.ts',
  'service/ingest/regex/grok-patterns.ts',
  'service/ingest/script-api/processors.ts',
]

const NAMESPACE = 'later'
const EXPORT = /^export (?:(?:type|interface) |(?:async )?function\*? ?(\w+)|)/gm

/** The plugin for esbuild. The chunks that it names by `loadNow$` are loaded synchronously (pack-chunks.mjs). */
export function laterModules(source, modules = LATER) {
  const paths = new Set(modules.map((path) => join(source, path)))
  return {
    name: 'later-modules',
    setup(build) {
      build.onResolve({ filter: /\.ts$/ }, ({ path, resolveDir, kind }) => {
        if (kind !== 'import-statement') return undefined
        const file = join(resolveDir, path)
        return paths.has(file) ? { path: file, namespace: NAMESPACE } : undefined
      })
      build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({
        contents: stubs(path),
        resolveDir: source,
      }))
    },
  }
}

/** Functions that load the module and call those of the same names there. */
function stubs(path) {
  const names = [...readFileSync(path, 'utf8').matchAll(EXPORT)].flatMap(([text, name]) => {
    if (text === 'export ') throw new Error(`${path} exports more than functions and is not fit to be loaded later`)
    return name === undefined ? [] : [name]
  })
  const functions = names.map((name) => `export function ${name}(...values){return loaded().${name}(...values)}`)
  return `let module;const loaded=()=>module??=loadNow$(()=>import(${JSON.stringify(path)}))\n${functions.join('\n')}\n`
}
