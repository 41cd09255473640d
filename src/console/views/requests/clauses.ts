/**
 * Completion data for bodies: every query clause and aggregation with its description, a template and its options.
 * Tests compare this table with the clauses and aggregations of the service, and send every template to it.
 *
 * `‹word›` in a template is a placeholder with its default text.
 */

export interface Clause {
  readonly name: string
  readonly meaning: string
  /** The value of the clause as JSON. */
  readonly template: string
  /** The keys of its object, or of the object below a field name. */
  readonly options?: string
  /** Whether the keys of its object are field names. */
  readonly byField?: true
}

const MATCH_OPTIONS =
  'query operator fuzziness minimum_should_match analyzer boost zero_terms_query prefix_length max_expansions lenient'
const TERM_OPTIONS = 'value boost case_insensitive'

// biome-ignore format: a table
export const QUERIES: readonly Clause[] = [
  { name: 'bool', meaning: 'Queries combined: all of, any of, none of', template: '{ "filter": [‹›] }', options: 'must filter should must_not minimum_should_match boost' },
  { name: 'boosting', meaning: 'Hits of one query, those of another lowered', template: '{ "positive": { "match_all": {} }, "negative": { "match_none": {} }, "negative_boost": ‹0.5› }', options: 'positive negative negative_boost boost' },
  { name: 'combined_fields', meaning: 'Words found in several text fields taken as one', template: '{ "query": "‹text›", "fields": ["‹field›"] }', options: 'query fields operator minimum_should_match zero_terms_query boost' },
  { name: 'constant_score', meaning: 'A filter with one score for all hits', template: '{ "filter": { "match_all": {} } }', options: 'filter boost' },
  { name: 'dis_max', meaning: 'The best score of several queries', template: '{ "queries": [{ "match_all": {} }] }', options: 'queries tie_breaker boost' },
  { name: 'distance_feature', meaning: 'Higher scores near a date or place', template: '{ "field": "‹field›", "origin": "‹now›", "pivot": "‹7d›" }', options: 'field origin pivot boost' },
  { name: 'exists', meaning: 'Documents with a value in a field', template: '{ "field": "‹field›" }', options: 'field boost' },
  { name: 'function_score', meaning: 'Scores changed by functions', template: '{ "query": { "match_all": {} }, "random_score": {} }', options: 'query functions boost score_mode boost_mode max_boost min_score random_score field_value_factor script_score gauss linear exp weight' },
  { name: 'fuzzy', meaning: 'Terms that are similar', template: '{ "‹field›": { "value": "‹value›" } }', byField: true, options: 'value fuzziness prefix_length max_expansions transpositions rewrite boost' },
  { name: 'geo_bounding_box', meaning: 'Points within a box', template: '{ "‹field›": { "top_left": { "lat": ‹50›, "lon": ‹0› }, "bottom_right": { "lat": ‹40›, "lon": ‹10› } } }', byField: true, options: 'top_left bottom_right' },
  { name: 'geo_distance', meaning: 'Points within a distance', template: '{ "distance": "‹10km›", "‹field›": { "lat": ‹52›, "lon": ‹13› } }', byField: true, options: 'distance distance_type validation_method ignore_unmapped' },
  { name: 'geo_polygon', meaning: 'Points within a polygon (deprecated: geo_shape)', template: '{ "‹field›": { "points": [[0, 0], [10, 0], [10, 10]] } }', byField: true, options: 'points' },
  { name: 'geo_shape', meaning: 'Shapes and points that meet a shape', template: '{ "‹field›": { "shape": { "type": "envelope", "coordinates": [[0, 50], [10, 40]] }, "relation": "intersects" } }', byField: true, options: 'shape relation indexed_shape' },
  { name: 'has_child', meaning: 'Parents of matching children', template: '{ "type": "‹child›", "query": { "match_all": {} } }', options: 'type query score_mode min_children max_children ignore_unmapped inner_hits' },
  { name: 'has_parent', meaning: 'Children of matching parents', template: '{ "parent_type": "‹parent›", "query": { "match_all": {} } }', options: 'parent_type query score ignore_unmapped inner_hits' },
  { name: 'ids', meaning: 'Documents by their ids', template: '{ "values": ["‹id›"] }', options: 'values boost' },
  { name: 'intervals', meaning: 'Words by order and distance', template: '{ "‹field›": { "match": { "query": "‹text›", "max_gaps": 5 } } }', byField: true, options: 'match any_of all_of prefix wildcard fuzzy' },
  { name: 'knn', meaning: 'The documents nearest to a vector', template: '{ "field": "‹field›", "query_vector": [1, 2, 3], "k": 10, "num_candidates": 50 }', options: 'field query_vector k num_candidates filter similarity boost' },
  { name: 'match', meaning: 'Text, analyzed like the field', template: '{ "‹field›": "‹text›" }', byField: true, options: MATCH_OPTIONS },
  { name: 'match_all', meaning: 'Every document', template: '{}', options: 'boost' },
  { name: 'match_bool_prefix', meaning: 'Words, the last one as a prefix', template: '{ "‹field›": "‹text›" }', byField: true, options: MATCH_OPTIONS },
  { name: 'match_none', meaning: 'No document', template: '{}' },
  { name: 'match_phrase', meaning: 'Words one after another', template: '{ "‹field›": "‹text›" }', byField: true, options: 'query slop analyzer zero_terms_query boost' },
  { name: 'match_phrase_prefix', meaning: 'A phrase, the last word as a prefix', template: '{ "‹field›": "‹text›" }', byField: true, options: 'query slop max_expansions analyzer zero_terms_query boost' },
  { name: 'more_like_this', meaning: 'Documents like a text or document', template: '{ "fields": ["‹field›"], "like": "‹text›", "min_term_freq": 1 }', options: 'fields like unlike max_query_terms min_term_freq min_doc_freq max_doc_freq min_word_length max_word_length stop_words analyzer minimum_should_match include' },
  { name: 'multi_match', meaning: 'Text in several fields', template: '{ "query": "‹text›", "fields": ["‹field›"] }', options: 'query fields type operator tie_breaker fuzziness minimum_should_match analyzer slop boost lenient' },
  { name: 'nested', meaning: 'A query on each nested object by itself', template: '{ "path": "‹path›", "query": { "match_all": {} } }', options: 'path query score_mode ignore_unmapped inner_hits' },
  { name: 'parent_id', meaning: 'Children of one parent', template: '{ "type": "‹child›", "id": "‹id›" }', options: 'type id ignore_unmapped' },
  { name: 'pinned', meaning: 'Given documents first', template: '{ "ids": ["‹id›"], "organic": { "match_all": {} } }', options: 'ids docs organic' },
  { name: 'prefix', meaning: 'Terms that begin with', template: '{ "‹field›": { "value": "‹value›" } }', byField: true, options: `${TERM_OPTIONS} rewrite` },
  { name: 'query_string', meaning: 'Lucene syntax: field:value AND (a OR b)', template: '{ "query": "‹text›" }', options: 'query default_field fields default_operator analyzer allow_leading_wildcard analyze_wildcard lenient fuzziness minimum_should_match time_zone type' },
  { name: 'rank_feature', meaning: 'A number of the document in the score', template: '{ "field": "‹field›", "saturation": { "pivot": 8 } }', options: 'field saturation log sigmoid linear boost' },
  { name: 'range', meaning: 'Values between two ends', template: '{ "‹field›": { "gte": "‹from›" } }', byField: true, options: 'gte gt lte lt format time_zone relation boost' },
  { name: 'regexp', meaning: 'Terms that match a regular expression', template: '{ "‹field›": { "value": "‹a.*›" } }', byField: true, options: 'value flags case_insensitive max_determinized_states rewrite boost' },
  { name: 'script', meaning: 'Documents a script says yes to', template: '{ "script": { "source": "‹true›" } }', options: 'script boost' },
  { name: 'script_score', meaning: 'Scores by a script', template: '{ "query": { "match_all": {} }, "script": { "source": "‹1›" } }', options: 'query script min_score boost' },
  { name: 'simple_query_string', meaning: 'A search syntax that never fails', template: '{ "query": "‹text›" }', options: 'query fields default_operator flags analyzer lenient minimum_should_match' },
  { name: 'sparse_vector', meaning: 'Documents that share tokens with a vector', template: '{ "field": "‹field›", "query_vector": { "‹token›": 1 } }', options: 'field query_vector prune pruning_config boost' },
  { name: 'span_containing', meaning: 'Spans that hold others', template: '{ "big": { "span_term": { "‹field›": "‹a›" } }, "little": { "span_term": { "‹field›": "‹b›" } } }', options: 'big little' },
  { name: 'span_first', meaning: 'Spans near the beginning', template: '{ "match": { "span_term": { "‹field›": "‹value›" } }, "end": ‹3› }', options: 'match end' },
  { name: 'span_multi', meaning: 'Prefix, wildcard, fuzzy or range as spans', template: '{ "match": { "prefix": { "‹field›": { "value": "‹value›" } } } }', options: 'match' },
  { name: 'span_gap', meaning: 'Words in between, inside of span_near', template: '{ "‹field›": ‹1› }', byField: true },
  { name: 'span_near', meaning: 'Spans near each other', template: '{ "clauses": [{ "span_term": { "‹field›": "‹value›" } }], "slop": ‹3›, "in_order": true }', options: 'clauses slop in_order' },
  { name: 'span_not', meaning: 'Spans that do not overlap others', template: '{ "include": { "span_term": { "‹field›": "‹a›" } }, "exclude": { "span_term": { "‹field›": "‹b›" } } }', options: 'include exclude dist pre post' },
  { name: 'span_or', meaning: 'Spans of any of several', template: '{ "clauses": [{ "span_term": { "‹field›": "‹value›" } }] }', options: 'clauses' },
  { name: 'span_term', meaning: 'A term with its positions', template: '{ "‹field›": "‹value›" }', byField: true, options: 'value boost' },
  { name: 'span_within', meaning: 'Spans within others', template: '{ "big": { "span_term": { "‹field›": "‹a›" } }, "little": { "span_term": { "‹field›": "‹b›" } } }', options: 'big little' },
  { name: 'field_masking_span', meaning: 'A span as if of another field (older name)', template: '{ "query": { "span_term": { "‹field›": "‹value›" } }, "field": "‹other›" }', options: 'query field' },
  { name: 'span_field_masking', meaning: 'A span as if of another field', template: '{ "query": { "span_term": { "‹field›": "‹value›" } }, "field": "‹other›" }', options: 'query field' },
  { name: 'term', meaning: 'One exact value', template: '{ "‹field›": "‹value›" }', byField: true, options: TERM_OPTIONS },
  { name: 'terms', meaning: 'Any of several exact values', template: '{ "‹field›": ["‹value›"] }', byField: true, options: 'index id path routing' },
  { name: 'terms_set', meaning: 'A number of several exact values', template: '{ "‹field›": { "terms": ["‹value›"], "minimum_should_match_script": { "source": "1" } } }', byField: true, options: 'terms minimum_should_match_field minimum_should_match_script' },
  { name: 'weighted_tokens', meaning: 'The same, in its older form', template: '{ "‹field›": { "tokens": { "‹token›": 1 } } }', options: 'tokens pruning_config boost' },
  { name: 'wildcard', meaning: 'Terms with * and ?', template: '{ "‹field›": { "value": "‹*›" } }', byField: true, options: 'value wildcard case_insensitive rewrite boost' },
  { name: 'wrapper', meaning: 'A query in base64', template: '{ "query": "‹eyJtYXRjaF9hbGwiOnt9fQ==›" }', options: 'query' },
]

const METRIC = '{ "field": "‹field›" }'
const PARENT = '{ "buckets_path": "‹_count›" }'

/** Keys whose value is a query, anywhere in a clause. */
export const QUERY_KEYS: ReadonlySet<string> = new Set(
  'query filter must should must_not positive negative queries organic big little match include exclude clauses post_filter background_filter'.split(
    ' ',
  ),
)

// biome-ignore format: a table
export const AGGREGATIONS: readonly Clause[] = [
  { name: 'adjacency_matrix', meaning: 'Pairs of filters that meet', template: '{ "filters": { "‹a›": { "match_all": {} } } }', options: 'filters separator' },
  { name: 'auto_date_histogram', meaning: 'About so many time spans', template: '{ "field": "‹field›", "buckets": ‹20› }', options: 'field buckets format time_zone minimum_interval missing' },
  { name: 'avg', meaning: 'Average', template: METRIC, options: 'field missing script format' },
  { name: 'boxplot', meaning: 'Quartiles and whiskers', template: METRIC, options: 'field compression missing' },
  { name: 'cardinality', meaning: 'How many different values', template: METRIC, options: 'field precision_threshold missing script' },
  { name: 'children', meaning: 'From parents down to children', template: '{ "type": "‹child›" }', options: 'type' },
  { name: 'composite', meaning: 'Combinations of values, in pages without end', template: '{ "size": ‹1000›, "sources": [{ "‹name›": { "terms": { "field": "‹field›" } } }] }', options: 'size sources after' },
  { name: 'date_histogram', meaning: 'Time spans', template: '{ "field": "‹field›", "calendar_interval": "‹day›" }', options: 'field calendar_interval fixed_interval format time_zone offset min_doc_count extended_bounds hard_bounds keyed missing order' },
  { name: 'date_range', meaning: 'Given time spans', template: '{ "field": "‹field›", "ranges": [{ "from": "‹now-7d›" }] }', options: 'field ranges format time_zone keyed missing' },
  { name: 'diversified_sampler', meaning: 'A sample with few of each value', template: '{ "shard_size": ‹200›, "field": "‹field›" }', options: 'shard_size field max_docs_per_value execution_hint' },
  { name: 'extended_stats', meaning: 'Statistics with variance', template: METRIC, options: 'field sigma missing script' },
  { name: 'filter', meaning: 'Documents of one query', template: '{ "match_all": {} }' },
  { name: 'filters', meaning: 'A bucket for each query', template: '{ "filters": { "‹a›": { "match_all": {} } } }', options: 'filters other_bucket other_bucket_key keyed' },
  { name: 'geo_bounds', meaning: 'The box around all points', template: METRIC, options: 'field wrap_longitude' },
  { name: 'geo_centroid', meaning: 'The middle of all points', template: METRIC, options: 'field' },
  { name: 'geo_distance', meaning: 'Rings around a point', template: '{ "field": "‹field›", "origin": "‹52,13›", "ranges": [{ "to": ‹1000› }] }', options: 'field origin ranges unit distance_type keyed' },
  { name: 'geohash_grid', meaning: 'Cells named by geohash', template: '{ "field": "‹field›", "precision": ‹4› }', options: 'field precision bounds size shard_size' },
  { name: 'geotile_grid', meaning: 'Tiles of a map', template: '{ "field": "‹field›", "precision": ‹6› }', options: 'field precision bounds size shard_size' },
  { name: 'global', meaning: 'All documents, whatever the query', template: '{}' },
  { name: 'histogram', meaning: 'Spans of a number', template: '{ "field": "‹field›", "interval": ‹10› }', options: 'field interval offset min_doc_count extended_bounds hard_bounds keyed missing order' },
  { name: 'ip_prefix', meaning: 'Subnets', template: '{ "field": "‹field›", "prefix_length": ‹24› }', options: 'field prefix_length is_ipv6 append_prefix_length keyed min_doc_count' },
  { name: 'ip_range', meaning: 'Given ranges of addresses', template: '{ "field": "‹field›", "ranges": [{ "mask": "‹10.0.0.0/8›" }] }', options: 'field ranges keyed' },
  { name: 'matrix_stats', meaning: 'How numbers go together', template: '{ "fields": ["‹field›"] }', options: 'fields missing mode' },
  { name: 'max', meaning: 'Largest value', template: METRIC, options: 'field missing script format' },
  { name: 'median_absolute_deviation', meaning: 'How far values lie from the median', template: METRIC, options: 'field compression missing' },
  { name: 'min', meaning: 'Smallest value', template: METRIC, options: 'field missing script format' },
  { name: 'missing', meaning: 'Documents without a value', template: METRIC, options: 'field' },
  { name: 'multi_terms', meaning: 'Combinations of values, most frequent first', template: '{ "terms": [{ "field": "‹field›" }, { "field": "‹other›" }] }', options: 'terms size shard_size order min_doc_count' },
  { name: 'nested', meaning: 'Down to nested objects', template: '{ "path": "‹path›" }', options: 'path' },
  { name: 'parent', meaning: 'From children up to parents', template: '{ "type": "‹child›" }', options: 'type' },
  { name: 'percentile_ranks', meaning: 'Share of values below', template: '{ "field": "‹field›", "values": [‹100›] }', options: 'field values keyed missing hdr tdigest' },
  { name: 'percentiles', meaning: 'Values at given shares', template: METRIC, options: 'field percents keyed missing hdr tdigest' },
  { name: 'random_sampler', meaning: 'A random share of all documents', template: '{ "probability": ‹0.1› }', options: 'probability seed' },
  { name: 'range', meaning: 'Given spans of a number', template: '{ "field": "‹field›", "ranges": [{ "to": ‹100› }] }', options: 'field ranges keyed missing script' },
  { name: 'rare_terms', meaning: 'Values few documents have', template: METRIC, options: 'field max_doc_count precision include exclude missing' },
  { name: 'reverse_nested', meaning: 'Back up from nested objects', template: '{}', options: 'path' },
  { name: 'sampler', meaning: 'The best hits only', template: '{ "shard_size": ‹200› }', options: 'shard_size' },
  { name: 'scripted_metric', meaning: 'Your own metric by scripts', template: '{ "init_script": "state.n = 0", "map_script": "state.n++", "combine_script": "return state.n", "reduce_script": "return states[0]" }', options: 'init_script map_script combine_script reduce_script params' },
  { name: 'significant_terms', meaning: 'Values that are unusually frequent', template: METRIC, options: 'field size min_doc_count background_filter include exclude' },
  { name: 'significant_text', meaning: 'Words that are unusually frequent', template: METRIC, options: 'field size filter_duplicate_text min_doc_count' },
  { name: 'stats', meaning: 'Count, sum, minimum, maximum, average', template: METRIC, options: 'field missing script format' },
  { name: 'string_stats', meaning: 'Lengths and entropy of values', template: METRIC, options: 'field show_distribution missing' },
  { name: 'sum', meaning: 'Sum', template: METRIC, options: 'field missing script format' },
  { name: 'terms', meaning: 'Values, most frequent first', template: '{ "field": "‹field›" }', options: 'field size shard_size order min_doc_count include exclude missing script collect_mode execution_hint' },
  { name: 'top_hits', meaning: 'The best documents', template: '{ "size": ‹3› }', options: 'size from sort _source highlight fields docvalue_fields explain version' },
  { name: 'top_metrics', meaning: 'Values of the first document by an order', template: '{ "metrics": { "field": "‹field›" }, "sort": { "‹other›": "desc" } }', options: 'metrics sort size' },
  { name: 'value_count', meaning: 'How many values', template: METRIC, options: 'field script' },
  { name: 'variable_width_histogram', meaning: 'Spans that fit the values', template: '{ "field": "‹field›", "buckets": ‹10› }', options: 'field buckets shard_size initial_buffer' },
  { name: 'weighted_avg', meaning: 'Average with weights', template: '{ "value": { "field": "‹field›" }, "weight": { "field": "‹other›" } }', options: 'value weight format' },
  { name: 'avg_bucket', meaning: 'Average over buckets', template: PARENT, options: 'buckets_path gap_policy format' },
  { name: 'bucket_script', meaning: 'A value computed for each bucket', template: '{ "buckets_path": { "n": "_count" }, "script": "params.n" }', options: 'buckets_path script gap_policy format' },
  { name: 'bucket_selector', meaning: 'Buckets a script keeps', template: '{ "buckets_path": { "n": "_count" }, "script": "params.n > 1" }', options: 'buckets_path script gap_policy' },
  { name: 'bucket_sort', meaning: 'Buckets in another order, a page of them', template: '{ "sort": [{ "_count": "desc" }], "size": ‹10› }', options: 'sort from size gap_policy' },
  { name: 'cumulative_sum', meaning: 'Sum up to each bucket', template: PARENT, options: 'buckets_path format' },
  { name: 'derivative', meaning: 'Change from bucket to bucket', template: PARENT, options: 'buckets_path unit gap_policy format' },
  { name: 'extended_stats_bucket', meaning: 'Statistics with variance over buckets', template: PARENT, options: 'buckets_path sigma gap_policy format' },
  { name: 'max_bucket', meaning: 'The largest bucket', template: PARENT, options: 'buckets_path gap_policy format' },
  { name: 'min_bucket', meaning: 'The smallest bucket', template: PARENT, options: 'buckets_path gap_policy format' },
  { name: 'moving_fn', meaning: 'A function over a moving window', template: '{ "buckets_path": "_count", "window": ‹5›, "script": "MovingFunctions.unweightedAvg(values)" }', options: 'buckets_path window script shift gap_policy' },
  { name: 'percentiles_bucket', meaning: 'Percentiles over buckets', template: PARENT, options: 'buckets_path percents keyed gap_policy format' },
  { name: 'serial_diff', meaning: 'Difference to an earlier bucket', template: '{ "buckets_path": "_count", "lag": ‹7› }', options: 'buckets_path lag gap_policy format' },
  { name: 'stats_bucket', meaning: 'Statistics over buckets', template: PARENT, options: 'buckets_path gap_policy format' },
  { name: 'sum_bucket', meaning: 'Sum over buckets', template: PARENT, options: 'buckets_path gap_policy format' },
]

/** The keys of a search body, each with a template. */
// biome-ignore format: a table
export const SEARCH_KEYS: readonly Clause[] = [
  { name: 'query', meaning: 'Which documents', template: '{ ‹› }' },
  { name: 'aggs', meaning: 'What they add up to', template: '{ "‹name›": { ‹› } }' },
  { name: 'size', meaning: 'How many hits', template: '‹10›' },
  { name: 'from', meaning: 'How many hits to pass over, up to 10,000', template: '‹0›' },
  { name: 'sort', meaning: 'In which order', template: '[{ "‹_score›": "desc" }]' },
  { name: '_source', meaning: 'Which parts of documents', template: '["‹*›"]' },
  { name: 'fields', meaning: 'Values by the mapping', template: '["‹*›"]' },
  { name: 'highlight', meaning: 'Matches marked in text', template: '{ "fields": { "‹*›": {} } }' },
  { name: 'search_after', meaning: 'The sort values of the last hit', template: '[‹›]' },
  { name: 'pit', meaning: 'A point in time', template: '{ "id": "‹id›", "keep_alive": "1m" }' },
  { name: 'track_total_hits', meaning: 'Count exactly, or up to a number', template: '‹true›' },
  { name: 'collapse', meaning: 'One hit for each value', template: '{ "field": "‹field›" }' },
  { name: 'suggest', meaning: 'What could have been meant', template: '{ "‹name›": { "text": "‹text›", "term": { "field": "‹field›" } } }' },
  { name: 'rescore', meaning: 'The first hits in a better order', template: '{ "window_size": 50, "query": { "rescore_query": { "match_all": {} } } }' },
  { name: 'knn', meaning: 'The documents nearest to a vector', template: '{ "field": "‹field›", "query_vector": [1, 2, 3], "k": 10, "num_candidates": 50 }' },
  { name: 'retriever', meaning: 'Several searches, ranked together', template: '{ "rrf": { "retrievers": [{ "standard": { "query": { ‹› } } }] } }' },
  { name: 'post_filter', meaning: 'A filter after aggregations', template: '{ ‹› }' },
  { name: 'runtime_mappings', meaning: 'Fields computed in this request', template: '{ "‹name›": { "type": "keyword", "script": { "source": "emit(\'a\')" } } }' },
  { name: 'script_fields', meaning: 'Values computed for each hit', template: '{ "‹name›": { "script": { "source": "1" } } }' },
  { name: 'docvalue_fields', meaning: 'Values of doc values', template: '["‹field›"]' },
  { name: 'stored_fields', meaning: 'Stored values', template: '["‹_none_›"]' },
  { name: 'indices_boost', meaning: 'Indices whose hits count more', template: '[{ "‹index›": 1.5 }]' },
  { name: 'min_score', meaning: 'Hits of at least this score', template: '‹0.5›' },
  { name: 'terminate_after', meaning: 'Documents to look at in each shard', template: '‹1000›' },
  { name: 'timeout', meaning: 'Time for each shard', template: '"‹2s›"' },
  { name: 'track_scores', meaning: 'Scores although sorted', template: '‹true›' },
  { name: 'explain', meaning: 'Why each score is what it is', template: '‹true›' },
  { name: 'profile', meaning: 'Where the time goes', template: '‹true›' },
  { name: 'version', meaning: 'Versions of hits', template: '‹true›' },
  { name: 'seq_no_primary_term', meaning: 'Sequence numbers of hits', template: '‹true›' },
  { name: 'stats', meaning: 'Groups this search counts for', template: '["‹group›"]' },
]

/** The template with the default texts of its placeholders. */
export function filledIn(template: string): string {
  return template.replace(/‹([^›]*)›/g, '$1')
}
