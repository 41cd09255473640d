/**
 * Tries a configuration without running its inputs and outputs: reports the problems that `-t` reports, runs sample lines through the
 * filters, and records the changes of each filter. Only plugins and options that declare to touch nothing are used.
 */
import { systemClock } from '../../base/clock.ts'
import { ConfigError, lineAndColumn } from '../config/config-error.ts'
import { parseConfig } from '../config/parser.ts'
import type { PluginNode, Section, Statement } from '../config/syntax-tree.ts'
import { asJson, dryRunSettings } from '../dry-run/run-filters.ts'
import { Event } from '../event/event.ts'
import { Timestamp } from '../event/timestamp.ts'
import { nothingOutside } from '../plugin/touches.ts'
import { BatchRunner } from '../runner/batch-runner.ts'
import { buildPipeline, checkSections } from '../runner/build.ts'
import type { FilterStep } from '../runner/program.ts'

export interface ConfigTrialRequest {
  readonly config: string
  readonly lines: readonly string[]
  readonly ecs: boolean
}

export interface Problem {
  readonly message: string
  readonly line: number | undefined
  readonly column: number | undefined
  readonly suggestion: string | undefined
}

export interface Change {
  readonly kind: 'added' | 'changed' | 'removed'
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

export interface TriedStep {
  readonly filter: string
  /** Its position in the configuration. */
  readonly line: number
  readonly changes: readonly Change[]
  /** The filter dropped the event. */
  readonly isDropped: boolean
}

export interface ConfigTrialResult {
  readonly problems: readonly Problem[]
  /** Every filter in order, including those that no event reached. */
  readonly filters: readonly { readonly name: string; readonly line: number }[]
  /** Per sample line. */
  readonly events: readonly { readonly steps: readonly TriedStep[]; readonly out: readonly Record<string, unknown>[] }[]
}

const ALLOWED = nothingOutside('run sandpiper pipeline --dry-run on a shell')

export async function tryConfig({ config, lines, ecs }: ConfigTrialRequest): Promise<ConfigTrialResult> {
  try {
    const sections = parseConfig(config, undefined, { supportEscapes: false })
    const settings = dryRunSettings({ ecs: ecs ? 'v1' : 'disabled', mayTouch: ALLOWED })
    const { filters } = await buildPipeline(
      sections.filter(({ kind }) => kind === 'filter'),
      settings,
    )
    const problems = await problemsOfRest(sections)
    const nodes = sections.filter(({ kind }) => kind === 'filter').flatMap(({ body }) => pluginsOf(body))
    const steps = filters.filter((one): one is FilterStep => one.op === 'filter')
    const placed = steps.map((step, i) => ({
      step,
      name: step.name,
      line: nodes[i] === undefined ? 0 : lineAndColumn(nodes[i].at).line,
    }))
    const runner = new BatchRunner(filters, settings.log)
    const events: ConfigTrialResult['events'][number][] = []
    for (const line of lines) events.push(await take(line, runner, placed))
    return { problems, filters: placed.map(({ name, line }) => ({ name, line })), events }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { problems: described(error), filters: [], events: [] }
  }
}

/** The problems of inputs and outputs, which do not run; the filters are tried even if those are invalid. */
async function problemsOfRest(sections: readonly Section[]): Promise<readonly Problem[]> {
  const rest = sections.filter(({ kind }) => kind !== 'filter')
  try {
    await checkSections(rest, dryRunSettings({ mayTouch: ALLOWED }))
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return described(error)
  }
}

function described({ problems }: ConfigError): Problem[] {
  return problems.map(({ message, at, suggestion }) => {
    const place = at === undefined ? undefined : lineAndColumn(at)
    return { message, line: place?.line, column: place?.column, suggestion }
  })
}

function pluginsOf(body: readonly Statement[]): PluginNode[] {
  return body.flatMap((statement) =>
    statement.type === 'plugin' ? [statement] : statement.arms.flatMap((arm) => pluginsOf(arm.body)),
  )
}

interface Placed {
  readonly step: FilterStep
  readonly name: string
  readonly line: number
}

async function take(
  line: string,
  runner: BatchRunner,
  placed: readonly Placed[],
): Promise<ConfigTrialResult['events'][number]> {
  const steps: TriedStep[] = []
  let before: Record<string, unknown> | undefined
  let open: { filter: string; line: number } | undefined
  const close = (after: Record<string, unknown> | undefined) => {
    if (open === undefined || before === undefined) return
    steps.push({
      ...open,
      changes: after === undefined ? [] : changesOf(before, after),
      isDropped: after === undefined,
    })
    open = undefined
  }
  for (const { step, name, line: at } of placed) {
    step.tap = (stage, event) => {
      if (stage === 'before') {
        // A filter that dropped its event gives no word afterwards.
        close(undefined)
        before = asJson(event)
        open = { filter: name, line: at }
      } else close(asJson(event))
    }
  }
  const out = await runner.run([Event.ofMessage(line, new Timestamp(systemClock.nowMs()))])
  close(undefined)
  return { steps, out: out.map(asJson) }
}

/** Fields by their references, sorted by kind of change. */
export function changesOf(before: unknown, after: unknown, path = ''): Change[] {
  if (isObject(before) && isObject(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
      changesOf(before[name], after[name], `${path}[${name}]`),
    )
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'
  return [{ kind, field: path, before: before ?? null, after: after ?? null }]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
