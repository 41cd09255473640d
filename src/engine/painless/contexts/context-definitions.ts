/** Every script context as data: result type, variables and functions, in the notation that `context.ts` parses. */

const MAP = 'java.util.Map'
const STRING = 'java.lang.String'
const PARAMS = `${MAP} params`
const DOC = `${MAP} doc`
const SIMILARITY = 'org.elasticsearch.index.similarity.ScriptedSimilarity'

/** Scripts that run per document have the fields API; `$('f', d)` is short for `field('f').get(d)`. */
const FIELD = 'org.elasticsearch.script.field.Field field(java.lang.String)'
const PER_DOCUMENT = { variables: [PARAMS, DOC], functions: [FIELD] }
const WITH_SCORE = { variables: [PARAMS, DOC, 'double _score'], functions: [FIELD] }

const WRITE = {
  returns: 'void',
  variables: [PARAMS, `${MAP} ctx`],
  functions: [
    'org.elasticsearch.script.field.WriteField field(java.lang.String)',
    'org.elasticsearch.script.Metadata metadata()',
  ],
}

const DECAY = ['Linear', 'Exp', 'Gauss'].flatMap((shape) => [
  `double decayNumeric${shape}(double,double,double,double,double)!4`,
  `double decayDate${shape}(${STRING},${STRING},${STRING},double,java.time.ZonedDateTime)!4`,
  `double decayGeo${shape}(${STRING},${STRING},${STRING},double,org.elasticsearch.common.geo.GeoPoint)!4`,
])

const SCORING = [
  'double saturation(double,double)',
  'double sigmoid(double,double,double)',
  'double randomScore(int)!1',
  `double randomScore(int,${STRING})!2`,
  ...DECAY,
  ...['cosineSimilarity', 'dotProduct', 'l1norm', 'l2norm', 'hamming'].map(
    (name) => `double ${name}(java.lang.Object,${STRING})!2`,
  ),
]

const emitting = (...functions: string[]) => ({
  returns: 'void',
  variables: [PARAMS, DOC],
  functions: [FIELD, ...functions],
})

const plain = (returns: string, ...variables: string[]) => ({ returns, variables, functions: [] as string[] })

export const CONTEXTS = {
  aggregation_selector: plain('boolean', PARAMS),
  aggs: {
    returns: 'java.lang.Object',
    variables: [PARAMS, DOC, 'java.lang.Number _score', 'def _value'],
    functions: [FIELD],
  },
  aggs_combine: plain('java.lang.Object', PARAMS, `${MAP} state`),
  aggs_init: plain('void', PARAMS, 'def state'),
  aggs_map: { returns: 'void', variables: [PARAMS, DOC, `${MAP} state`, 'double _score'], functions: [FIELD] },
  aggs_reduce: plain('java.lang.Object', PARAMS, 'java.util.List states'),
  analysis: plain('boolean', '=org.elasticsearch.analysis.common.AnalysisPredicateScript.Token token'),
  boolean_field: emitting('void emit(boolean)'),
  bucket_aggregation: plain('java.lang.Number', PARAMS),
  bytesref_sort: { returns: 'java.lang.Object', ...WITH_SCORE },
  composite_field: emitting(`void emit(${MAP})`, `void emit(${STRING},java.lang.Object)`),
  date_field: emitting('void emit(long)', 'long parse(def)'),
  double_field: emitting('void emit(double)'),
  field: { returns: 'java.lang.Object', ...PER_DOCUMENT },
  filter: { returns: 'boolean', ...PER_DOCUMENT },
  geo_point_field: emitting('void emit(double,double)'),
  ingest: WRITE,
  interval: plain('boolean', '=org.elasticsearch.index.query.IntervalFilterScript.Interval interval'),
  ip_field: emitting(`void emit(${STRING})`),
  keyword_field: emitting(`void emit(${STRING})`),
  long_field: emitting('void emit(long)'),
  'moving-function': plain('double', `=${PARAMS}`, '=double[] values'),
  number_sort: { returns: 'double', ...WITH_SCORE },
  painless_test: {
    returns: 'java.lang.Object',
    variables: [PARAMS],
    functions: SCORING.filter((line) => !/randomScore/.test(line)),
  },
  processor_conditional: plain('boolean', PARAMS, `=${MAP} ctx`),
  reindex: WRITE,
  score: {
    returns: 'double',
    variables: [PARAMS, DOC, 'double _score'],
    functions: [FIELD, ...SCORING],
  },
  script_heuristic: plain('double', `=${PARAMS}`),
  similarity: plain(
    'double',
    '=double weight',
    `=${SIMILARITY}.Query query`,
    `=${SIMILARITY}.Field field`,
    `=${SIMILARITY}.Term term`,
    `=${SIMILARITY}.Doc doc`,
  ),
  similarity_weight: plain(
    'double',
    `=${SIMILARITY}.Query query`,
    `=${SIMILARITY}.Field field`,
    `=${SIMILARITY}.Term term`,
  ),
  string_sort: { returns: STRING, ...WITH_SCORE },
  terms_set: plain('java.lang.Number', PARAMS, DOC),
  update: WRITE,
  update_by_query: WRITE,
}
