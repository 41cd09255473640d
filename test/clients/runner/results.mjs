// What a run of tests said: a list of { test, status: 'passed' | 'failed' | 'skipped', message }.

/** Lines of JSON of our own scenarios: {"step", "ok", "error"?}. */
export function stepsOf(stdout) {
  return objectsOf(stdout)
    .filter(({ step }) => step !== undefined)
    .map(({ step, ok, error }) => ({ test: step, status: ok ? 'passed' : 'failed', message: String(error ?? '') }))
}

/** Lines of `ok NAME` and `not ok NAME: REASON`. */
export function checksOf(stdout) {
  return [...stdout.matchAll(/^(not ok|ok) +(.*)$/gm)].map(([, word, text]) => {
    const [, test, message = ''] = word === 'ok' ? [text, text] : /^(.*?): (.*)$/.exec(text)
    return { test, status: word === 'ok' ? 'passed' : 'failed', message }
  })
}

/** Lines that pytest_results.py wrote. */
export const pytestResults = (text) => objectsOf(text).filter(({ status }) => status !== undefined)

/** Lines of `go test -json`. Subtests count, their parents do not unless they fail without a failed subtest. */
export function goResults(stdout) {
  const outcomes = new Map()
  const texts = new Map()
  for (const { Action, Test, Output, Package } of objectsOf(stdout)) {
    const test = Test ?? `package ${Package}`
    if (Action === 'output') texts.set(test, (texts.get(test) ?? '') + Output)
    if (['pass', 'fail', 'skip'].includes(Action) && (Test !== undefined || Action === 'fail'))
      outcomes.set(test, Action)
  }
  const names = [...outcomes.keys()]
  const status = { pass: 'passed', fail: 'failed', skip: 'skipped' }
  return names
    .filter((name) => !isExplained(name))
    .map((test) => ({ test, status: status[outcomes.get(test)], message: goMessage(texts.get(test) ?? '') }))

  function isExplained(name) {
    if (name.startsWith('package '))
      return names.some((other) => !other.startsWith('package ') && outcomes.get(other) === 'fail')
    return names.some(
      (other) => other.startsWith(`${name}/`) && (outcomes.get(name) !== 'fail' || outcomes.get(other) === 'fail'),
    )
  }
}

const goMessage = (text) =>
  text
    .split('\n')
    .filter((line) => !/^\s*(=== |--- |$)/.test(line))
    .slice(0, 4)
    .join(' | ')

/** Output of `prove -v`: the points of each file, by number and description. */
export function tapResults(stdout) {
  const results = []
  let file = ''
  for (const line of stdout.split('\n')) {
    const head = /^(\S+\.t) \.+/.exec(line)
    if (head !== null) file = head[1]
    const skipAll = /^1\.\.0 # SKIP ?(.*)/i.exec(line)
    if (skipAll !== null) results.push({ test: file, status: 'skipped', message: skipAll[1] })
    const point = /^(not )?ok (\d+)(?: - (.*?))?(?: # (skip|todo)(.*))?$/i.exec(line)
    if (point === null) continue
    const [, not, number, description = '', directive, reason = ''] = point
    const status = directive !== undefined ? 'skipped' : not === undefined ? 'passed' : 'failed'
    results.push({ test: `${file} ${number} ${description}`.trim(), status, message: reason.trim() })
  }
  return results
}

function objectsOf(text) {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => {
      try {
        return JSON.parse(line)
      } catch {
        return {}
      }
    })
}

/**
 * The list of tests that fail for a reason that docs/compatibility.md gives: lines of `client | test | reason`. A `*` in a test stands for any text,
 * for the cases of one parametrized test.
 */
export function readUnsupported(text) {
  return text
    .split('\n')
    .filter((line) => /\S/.test(line) && !line.startsWith('#'))
    .map((line) => {
      const [client, test, reason] = line.split(' | ').map((part) => part.trim())
      if (!reason) throw new Error(`a test without a reason: ${line}`)
      const pattern = new RegExp(
        `^${test
          .split('*')
          .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
          .join('.*')}$`,
      )
      return { client, test, reason, matches: (name) => pattern.test(name) }
    })
}

/** Sorts results into passed, failed, unsupported and skipped. `stale` are entries of the list whose tests pass now. */
export function judge(client, results, unsupported) {
  const entries = unsupported.filter((entry) => entry.client === client)
  const reasonOf = ({ test }) => entries.find((entry) => entry.matches(test))
  const failed = results.filter(({ status }) => status === 'failed')
  return {
    passed: results.filter(({ status }) => status === 'passed').length,
    failed: failed.filter((result) => reasonOf(result) === undefined),
    unsupported: failed.filter((result) => reasonOf(result) !== undefined),
    skipped: results.filter(({ status }) => status === 'skipped'),
    stale: entries.filter((entry) => {
      const own = results.filter(({ test }) => entry.matches(test))
      return own.length > 0 && own.every(({ status }) => status === 'passed')
    }),
    reasons: tally(
      failed
        .map(reasonOf)
        .filter((entry) => entry !== undefined)
        .map(({ reason }) => reason),
    ),
  }
}

export function tally(words) {
  const counts = new Map()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)
}
