import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AnalysisRegistry } from './registry/analysis-registry.ts'
import { graphPaths, graphSections, isGraph } from './token-graph.ts'

const registry = AnalysisRegistry.fromSettings({
  analysis: {
    filter: { syn: { type: 'synonym_graph', synonyms: ['wi fi, wlan, wireless network', 'tv, telly'] } },
    analyzer: {
      graph: { tokenizer: 'standard', filter: ['lowercase', 'syn'] },
      holes: { tokenizer: 'standard', filter: ['lowercase', 'stop'] },
    },
  },
})
const tokens = (analyzer: string, text: string) => registry.analyzer(analyzer)!.tokens(text)
const show = (paths: readonly (readonly { term: string }[])[]) =>
  paths.map((path) => path.map((token) => token.term).join(' ')).join(' | ')

test('a token graph is split where all paths meet', () => {
  const graph = tokens('graph', 'my wi fi tv')
  assert.ok(isGraph(graph))
  assert.deepEqual(
    graphSections(graph).map((section) => show(section.paths)),
    ['my', 'wlan | wireless network | wi fi', 'telly | tv'],
  )
})

test('every path through the graph is one phrase', () => {
  assert.equal(show(graphPaths(tokens('graph', 'wlan tv'))).split(' | ').length, 6)
})

test('a hole does not end a path', () => {
  const withHole = tokens('holes', 'fox the dog')
  assert.ok(!isGraph(withHole))
  assert.deepEqual(
    graphSections(withHole).map((section) => show(section.paths)),
    ['fox', 'dog'],
  )
  assert.equal(show(graphPaths(withHole)), 'fox dog')
})
