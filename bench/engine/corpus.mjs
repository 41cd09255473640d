/** Segments for benchmarks of the engine: log events without nested objects, written once and opened by every run. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { event, MAPPING } from '../events.mjs'

const { spans: _, ...PROPERTIES } = MAPPING.mappings.properties

/** The modules of a build of the engine. */
async function modulesOf(dist) {
  const load = (path) => import(pathToFileURL(join(dist, 'engine', path)).href)
  const modules = await Promise.all(
    [
      'analysis/registry/analysis-registry.js',
      'document/parsed-document.js',
      'mapping/documents/document-parser.js',
      'mapping/mapping.js',
      'mapping/mapping-context.js',
      'memory/arena.js',
      'segment/buffer/write-buffer.js',
      'segment/segment-fixture.js',
      'segment/segment-reader.js',
      'segment/segment-writer.js',
    ].map(load),
  )
  return Object.assign({}, ...modules)
}

function mappingOf({ AnalysisRegistry, parseMapping, mappingLimits }) {
  const analysis = AnalysisRegistry.fromSettings({})
  const settings = { analysis, limits: mappingLimits({}) }
  return { analysis, mapping: parseMapping({ dynamic: false, properties: PROPERTIES }, settings) }
}

/** Writes `docs` events as segments of equal size into the folder, unless it has segments. */
export async function writeCorpus(dist, folder, docs, segments) {
  mkdirSync(folder, { recursive: true })
  if (readdirSync(folder).length === segments) return
  const engine = await modulesOf(dist)
  const { mapping } = mappingOf(engine)
  const parser = new engine.JsonDocumentParser()
  const parsed = new engine.ParsedDocument()
  const size = Math.ceil(docs / segments)
  for (let segment = 0; segment < segments; segment++) {
    const buffer = new engine.WriteBuffer({})
    for (let number = segment * size; number < Math.min(docs, (segment + 1) * size); number++) {
      const { spans, ...source } = event(number)
      const bytes = Buffer.from(JSON.stringify(source))
      parsed.reset()
      parser.parse(mapping, bytes, 0, bytes.length, { id: `${number}`, routing: undefined }, parsed)
      const meta = { idBytes: Buffer.from(`${number}`), seqNo: number, version: 1, primaryTerm: 1, routing: undefined }
      buffer.add(parsed, mapping.schemas, meta, bytes)
    }
    const { chunks } = engine.sealSegment(buffer, { nestedPaths: mapping.nestedPaths })
    writeFileSync(join(folder, `segment-${segment}`), Buffer.concat(chunks))
  }
}

/** The shard whose segments are in the folder. */
export async function openCorpus(dist, folder) {
  const engine = await modulesOf(dist)
  const { analysis, mapping } = mappingOf(engine)
  const arena = engine.Arena.create(2 ** 32 - 65536)
  const segments = []
  let docBase = 0
  for (const name of readdirSync(folder).sort()) {
    const reader = engine.openSegment(engine.memoryFile(name, [readFileSync(join(folder, name))]), arena)
    segments.push({ reader, live: undefined, liveCount: reader.docCount, docBase })
    docBase += reader.docCount
  }
  return {
    mapping,
    view: { generation: 1, segments, liveRoots: docBase },
    counted: segments,
    limits: { maxTermsCount: 65_536, maxRegexLength: 1_000 },
    nowMs: Date.UTC(2025, 6, 1),
    index: { name: 'events', uuid: 'events' },
    shard: 0,
    analyzer: (name) => analysis.analyzer(name),
    similarity: () => ({ k1: 1.2, b: 0.75 }),
  }
}
