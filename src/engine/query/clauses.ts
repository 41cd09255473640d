/** The list of query clauses by their name in requests. Other clauses are unknown to the service. */

import type { QueryClause } from './clause.ts'
import { boolClause } from './compound/bool.ts'
import { boostingClause } from './compound/boosting.ts'
import { constantScoreClause } from './compound/constant-score.ts'
import { disMaxClause } from './compound/dis-max.ts'
import { functionScoreClause } from './compound/parse-function-score.ts'
import { pinnedClause } from './compound/pinned.ts'
import { wrapperClause } from './compound/wrapper.ts'
import { rankFeatureClause } from './features/rank-feature.ts'
import { sparseVectorClause, weightedTokensClause } from './features/sparse-vector.ts'
import { combinedFieldsClause } from './full-text/combined-fields.ts'
import { matchClause } from './full-text/match.ts'
import { matchPhraseClause } from './full-text/match-phrase.ts'
import { matchBoolPrefixClause, matchPhrasePrefixClause } from './full-text/match-prefix.ts'
import { multiMatchClause } from './full-text/multi-match.ts'
import { moreLikeThisClause } from './full-text/parse-more-like-this.ts'
import { geoBoundingBoxClause } from './geo/geo-bounding-box.ts'
import { geoDistanceClause } from './geo/geo-distance.ts'
import { geoPolygonClause, geoShapeClause } from './geo/geo-shape.ts'
import { hasChildClause } from './joining/has-child.ts'
import { hasParentClause } from './joining/has-parent.ts'
import { parentIdClause } from './joining/parent-id.ts'
import { fuzzyClause } from './multi-term/fuzzy.ts'
import { regexpClause } from './multi-term/regexp.ts'
import { prefixClause, wildcardClause } from './multi-term/term-expansion.ts'
import { nestedClause } from './nested/nested.ts'
import { intervalsClause } from './positions/intervals-clause.ts'
import { SPAN_CLAUSES } from './positions/span-clauses.ts'
import { queryStringClause } from './query-string/query-string.ts'
import { simpleQueryStringClause } from './query-string/simple-query-string.ts'
import { scriptClause } from './script/script-query.ts'
import { scriptScoreClause } from './script/script-score.ts'
import { distanceFeatureClause } from './term-level/distance-feature.ts'
import { existsClause } from './term-level/exists.ts'
import { idsClause } from './term-level/ids.ts'
import { matchAllClause, matchNoneClause } from './term-level/match-all.ts'
import { rangeClause } from './term-level/range.ts'
import { termClause } from './term-level/term.ts'
import { termsClause } from './term-level/terms.ts'
import { termsSetClause } from './term-level/terms-set.ts'
import { knnClause } from './vectors/knn-clause.ts'

export const QUERY_CLAUSES: ReadonlyMap<string, QueryClause> = new Map(
  [
    boolClause,
    boostingClause,
    combinedFieldsClause,
    constantScoreClause,
    disMaxClause,
    distanceFeatureClause,
    existsClause,
    functionScoreClause,
    fuzzyClause,
    geoBoundingBoxClause,
    geoDistanceClause,
    geoPolygonClause,
    geoShapeClause,
    idsClause,
    intervalsClause,
    knnClause,
    matchAllClause,
    matchBoolPrefixClause,
    matchClause,
    matchNoneClause,
    matchPhraseClause,
    matchPhrasePrefixClause,
    moreLikeThisClause,
    multiMatchClause,
    nestedClause,
    hasChildClause,
    hasParentClause,
    parentIdClause,
    pinnedClause,
    prefixClause,
    queryStringClause,
    rangeClause,
    rankFeatureClause,
    regexpClause,
    scriptClause,
    scriptScoreClause,
    simpleQueryStringClause,
    ...SPAN_CLAUSES,
    sparseVectorClause,
    weightedTokensClause,
    termClause,
    termsClause,
    termsSetClause,
    wildcardClause,
    wrapperClause,
  ].map((clause) => [clause.name, clause]),
)
