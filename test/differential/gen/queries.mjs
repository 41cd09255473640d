// Random query trees. Leaves are grouped by the kind of field they need;
// compound clauses call back into `query` with less depth left.

import { fieldValue, instant, ODD_WORDS, placeValue, sentence, WORDS, ZONES } from '../lib/values.mjs'
import { both, dateLiteral, fieldsAt, isDate, isNumeric, ofType, pickField, queryValue, sortable } from './fields.mjs'

const boost = (rng) => rng.options({ boost: [0.12, () => rng.pick([0.5, 2, 3.5, 0])] })
const word = (rng) => (rng.chance(0.12) ? rng.pick(ODD_WORDS) : rng.pick(WORDS))

function typo(rng, text) {
  if (text.length < 3) return text
  const at = rng.int(0, text.length - 2)
  return rng.pick([
    text.slice(0, at) + text.slice(at + 1),
    `${text.slice(0, at)}x${text.slice(at)}`,
    text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2),
    text,
  ])
}

/**
 * A fixed number of edits makes clauses of weight zero out of very short words, and with those the oracle's own scores depend on
 * the order in which it happens to keep its clauses; so fixed numbers only go with longer words.
 */
function fuzziness(rng, text) {
  const long = text.split(' ').every((w) => /^[a-z]{4,}$/i.test(w))
  return rng.pick(long ? ['AUTO', 1, 2, '0', 'AUTO:3,5'] : ['AUTO', '0', 'AUTO:3,5'])
}

const minimumShouldMatch = (rng) => rng.pick([1, 2, -1, '50%', '-25%', '2<75%', '3<90% 5<-1', 0])

/** Two or three words, usually taken from a text that exists. */
function phrase(rng, f) {
  const text = f.samples?.length > 0 && rng.chance(0.7) ? String(rng.pick(f.samples)).split(/[ ,]+/) : []
  if (text.length < 2) return sentence(rng, 2, 3)
  const at = rng.int(0, text.length - 2)
  const words = text.slice(at, at + rng.int(2, 3))
  return (rng.chance(0.2) ? words.reverse() : words).join(' ')
}

// ---- leaves on text ----

const TEXT = {
  match(rng, f) {
    const plain = sentence(rng, 1, 4)
    const query = rng.chance(0.4)
      ? plain
          .split(' ')
          .map((w) => typo(rng, w))
          .join(' ')
      : plain
    if (rng.chance(0.3)) return { match: { [f.path]: plain } }
    return {
      match: {
        [f.path]: {
          query,
          ...rng.options({
            operator: [0.4, () => rng.pick(['and', 'or', 'AND'])],
            minimum_should_match: [0.3, () => minimumShouldMatch(rng)],
            fuzziness: [0.35, () => fuzziness(rng, query)],
            prefix_length: [0.1, () => rng.int(0, 2)],
            zero_terms_query: [0.1, () => rng.pick(['all', 'none'])],
            lenient: [0.1, () => true],
          }),
          ...boost(rng),
        },
      },
    }
  },
  match_phrase(rng, f) {
    return {
      match_phrase: {
        [f.path]: { query: phrase(rng, f), ...rng.options({ slop: [0.6, () => rng.int(0, 6)] }), ...boost(rng) },
      },
    }
  },
  match_phrase_prefix(rng, f) {
    const text = `${word(rng)} ${word(rng).slice(0, rng.int(1, 3))}`
    return {
      match_phrase_prefix: {
        [f.path]: { query: text, ...rng.options({ slop: [0.3, () => 2], max_expansions: [0.2, () => 5] }) },
      },
    }
  },
  match_bool_prefix(rng, f) {
    return { match_bool_prefix: { [f.path]: `${sentence(rng, 1, 2)} ${word(rng).slice(0, 2)}` } }
  },
  intervals(rng, f) {
    const simple = () => ({
      match: {
        query: sentence(rng, 1, 2),
        ...rng.options({ max_gaps: [0.4, () => rng.int(0, 4)], ordered: [0.4, () => true] }),
      },
    })
    const rule = rng.chance(0.5) ? simple() : { [rng.pick(['any_of', 'all_of'])]: { intervals: [simple(), simple()] } }
    return { intervals: { [f.path]: rule } }
  },
  span_near(rng, f) {
    const clause = () => ({ span_term: { [f.path]: rng.pick(WORDS) } })
    return { span_near: { clauses: [clause(), clause()], slop: rng.int(0, 5), in_order: rng.chance(0.5) } }
  },
}

// ---- leaves on exact values ----

const EXACT = {
  term(rng, f) {
    const value = queryValue(rng, f)
    if (rng.chance(0.5)) return { term: { [f.path]: value } }
    return {
      term: {
        [f.path]: {
          value,
          ...boost(rng),
          ...(f.type === 'keyword' ? rng.options({ case_insensitive: [0.2, () => true] }) : {}),
        },
      },
    }
  },
  terms(rng, f) {
    return { terms: { [f.path]: rng.times(rng.int(0, 4), () => queryValue(rng, f)), ...boost(rng) } }
  },
  exists(rng, f) {
    return { exists: { field: f.path, ...boost(rng) } }
  },
  range(rng, f) {
    return { range: { [f.path]: isDate(f) ? dateRange(rng, f) : plainRange(rng, f) } }
  },
}

function plainRange(rng, f) {
  const out = {}
  if (rng.chance(0.75)) out[rng.pick(['gte', 'gt'])] = queryValue(rng, f)
  if (rng.chance(0.75)) out[rng.pick(['lte', 'lt'])] = queryValue(rng, f)
  return { ...out, ...boost(rng) }
}

const MATH = ['', '||/d', '||/M', '||+1M/M', '||-7d', '||/w', '||+1y-1d/d', '||/y', '||+3h', '||/h', '||-90m']

export function dateRange(rng, f) {
  const format = rng.weighted({ own: 5, iso: 2, day: 1, epoch: 1 })
  const iso = () => {
    const at = instant(rng)
    return f.type === 'date_nanos' && at < '1970' ? '1970-01-01T00:00:00Z' : at
  }
  const text = () => {
    if (format === 'own') return f.format ? dateLiteral(rng, f) : iso()
    if (format === 'iso') return iso() + rng.pick(MATH)
    if (format === 'day') return iso().slice(0, 10) + rng.pick(MATH)
    return Date.parse(iso())
  }
  const out = {}
  if (rng.chance(0.75)) out[rng.pick(['gte', 'gt'])] = text()
  if (rng.chance(0.75)) out[rng.pick(['lte', 'lt'])] = text()
  if (format === 'iso') out.format = 'strict_date_optional_time'
  if (format === 'day') out.format = 'yyyy-MM-dd'
  if (format === 'epoch') out.format = 'epoch_millis'
  if (format !== 'epoch' && rng.chance(0.4)) out.time_zone = rng.pick(ZONES)
  return { ...out, ...boost(rng) }
}

// ---- leaves on word-like fields (keyword and text) ----

const PATTERN = {
  prefix(rng, f) {
    return {
      prefix: {
        [f.path]: { value: word(rng).slice(0, rng.int(0, 3)), ...rng.options({ case_insensitive: [0.2, () => true] }) },
      },
    }
  },
  wildcard(rng, f) {
    const value = rng.pick(['*e*', 's?ore', '*', 'b*', '?ed', 'foo*r', 'm*h', '*\\**', 'GR*', 'a??er'])
    return { wildcard: { [f.path]: { value, ...rng.options({ case_insensitive: [0.2, () => true] }), ...boost(rng) } } }
  },
  regexp(rng, f) {
    const value = rng.pick([
      '[a-d].*',
      '(red|blue)',
      'foo.{0,3}',
      '.*e.?',
      'sh(o|a)re',
      'a.*r',
      '[^a-m]+',
      '.+',
      '~(red)',
      '<1-12>',
      '"foo".*',
    ])
    return {
      regexp: {
        [f.path]: {
          value,
          ...rng.options({
            case_insensitive: [0.2, () => true],
            flags: [0.2, () => rng.pick(['ALL', 'NONE', 'INTERVAL|COMPLEMENT'])],
          }),
        },
      },
    }
  },
  fuzzy(rng, f) {
    const value = typo(rng, word(rng))
    return {
      fuzzy: {
        [f.path]: {
          value,
          ...rng.options({
            fuzziness: [0.5, () => fuzziness(rng, value)],
            prefix_length: [0.2, () => 1],
            transpositions: [0.2, () => false],
          }),
        },
      },
    }
  },
}

// ---- leaves over several fields ----

function multiMatch(rng, world, scope) {
  const type = rng.pick(['best_fields', 'most_fields', 'cross_fields', 'phrase', 'phrase_prefix', 'bool_prefix'])
  // A phrase prefix is refused on keywords; keep a little of that.
  const usable = type === 'phrase_prefix' && rng.chance(0.9) ? ofType('text') : ofType('text', 'keyword')
  const fields = rng
    .sample(fieldsAt(world, scope, usable), rng.int(1, 3))
    .map((f) => (rng.chance(0.25) ? `${f.path}^2` : f.path))
  if (fields.length === 0) return { match_all: {} }
  const fuzzyAllowed = ['best_fields', 'most_fields', 'bool_prefix'].includes(type)
  return {
    multi_match: {
      query: sentence(rng, 1, 3),
      fields,
      type,
      ...rng.options({ operator: [0.3, () => 'and'], tie_breaker: [0.3, () => 0.3] }),
      ...(fuzzyAllowed ? rng.options({ fuzziness: [0.2, () => 'AUTO'] }) : {}),
      ...rng.options({ minimum_should_match: [0.15, () => minimumShouldMatch(rng)] }),
    },
  }
}

function queryString(rng, world, scope) {
  const fields = rng.sample(fieldsAt(world, scope, ofType('text', 'keyword')), rng.int(1, 2)).map((f) => f.path)
  const number = pickField(
    rng,
    world,
    scope,
    both(isNumeric, (f) => !f.extreme),
  )
  const term = () =>
    rng.pick([
      () => word(rng),
      () => `"${rng.pick(WORDS)} ${rng.pick(WORDS)}"~${rng.int(0, 3)}`,
      () => `${rng.pick(WORDS).slice(0, 2)}*`,
      () => `${typo(rng, rng.pick(WORDS))}~1`,
      () => `+${rng.pick(WORDS)}`,
      () => `-${rng.pick(WORDS)}`,
      () => `(${rng.pick(WORDS)} OR ${rng.pick(WORDS)})`,
      () => `${rng.pick(WORDS)}^2`,
      () => (number ? `${number.path}:[${rng.int(-5, 5)} TO ${rng.int(5, 30)}}` : 'reef'),
      () => (fields[0] ? `_exists_:${fields[0]}` : 'reef'),
      () => (number ? `${number.path}:>=${rng.int(0, 10)}` : 'tide'),
      () => `NOT ${rng.pick(WORDS)}`,
    ])()
  const text = rng.times(rng.int(1, 4), term).join(rng.pick([' ', ' AND ', ' OR ', ' ']))
  return {
    query_string: {
      query: text,
      ...(fields.length > 0 ? { fields } : {}),
      ...rng.options({
        default_operator: [0.4, () => rng.pick(['AND', 'OR'])],
        lenient: [0.4, () => true],
        phrase_slop: [0.1, () => 2],
        analyze_wildcard: [0.1, () => true],
      }),
    },
  }
}

function simpleQueryString(rng, world, scope) {
  const fields = rng.sample(fieldsAt(world, scope, ofType('text', 'keyword')), rng.int(1, 2)).map((f) => f.path)
  const term = () =>
    rng.pick([
      () => word(rng),
      () => `"${rng.pick(WORDS)} ${rng.pick(WORDS)}"~2`,
      () => `${rng.pick(WORDS).slice(0, 3)}*`,
      () => `+${rng.pick(WORDS)}`,
      () => `-${rng.pick(WORDS)}`,
      () => `(${rng.pick(WORDS)} | ${rng.pick(WORDS)})`,
      () => `${typo(rng, rng.pick(WORDS))}~1`,
      () => '"open',
      () => '((',
    ])()
  return {
    simple_query_string: {
      query: rng.times(rng.int(1, 4), term).join(' '),
      ...(fields.length > 0 ? { fields } : {}),
      ...rng.options({
        default_operator: [0.5, () => rng.pick(['and', 'or'])],
        flags: [0.15, () => rng.pick(['ALL', 'OR|AND|PREFIX', 'NONE'])],
        minimum_should_match: [0.1, () => 1],
      }),
    },
  }
}

// ---- geo leaves ----

function geoLeaf(rng, f) {
  const centre = placeValue(rng)
  if (rng.chance(0.5))
    return {
      geo_distance: {
        distance: rng.pick(['10km', '500mi', '1200km', '3000000m', '1nmi', '12000km']),
        [f.path]: centre,
      },
    }
  return { geo_bounding_box: { [f.path]: boundingBox(rng) } }
}

export function boundingBox(rng) {
  const lats = [rng.int(-850, 850) / 10, rng.int(-850, 850) / 10].sort((a, b) => b - a)
  const lons = [rng.int(-1790, 1790) / 10, rng.int(-1790, 1790) / 10]
  if (lats[0] === lats[1]) lats[0] += 1
  if (lons[0] === lons[1]) lons[1] += 1
  // Left may lie east of right: the box then crosses the date line.
  if (rng.chance(0.8)) lons.sort((a, b) => a - b)
  const [top, bottom] = lats
  const [left, right] = lons
  return rng.pick([
    { top_left: { lat: top, lon: left }, bottom_right: { lat: bottom, lon: right } },
    { top, left, bottom, right },
    { top_right: [right, top], bottom_left: [left, bottom] },
    { wkt: `BBOX (${left}, ${right}, ${top}, ${bottom})` },
  ])
}

// ---- compound ----

function bool(rng, world, scope, depth) {
  const clauses = (low, high) => {
    const list = rng.times(rng.int(low, high), () => query(rng, world, scope, depth - 1))
    return list.length === 1 && rng.chance(0.5) ? list[0] : list
  }
  // Mostly one restricting clause: a result without hits compares little.
  const out = {}
  if (rng.chance(0.4)) out.must = clauses(1, rng.chance(0.2) ? 3 : 1)
  if (rng.chance(0.2)) out.filter = clauses(1, rng.chance(0.2) ? 2 : 1)
  if (rng.chance(0.75)) out.should = clauses(1, 4)
  if (rng.chance(0.2)) out.must_not = clauses(1, 1)
  if (out.should && rng.chance(0.4)) out.minimum_should_match = minimumShouldMatch(rng)
  return { bool: { ...out, ...boost(rng) } }
}

function scoringFunction(rng, world, scope) {
  const number = pickField(
    rng,
    world,
    scope,
    both(isNumeric, sortable, (f) => !f.extreme && !f.multi),
  )
  const date = pickField(rng, world, scope, (f) => f.type === 'date' && f.sortable && !f.format)
  const place = pickField(rng, world, scope, ofType('geo_point'))
  const makers = [() => ({ weight: rng.pick([0.5, 2, 10]) })]
  if (number) {
    makers.push(() => ({
      field_value_factor: {
        field: number.path,
        factor: rng.pick([1, 0.1, 2]),
        modifier: rng.pick(['none', 'log1p', 'log2p', 'ln1p', 'ln2p', 'square', 'sqrt', 'reciprocal']),
        ...rng.options({ missing: [0.85, () => rng.int(0, 3)] }),
      },
    }))
    makers.push(() => ({
      [rng.pick(['gauss', 'exp', 'linear'])]: {
        [number.path]: {
          origin: rng.int(0, 10),
          scale: rng.int(1, 9),
          ...rng.options({ offset: [0.3, () => 1], decay: [0.3, () => 0.3] }),
        },
      },
    }))
  }
  if (date)
    makers.push(() => ({
      [rng.pick(['gauss', 'exp', 'linear'])]: {
        [date.path]: {
          origin: instant(rng),
          scale: rng.pick(['10d', '12h', '100d']),
          ...rng.options({ offset: [0.3, () => '1d'] }),
        },
      },
    }))
  if (place)
    makers.push(() => ({
      [rng.pick(['gauss', 'exp', 'linear'])]: { [place.path]: { origin: '50,10', scale: '500km' } },
    }))
  const chosen = rng.pick(makers)()
  if (rng.chance(0.4)) chosen.filter = leaf(rng, world, scope)
  if (rng.chance(0.2)) chosen.weight = 2
  return chosen
}

function functionScore(rng, world, scope, depth) {
  return {
    function_score: {
      query: query(rng, world, scope, depth - 1),
      functions: rng.times(rng.int(1, 3), () => scoringFunction(rng, world, scope)),
      ...rng.options({
        score_mode: [0.5, () => rng.pick(['sum', 'avg', 'max', 'min', 'multiply', 'first'])],
        boost_mode: [0.5, () => rng.pick(['multiply', 'replace', 'sum', 'avg', 'max', 'min'])],
        max_boost: [0.1, () => 5],
        min_score: [0.1, () => 1],
      }),
    },
  }
}

/** Nested paths directly below a scope. */
export function childPaths(world, scope) {
  return world.nestedPaths.filter((p) => (scope === null ? !p.includes('.') : p.startsWith(`${scope}.`)))
}

function nested(rng, world, scope, depth) {
  const below = childPaths(world, scope)
  // From the root a deeper path may be named directly as well.
  const path = scope === null && rng.chance(0.3) ? rng.pick(world.nestedPaths) : rng.pick(below)
  return {
    nested: {
      path,
      query: query(rng, world, path, depth - 1),
      ...rng.options({
        score_mode: [0.6, () => rng.pick(['avg', 'sum', 'min', 'max', 'none'])],
        ignore_unmapped: [0.1, () => true],
      }),
    },
  }
}

export function leaf(rng, world, scope = null) {
  const kind = rng.weighted({ exact: 7, text: 8, pattern: 2, several: 2.5, ids: 0.4, all: 1, geo: 0.7, termsSet: 0.3 })
  if (kind === 'text') {
    const field = pickField(rng, world, scope, (f) => f.type === 'text' && f.mapping.index_options !== 'docs')
    if (field)
      return TEXT[
        rng.weighted({
          match: 6,
          match_phrase: 2,
          match_phrase_prefix: 1,
          match_bool_prefix: 1,
          intervals: 1,
          span_near: 1,
        })
      ](rng, field)
  }
  if (kind === 'pattern') {
    const field = pickField(rng, world, scope, ofType('text', 'keyword'))
    if (field) return PATTERN[rng.pick(Object.keys(PATTERN))](rng, field)
  }
  if (kind === 'several') return rng.pick([multiMatch, queryString, simpleQueryString])(rng, world, scope)
  if (kind === 'ids') return { ids: { values: rng.times(rng.int(0, 5), () => `d${rng.int(0, 60)}`) } }
  if (kind === 'all') return rng.chance(0.8) ? { match_all: boost(rng) } : { match_none: {} }
  if (kind === 'geo') {
    const field = pickField(rng, world, scope, ofType('geo_point'))
    if (field) return geoLeaf(rng, field)
  }
  if (kind === 'termsSet') {
    const word = pickField(rng, world, scope, ofType('keyword'))
    const number = pickField(rng, world, scope, (f) => f.type === 'integer' && f.sortable && !f.extreme)
    if (word && number) {
      return {
        terms_set: {
          [word.path]: { terms: rng.times(3, () => fieldValue(rng, word)), minimum_should_match_field: number.path },
        },
      }
    }
  }
  const field = pickField(rng, world, scope, (f) => f.type !== 'text' && f.type !== 'geo_point')
  if (!field) return { match_all: {} }
  return EXACT[rng.pick(Object.keys(EXACT))](rng, field)
}

export function query(rng, world, scope = null, depth = 2) {
  if (depth <= 0 || rng.chance(0.35)) return leaf(rng, world, scope)
  const kind = rng.weighted({
    bool: 6,
    constant: 1,
    disMax: 1,
    boosting: 0.7,
    functions: 1.5,
    nested: childPaths(world, scope).length > 0 ? 2.5 : 0,
  })
  switch (kind) {
    case 'bool':
      return bool(rng, world, scope, depth)
    case 'constant':
      return { constant_score: { filter: query(rng, world, scope, depth - 1), ...boost(rng) } }
    case 'disMax':
      return {
        dis_max: {
          queries: rng.times(rng.int(1, 3), () => query(rng, world, scope, depth - 1)),
          ...rng.options({ tie_breaker: [0.4, () => 0.4] }),
        },
      }
    case 'boosting':
      return {
        boosting: {
          positive: query(rng, world, scope, depth - 1),
          negative: leaf(rng, world, scope),
          negative_boost: 0.5,
        },
      }
    case 'functions':
      return functionScore(rng, world, scope, depth)
    default:
      return nested(rng, world, scope, depth)
  }
}

/** A query that usually finds many documents with many different scores. */
export function rankedQuery(rng, world) {
  const text = (f) => f.type === 'text' && f.mapping.index_options !== 'docs'
  const clauses = rng.times(rng.int(1, 3), () => {
    const field = pickField(rng, world, null, text)
    return field ? TEXT.match(rng, field) : leaf(rng, world)
  })
  const extra = rng.times(rng.int(0, 2), () => query(rng, world, null, 1))
  const ranked = {
    bool: {
      should: [...clauses, ...extra],
      ...rng.options({ must_not: [0.1, () => leaf(rng, world)], minimum_should_match: [0.15, () => 1] }),
    },
  }
  if (rng.chance(0.15)) return { dis_max: { queries: [ranked, ...clauses], tie_breaker: rng.pick([0, 0.3, 1]) } }
  if (rng.chance(0.2))
    return {
      function_score: {
        query: ranked,
        functions: [scoringFunction(rng, world, null)],
        boost_mode: rng.pick(['multiply', 'sum', 'avg']),
      },
    }
  return ranked
}
