// The areas composite and nested of the differential tester, without the pages on which Elasticsearch
// contradicts itself.
//
//   node test/differential/diff.mjs --gen test/oracle/defined-pages.mjs --area composite,nested --oracle … --subject …
//
// With paging, Elasticsearch omits or repeats some buckets of composites that are complete on one page
// (docs/compatibility.md names the kinds). Only those composites are requested on one page here, so that the complete
// response is compared. Everything else is paged by the tester, and the worlds and cases are those of the same seed
// without --gen.

import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const ALL_BUCKETS = 20_000

/** The generators are in the folder beside the tester that runs this module. */
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

/** The tester's path to the composite of a step: a dotted name leads into single-bucket parents. */
function compositeOf(step) {
  return step.name.split('.').reduce((at, part) => at.aggs[part], step.body).composite
}

function losesBucketsBetweenPages(source) {
  const [[kind, { order = 'asc', missing_order: missing = 'default' }]] = Object.entries(Object.values(source)[0])
  const missingOnTheUnusualSide = missing === (order === 'asc' ? 'last' : 'first')
  return missingOnTheUnusualSide || (kind === 'terms' && order === 'desc')
}
