/** Scripts that go on for ever, build huge texts or backtrack, in every place that runs one. */
import type { HostileRequest } from './request-builders.ts'

/** Work until a limit stops them. */
const LOOP =
  'int f(int n) { int s = 0; for (int i = 0; i < 900000; i++) { s += i % 7 } return s + n } int t = 0; for (int j = 0; j < 1000; j++) { t += f(j) }'
const ATTACKS: Readonly<Record<string, string>> = {
  'nested loops': LOOP,
  'growing text': "String s = 'abcdefgh'; for (int i = 0; i < 40; i++) { s += s }",
  'growing list': 'List l = [1]; for (int i = 0; i < 60; i++) { l.addAll(new ArrayList(l)) }',
  recursion: 'int g(int n) { return n < 2 ? n : g(n - 1) + g(n - 2) } g(80);',
  backtracking: "boolean m = /(a|a)*b/.matcher('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa').find();",
}

const post = (name: string, path: string, body: unknown): HostileRequest => ({
  name: `script: ${name}`,
  method: 'POST',
  path,
  body: JSON.stringify(body),
})

/** Each place with the end that its context wants. */
const PLACES: Readonly<Record<string, (attack: string) => { path: string; body: unknown }>> = {
  execute: (attack) => ({ path: '/_scripts/painless/_execute', body: { script: { source: `${attack} return 1` } } }),
  'script query': (attack) => search({ query: { script: { script: `${attack} return true` } } }),
  script_score: (attack) =>
    search({ query: { script_score: { query: { match_all: {} }, script: { source: `${attack} return 1.0` } } } }),
  script_fields: (attack) => search({ script_fields: { f: { script: `${attack} return 1` } } }),
  'runtime field': (attack) =>
    search({ runtime_mappings: { r: { type: 'long', script: `${attack} emit(1)` } }, query: { term: { r: 1 } } }),
  sort: (attack) => search({ sort: { _script: { type: 'number', script: `${attack} return 1.0` } } }),
  aggregation: (attack) => search({ size: 0, aggs: { s: { sum: { script: `${attack} return 1` } } } }),
  scripted_metric: (attack) =>
    search({
      size: 0,
      aggs: {
        m: {
          scripted_metric: {
            init_script: 'state.a = 1',
            map_script: attack,
            combine_script: `${attack} return 1`,
            reduce_script: `${attack} return 1`,
          },
        },
      },
    }),
  bucket_script: (attack) =>
    search({
      size: 0,
      aggs: {
        t: {
          terms: { field: 'tag' },
          aggs: { b: { bucket_script: { buckets_path: { c: '_count' }, script: `${attack} return params.c` } } },
        },
      },
    }),
  update: (attack) => ({ path: '/hostile/_update/1', body: { script: `${attack} ctx._source.x = 1` } }),
  'update by query': (attack) => ({
    path: '/hostile/_update_by_query?conflicts=proceed',
    body: { script: `${attack} ctx._source.x = 1` },
  }),
}

function search(body: unknown) {
  return { path: '/hostile/_search', body }
}

export const HOSTILE_SCRIPTS: readonly HostileRequest[] = Object.entries(PLACES).flatMap(([place, make]) =>
  Object.entries(ATTACKS).map(([attack, source]) => {
    const { path, body } = make(source)
    const isShort = attack === 'recursion' && place === 'script_score'
    return { ...post(`${attack} in ${place}`, path, body), isShort }
  }),
)
