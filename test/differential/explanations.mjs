/**
 * Explanations of a query in a form that does not change from start to start of Elasticsearch. Lucene keeps the parts of a disjunction,
 * the fields of an object and the expansions of a prefix in hash tables with a random seed and lists them in that order; errors of
 * shards have the random identifier of their index.
 */

const MAXIMUM = /^max (of|plus .* times others of):$/
const TERM = String.raw`(?:FieldExistsQuery \[field=[^\]]*\]|[\w.]+:[^\s:()|+#"*^-]+)`
const SAME_KIND = new RegExp(String.raw`(?<=ConstantScore\()${TERM}(?: ${TERM})+(?=\))`, 'g')
const PART = new RegExp(TERM, 'g')
const IDENTIFIER = /(?<=\[[^\]/]+\/)[\w-]{22}(?=\])/g

const settledText = (text) =>
  alternativesSorted(text.replace(SAME_KIND, (parts) => parts.match(PART).sort().join(' '))).replace(IDENTIFIER, 'UUID')

/** Sorts the parts of every disjunction `(a | b)`, inner ones first. */
function alternativesSorted(text) {
  const open = [[[]]]
  for (const piece of text.split(/( \| |[()])/)) {
    if (piece === '(') open.push([[]])
    else if (piece === ' | ') open.at(-1).push([])
    else if (piece === ')' && open.length > 1) {
      const inner = joined(open.pop())
      open.at(-1).at(-1).push(`(${inner})`)
    } else open.at(-1).at(-1).push(piece)
  }
  while (open.length > 1) {
    const inner = joined(open.pop())
    open.at(-1).at(-1).push(`(${inner}`)
  }
  return joined(open[0])
}

const joined = (parts) =>
  parts
    .map((part) => part.join(''))
    .sort()
    .join(' | ')

/** Structure and texts of an explanation first, because a last digit of a score may differ between servers. */
const rank = (explanation) =>
  JSON.stringify(explanation, (name, value) => (name === 'value' ? undefined : value)) + explanation.value

/** Sorts in place what has no defined order in the explanations of an answer, and replaces random identifiers. */
export function settleExplanations(answer) {
  if (answer === null || typeof answer !== 'object') return
  for (const [name, value] of Object.entries(answer)) {
    if (typeof value !== 'string') settleExplanations(value)
    else if (name === 'description' || name === 'explanation' || name === 'error') answer[name] = settledText(value)
  }
  if (Array.isArray(answer.details) && MAXIMUM.test(answer.description)) {
    const ranks = new Map(answer.details.map((part) => [part, rank(part)]))
    answer.details.sort((a, b) => (ranks.get(a) < ranks.get(b) ? -1 : 1))
  }
}
