#!/usr/bin/env node
// Differential tester: the same random worlds and requests go to an oracle and
// to a subject, and every answer is compared. See README.md.

import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { loadAreas } from './gen/index.mjs'
import { worst } from './lib/compare.mjs'
import { Server } from './lib/http.mjs'
import { stringify } from './lib/json.mjs'
import { printFailure, Tally } from './lib/report.mjs'
import { Runner } from './lib/run.mjs'

const USAGE = `diff.mjs --oracle URL --subject URL [options]
  --seed N              start of all randomness (default 1)
  --cases N             number of cases, shared out over the areas (default 200)
  --area A[,B]          search sort paging aggs composite nested documents mapping errors geo dates, or all (default)
  --replay SEED:CASE    run one case again, for example 7:search-12
  --verbose             print everything about a failure
  --json FILE           write all results as JSON
  --strict              a different error reason fails a case; positions in it count
  --ignore C[,D]        classes of difference to leave out, for example score
  --show N              print at most N failures per area and class (default 3)
  --jobs N              areas worked on at the same time (default 4)
  --shrink N            trials spent on making one failure smaller (default 100, 0: none)
  --gen FILE            take the areas from another generator module
  --dialect opensearch  the subject speaks OpenSearch (--oracle-dialect for the oracle)
  --prefix NAME         start of all index names (default diff<pid>)
Exit status: 0 all passed, 1 something failed, 2 could not run.`

function readOptions() {
  const { values } = parseArgs({
    options: {
      oracle: { type: 'string' },
      subject: { type: 'string' },
      seed: { type: 'string', default: '1' },
      cases: { type: 'string', default: '200' },
      area: { type: 'string', default: 'all' },
      replay: { type: 'string' },
      verbose: { type: 'boolean', default: false },
      json: { type: 'string' },
      strict: { type: 'boolean', default: false },
      ignore: { type: 'string', default: '' },
      show: { type: 'string', default: '3' },
      shrink: { type: 'string', default: '100' },
      jobs: { type: 'string', default: '4' },
      gen: { type: 'string' },
      dialect: { type: 'string', default: 'elasticsearch' },
      'oracle-dialect': { type: 'string', default: 'elasticsearch' },
      prefix: { type: 'string', default: `diff${process.pid}` },
      help: { type: 'boolean' },
    },
  })
  if (values.help || !values.oracle || !values.subject) {
    console.log(USAGE)
    process.exit(values.help ? 0 : 2)
  }
  return values
}

async function main() {
  const options = readOptions()
  const oracle = new Server('oracle', options.oracle, options['oracle-dialect'])
  const subject = new Server('subject', options.subject, options.dialect)
  for (const server of [oracle, subject]) {
    const health = await server.send({ path: '/_cluster/health' })
    if (health.status === 0)
      throw new Error(`the ${server.name} at ${server.baseUrl} does not answer: ${health.broken}`)
  }
  const areas = await loadAreas(options.area.split(','), options.gen && pathToFileURL(resolve(options.gen)).href)
  const [replaySeed, replayCase] = options.replay?.split(':') ?? []
  const runner = new Runner({
    oracle,
    subject,
    seed: replaySeed ?? options.seed,
    prefix: options.prefix,
    strict: options.strict,
    shrinkBudget: Number(options.shrink),
    ignore: options.ignore.split(',').filter(Boolean),
  })
  const queues = replayCase ? [[parseReplay(replayCase, areas)]] : plan(areas, Number(options.cases))
  const progress = new Progress(runner, options)
  process.once('SIGINT', () => progress.stop())
  await runQueues(queues, Number(options.jobs), (area, number) => progress.run(area, number))
  const { tally, failures, started } = progress
  await runner.leaveWorlds()
  tally.print()
  if (options.json) {
    writeFileSync(
      options.json,
      stringify({
        oracle: oracle.baseUrl,
        subject: subject.baseUrl,
        seed: runner.seed,
        seconds: Math.round((Date.now() - started) / 1000),
        passed: tally.passed,
        failed: tally.failed,
        areas: tally.toJSON(),
        failures: failures.map(forFile),
      }),
    )
  }
  process.exitCode = tally.failed > 0 ? 1 : 0
}

/** One queue per area; a case count is shared out evenly. */
function plan(areas, count) {
  return areas.map((area, at) => {
    const share = Math.floor(count / areas.length) + (at < count % areas.length ? 1 : 0)
    return Array.from({ length: share }, (_, number) => [area, number])
  })
}

/** Works on several areas at once; inside an area cases run one after another. */
async function runQueues(queues, workers, runOne) {
  const waiting = [...queues]
  const work = async () => {
    for (let queue = waiting.shift(); queue; queue = waiting.shift()) {
      for (const [area, number] of queue) await runOne(area, number)
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
}

/** Keeps count, shrinks and prints while cases run. */
class Progress {
  constructor(runner, options) {
    this.runner = runner
    this.show = Number(options.show)
    this.verbose = options.verbose
    this.tally = new Tally()
    this.failures = []
    this.seen = new Map()
    this.started = Date.now()
    this.done = 0
  }

  /** After an interrupt: finish the cases under way, clean up, print the table. */
  stop() {
    this.stopped = true
    console.error('stopping …')
  }

  async run(area, number) {
    if (this.stopped) return
    const result = await this.runner.runCase(area, number)
    this.tally.add(area.name, result)
    if (++this.done % 250 === 0)
      console.error(
        `… ${this.done} cases, ${this.tally.failed} failed, ${Math.round((Date.now() - this.started) / 1000)} s`,
      )
    if (result.differences.length === 0) return
    this.failures.push(result)
    const group = `${area.name}/${worst(result.differences)}`
    const before = this.seen.get(group) ?? 0
    this.seen.set(group, before + 1)
    if (before >= this.show || !(result.failed || this.verbose)) return
    if (result.failed) result.shrunk = await this.runner.shrinkCase(result.testCase, result.differences)
    printFailure(result, { verbose: this.verbose, replayHint: `--replay ${result.testCase.id}` })
  }
}

function parseReplay(text, areas) {
  const [, name, number] = /^(.+)-(\d+)$/.exec(text) ?? []
  const area = areas.find((a) => a.name === name)
  if (!area) throw new Error(`cannot read the case "${text}"; expected <area>-<number>`)
  return [area, Number(number)]
}

function forFile({ testCase, differences, shrunk, failed }) {
  const small = shrunk ?? testCase
  return {
    id: testCase.id,
    area: testCase.area,
    failed,
    class: worst(differences),
    differences,
    steps: small.steps,
    ...(shrunk ? { shrunk: { world: small.world.indices, differences: shrunk.differences } } : {}),
  }
}

main().catch((error) => {
  console.error(`diff.mjs: ${error.stack ?? error}`)
  process.exitCode = 2
})
