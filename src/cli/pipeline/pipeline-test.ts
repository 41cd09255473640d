/**
 * `sandpiper pipeline test access.conf`: runs the cases of `access.test.yml` through the filters of the configuration.
 * Inputs are not read and outputs receive nothing. `--help` shows the format of a case.
 */
import { existsSync, readFileSync } from 'node:fs'
import { ConfigError } from '../../pipeline/config/config-error.ts'
import { parseConfigFiles, readConfigFile } from '../../pipeline/config/config-files.ts'
import type { Section } from '../../pipeline/config/syntax-tree.ts'
import { missingFrom } from '../../pipeline/dry-run/compare.ts'
import { asJson, DryRun, type DryRunInput } from '../../pipeline/dry-run/run-filters.ts'
import type { Allowance } from '../../pipeline/plugin/touches.ts'
import { printedHelp } from '../arguments/help.ts'
import { TEST_HELP } from './pipeline-help.ts'
import { ALLOW_NETWORK, FlagError, parseYaml, trialAllowance } from './pipeline-settings.ts'

interface Case {
  readonly name?: string
  readonly input: readonly DryRunInput[]
  readonly expected: readonly unknown[]
  readonly now?: string
  readonly ecs?: 'disabled' | 'v1' | 'v8'
}

export async function pipelineTest(files: readonly string[]): Promise<void> {
  try {
    await runCases(files)
  } catch (error) {
    throw error instanceof ConfigError ? new FlagError(error.message) : error
  }
}

async function runCases(args: readonly string[]): Promise<void> {
  if (printedHelp(args, TEST_HELP)) return
  const files = args.filter((arg) => arg !== ALLOW_NETWORK)
  const mayTouch = trialAllowance(files.length < args.length)
  if (files.length === 0) throw new FlagError(`test needs the name of a configuration\n\n${TEST_HELP}`)
  let passed = 0
  let failed = 0
  for (const file of files) {
    const sections = readSections(file)
    for (const [i, one] of readCases(file).entries()) {
      const problems = await runCase(sections, one, mayTouch)
      const title = `${file}: ${one.name ?? `case ${i + 1}`}`
      process.stdout.write(problems.length === 0 ? `ok   ${title}\n` : `FAIL ${title}\n${indented(problems)}`)
      if (problems.length === 0) passed++
      else failed++
    }
  }
  process.stdout.write(`${passed} passed, ${failed} failed\n`)
  if (failed > 0) process.exitCode = 1
}

function readSections(file: string): Section[] {
  if (!existsSync(file)) throw new FlagError(`no configuration at ${file}`)
  return parseConfigFiles([readConfigFile(file)], { supportEscapes: false })
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

async function runCase(
  sections: readonly Section[],
  { input, expected, now, ecs }: Case,
  mayTouch: Allowance,
): Promise<string[]> {
  const nowMs = now === undefined ? undefined : Date.parse(now)
  const run = await DryRun.open(sections, {
    environment: process.env,
    mayTouch,
    ...(nowMs === undefined ? {} : { clock: { nowMs: () => nowMs } }),
    ...(ecs === undefined ? {} : { ecs }),
  })
  const events = [...(await run.takeAsJson(input)), ...(await run.finish()).map(asJson)]
  if (events.length !== expected.length) return [`expected ${expected.length} events, got ${events.length}`]
  return expected.flatMap((one, i) => missingFrom(one, events[i]).map((line) => `event ${i + 1} ${line}`))
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}\n`).join('')
}
