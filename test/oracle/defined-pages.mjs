// The areas composite and nested of the oracle's differential tester, without the pages Elasticsearch contradicts itself on.
//
//   node ../shared/oracle/diff.mjs --gen test/oracle/defined-pages.mjs --area composite,nested --oracle … --subject …
//
// Asked page by page, Elasticsearch leaves out or repeats some buckets of composites it answers whole on one page
// (docs/compatibility.md names the kinds). Those composites, and only those, are asked for on one page here, so that its
// whole answer is what counts. Everything else is paged as the tester made it, and the worlds and cases are those of
// the same seed without --gen.

import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const ALL_BUCKETS = 20_000

/** The tester that runs this module holds the generators: the folder beside it. */
const generators = join(dirname(process.argv[1]), 'gen')

export const areas = await Promise.all(['composite', 'nested'].map(withDefinedPages))

async function withDefinedPages(name) {
  const { area } = await import(pathToFileURL(join(generators, `${name}.mjs`)).href)
  return {
    ...area,
    makeCase(rng, world, ownName) {
      const made = area.makeCase(rng, world, ownName)
      for (const step of made.steps) {
        if (step.kind !== 'composite') continue
        const composite = compositeOf(step)
        if (composite.sources.some(losesBucketsBetweenPages)) composite.size = ALL_BUCKETS
      }
      return made
    },
  }
}

/** The tester's own path to the composite of a step: a dotted name walks into single-bucket parents. */
function compositeOf(step) {
  return step.name.split('.').reduce((at, part) => at.aggs[part], step.body).composite
}

function losesBucketsBetweenPages(source) {
  const [[kind, { order = 'asc', missing_order: missing = 'default' }]] = Object.entries(Object.values(source)[0])
  const missingOnTheUnusualSide = missing === (order === 'asc' ? 'last' : 'first')
  return missingOnTheUnusualSide || (kind === 'terms' && order === 'desc')
}
