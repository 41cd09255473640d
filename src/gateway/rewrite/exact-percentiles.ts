/**
 * Percentiles and percentile ranks of few values. Elasticsearch keeps up to twenty values for each unit of compression and
 * interpolates between them; OpenSearch interpolates otherwise. A script beside the aggregation computes Elasticsearch's
 * numbers. It gives up when there are more values, and the numbers of the cluster stay.
 */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import {
  type Aggregation,
  aggregationsOf,
  amendAggregations,
  changeAggregations,
  takeResult,
  withAggregations,
} from './agg-tree.ts'
import { numberOf } from './answer-tree.ts'
import { isObject, NUMBER_TYPES } from './field-types.ts'
import type { Rewrite, SearchScope } from './search-rewrite.ts'

/** The beginning of the names of the added aggregations. */
export const PERCENTILES_SCRIPT = '_sandpiper_percentiles_'

const KINDS: ReadonlySet<string> = new Set(['percentiles', 'percentile_ranks'])
const PERCENTS_DEFAULT: readonly number[] = [1, 5, 25, 50, 75, 95, 99]
const COMPRESSION_DEFAULT = 100
const VALUES_PER_COMPRESSION = 20
/** Limits the memory of a bucket for large compressions. */
const VALUES_MAX = 10_000

export const exactPercentiles: Rewrite = (request, scope) => {
  const aggregations = aggregationsOf(request)
  if (aggregations === undefined || !scope.hasScripts) return undefined
  const changed = changeAggregations(aggregations, (aggregation) => {
    const wanted = wantedOf(aggregation, request, scope)
    if (wanted === undefined) return undefined
    const name = `${PERCENTILES_SCRIPT}${aggregation.name}`
    return {
      definition: aggregation.definition,
      beside: { [name]: { scripted_metric: wanted } },
      amend: (result, container) => withValues(result, takeResult(container, name)?.['value'], wanted.params.keys),
    }
  })
  if (changed === undefined) return undefined
  return {
    request: withAggregations(request, changed.aggregations),
    amend: (answer) => amendAggregations(answer, changed),
  }
}

interface Wanted extends JsonObject {
  readonly params: { readonly keys: readonly number[] } & JsonObject
}

/** The scripts for an aggregation; undefined for one whose numbers the cluster has to compute. */
function wantedOf(
  { kind, options, parents }: Aggregation,
  request: JsonObject,
  scope: SearchScope,
): Wanted | undefined {
  if (!KINDS.has(kind) || isRefused(parents)) return undefined
  const { field, missing, tdigest, format } = options
  if (typeof field !== 'string' || format !== undefined || options['script'] !== undefined) return undefined
  if (options['hdr'] !== undefined || (isObject(tdigest) && tdigest['execution_hint'] !== undefined)) return undefined
  if (!NUMBER_TYPES.has(String(scope.field(field)?.['type'])) || isComputed(field, request, scope)) return undefined
  const isRank = kind === 'percentile_ranks'
  const keys = numbersOf(isRank ? options['values'] : (options['percents'] ?? PERCENTS_DEFAULT))
  const compression = isObject(tdigest) ? numberOf(tdigest['compression'] ?? COMPRESSION_DEFAULT) : COMPRESSION_DEFAULT
  const other = missing === undefined ? null : numberOf(missing)
  if (keys === undefined || compression === undefined || other === undefined) return undefined
  const limit = Math.min(VALUES_MAX, Math.floor(compression * VALUES_PER_COMPRESSION))
  return {
    // OpenSearch refuses a null in the parameters.
    params: { field, keys, limit, ...(other === null ? {} : { missing: other }) },
    init_script: 'state.values = new ArrayList()',
    map_script: MAP,
    combine_script: 'return state.values == null ? false : state.values',
    reduce_script: `${MERGE}${isRank ? RANKS : QUANTILES}`,
  }
}

/** OpenSearch refuses a script, which might read scores, below rare terms of nested documents. */
function isRefused(parents: readonly string[]): boolean {
  const rare = parents.lastIndexOf('rare_terms')
  return rare >= 0 && parents.slice(0, rare).includes('nested')
}

/** Whether a runtime field has this name. */
function isComputed(field: string, { runtime_mappings: own, derived }: JsonObject, { runtime }: SearchScope): boolean {
  return [own, derived, runtime].some((fields) => isObject(fields) && Object.hasOwn(fields, field))
}

function numbersOf(values: unknown): number[] | undefined {
  const numbers = [values].flat().map(numberOf)
  return numbers.includes(undefined) ? undefined : (numbers as number[])
}

/** Collects the values of a shard, and none once there are too many. */
const MAP = `if (state.values == null) return;
if (doc.containsKey(params.field) && doc[params.field].size() > 0) {
  for (def v : doc[params.field]) state.values.add(((Number) v).doubleValue());
} else if (params.missing != null) state.values.add(((Number) params.missing).doubleValue());
if (state.values.size() > params.limit) state.values = null;`

/** A shard without documents has no state. */
const MERGE = `List all = new ArrayList();
for (def values : states) {
  if (values == null) continue;
  if (!(values instanceof List)) return null;
  all.addAll(values);
}
int n = all.size();
if (n == 0 || n > params.limit) return null;
all.sort(Comparator.naturalOrder());
List out = new ArrayList();
`

const QUANTILES = `for (def key : params.keys) {
  double place = ((Number) key).doubleValue() / 100 * (n - 1);
  int below = (int) place;
  double low = all.get(below);
  double high = all.get(below + 1 < n ? below + 1 : below);
  out.add(low + (place - below) * (high - low));
}
return out;`

/** Each value extends halfway to both neighbours. Repeated values at the ends have no width: half of them lie below. */
const RANKS = `double least = all.get(0);
double most = all.get(n - 1);
for (def key : params.keys) {
  double x = ((Number) key).doubleValue();
  if (x < least) { out.add(0.0); continue; }
  if (x > most) { out.add(100.0); continue; }
  if (least == most) { out.add(50.0); continue; }
  double same = 0;
  if (x == least || x == most) {
    for (double v : all) { if (v == x) same += 1; }
    double half = same / 2 / n;
    out.add(100 * (x == least ? half : 1 - half));
    continue;
  }
  double share = 1;
  double left = ((double) all.get(1) - least) / 2;
  for (int i = 0; i < n; i++) {
    double v = all.get(i);
    double right = i < n - 1 ? ((double) all.get(i + 1) - v) / 2 : left;
    if (x < v + right) {
      share = Math.max(0, (i + (x - v + left) / (left + right)) / n);
      break;
    }
    left = right;
  }
  out.add(100 * share);
}
return out;`

function withValues(result: JsonObject, found: unknown, keys: readonly number[]): JsonObject {
  const { values } = result
  if (!Array.isArray(found) || found.length !== keys.length) return result
  const exact = (key: unknown) => found[keys.indexOf(Number(numberOf(key) ?? key))]
  if (Array.isArray(values))
    return { ...result, values: values.map((item: JsonObject) => ({ ...item, value: exact(item['key']) })) }
  if (!isObject(values)) return result
  return { ...result, values: Object.fromEntries(Object.keys(values).map((key) => [key, exact(key)])) }
}
