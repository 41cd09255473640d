/**
 * `sandpiper pipeline test access.conf` runs the cases of `access.test.yml` through the filters of the configuration;
 * `sandpiper pipeline diff old.conf
 * new.conf` takes the lines of standard input through both. Nothing is read from inputs and nothing is sent to outputs.
 *
 *   - name: a line of the access log
 *     input: ['127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 1']
 *     now: 2000-10-11T00:00:00Z         # optional, for dates without a year
 *     expected: [{ clientip: 127.0.0.1, verb: GET, tags: null }]      # null: the field must be absent
 */
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { difference, missingFrom } from '../pipeline/dry-run/compare.ts'
import { type DryRunInput, runFilters } from '../pipeline/dry-run/run-filters.ts'
import { FlagError, parseYaml } from './pipeline-settings.ts'

interface Case {
  readonly name?: string
  readonly input: readonly DryRunInput[]
  readonly expected: readonly unknown[]
  readonly now?: string
  readonly ecs?: 'disabled' | 'v1' | 'v8'
}

export async function pipelineTest(files: readonly string[]): Promise<void> {
  if (files.length === 0) throw new FlagError('usage: sandpiper pipeline test FILE…')
  let passed = 0
  let failed = 0
  for (const file of files) {
    const config = readFileSync(file, 'utf8')
    for (const [i, one] of readCases(file).entries()) {
      const problems = await runCase(config, one)
      const title = `${file}: ${one.name ?? `case ${i + 1}`}`
      process.stdout.write(problems.length === 0 ? `ok   ${title}\n` : `FAIL ${title}\n${indented(problems)}`)
      if (problems.length === 0) passed++
      else failed++
    }
  }
  process.stdout.write(`${passed} passed, ${failed} failed\n`)
  if (failed > 0) process.exitCode = 1
}

function readCases(file: string): Case[] {
  const path = file.replace(/\.[^.]*$/, '.test.yml')
  if (!existsSync(path)) throw new FlagError(`no cases for ${file}: ${path} is not there`)
  const cases = parseYaml(readFileSync(path, 'utf8'), path)
  const isCase = (one: unknown) => Array.isArray((one as Case | null)?.input) && Array.isArray((one as Case).expected)
  if (!Array.isArray(cases) || !cases.every(isCase)) {
    throw new FlagError(`${path} must be a list of cases, each with a list of input and a list of expected`)
  }
  return cases as Case[]
}

async function runCase(config: string, { input, expected, now, ecs }: Case): Promise<string[]> {
  const nowMs = now === undefined ? undefined : Date.parse(now)
  const events = await runFilters(config, input, {
    environment: process.env,
    ...(nowMs === undefined ? {} : { clock: { nowMs: () => nowMs } }),
    ...(ecs === undefined ? {} : { ecs }),
  })
  if (events.length !== expected.length) return [`expected ${expected.length} events, got ${events.length}`]
  return expected.flatMap((one, i) => missingFrom(one, events[i]).map((line) => `event ${i + 1} ${line}`))
}

export async function pipelineDiff(files: readonly string[]): Promise<void> {
  const [oldFile, newFile] = files
  if (oldFile === undefined || newFile === undefined || files.length > 2) {
    throw new FlagError('usage: sandpiper pipeline diff OLD NEW < lines')
  }
  const configs = [readFileSync(oldFile, 'utf8'), readFileSync(newFile, 'utf8')] as const
  const nowMs = Date.now()
  const settings = { environment: process.env, clock: { nowMs: () => nowMs } }
  let count = 0
  let different = 0
  for await (const line of createInterface({ input: process.stdin })) {
    count++
    const [before, after] = await Promise.all(configs.map((config) => runFilters(config, [line], settings)))
    const lines =
      before!.length === after!.length
        ? before!.flatMap((event, i) => difference(event, after![i]))
        : [`- ${before!.length} events`, `+ ${after!.length} events`]
    if (lines.length === 0) continue
    different++
    process.stdout.write(`${line}\n${indented(lines)}`)
  }
  process.stdout.write(`${different} of ${count} lines come out differently\n`)
  if (different > 0) process.exitCode = 1
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}\n`).join('')
}
