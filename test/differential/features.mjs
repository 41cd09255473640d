/**
 * Areas that go through one feature each with every type and option, for a real Elasticsearch with its modules.
 *
 *   node diff.mjs --gen test/differential/features.mjs --oracle http://127.0.0.1:9230 --subject http://127.0.0.1:9200 --seed 1 --cases 500
 */
import { analysis, analyzedSearches } from './analysis.mjs'
import { dateFormats } from './date-formats.mjs'
import { dynamicValues, values } from './values.mjs'

export const areas = [values, dynamicValues, dateFormats, analysis, analyzedSearches]
