/** Every query clause, by the name it has in a request. A clause that is not here is unknown to the service. */
import { boolClause } from './bool.ts'
import { boostingClause } from './boosting.ts'
import type { QueryClause } from './clause.ts'
import { combinedFieldsClause } from './combined-fields.ts'
import { constantScoreClause } from './constant-score.ts'
import { disMaxClause } from './dis-max.ts'
import { distanceFeatureClause } from './distance-feature.ts'
import { existsClause } from './exists.ts'
import { fuzzyClause } from './fuzzy.ts'
import { geoBoundingBoxClause } from './geo-bounding-box.ts'
import { geoDistanceClause } from './geo-distance.ts'
import { geoPolygonClause, geoShapeClause } from './geo-shape.ts'
import { idsClause } from './ids.ts'
import { matchClause } from './match.ts'
import { matchAllClause, matchNoneClause } from './match-all.ts'
import { matchPhraseClause } from './match-phrase.ts'
import { matchBoolPrefixClause, matchPhrasePrefixClause } from './match-prefix.ts'
import { multiMatchClause } from './multi-match.ts'
import { nestedClause } from './nested.ts'
import { functionScoreClause } from './parse-function-score.ts'
import { moreLikeThisClause } from './parse-more-like-this.ts'
import { pinnedClause } from './pinned.ts'
import { intervalsClause } from './positions/intervals-clause.ts'
import { SPAN_CLAUSES } from './positions/span-clauses.ts'
import { queryStringClause } from './query-string.ts'
import { rangeClause } from './range.ts'
import { regexpClause } from './regexp.ts'
import { simpleQueryStringClause } from './simple-query-string.ts'
import { termClause } from './term.ts'
import { prefixClause, wildcardClause } from './term-expansion.ts'
import { termsClause } from './terms.ts'
import { termsSetClause } from './terms-set.ts'
import { wrapperClause } from './wrapper.ts'

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
    matchAllClause,
    matchBoolPrefixClause,
    matchClause,
    matchNoneClause,
    matchPhraseClause,
    matchPhrasePrefixClause,
    moreLikeThisClause,
    multiMatchClause,
    nestedClause,
    pinnedClause,
    prefixClause,
    queryStringClause,
    rangeClause,
    regexpClause,
    simpleQueryStringClause,
    ...SPAN_CLAUSES,
    termClause,
    termsClause,
    termsSetClause,
    wildcardClause,
    wrapperClause,
  ].map((clause) => [clause.name, clause]),
)
