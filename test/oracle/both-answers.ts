/** What the tools that compare scripts with an Elasticsearch share: options, and the answers of both. */
import { executeScript } from '../painless/execute.ts'

export interface Answer {
  result?: string
  error?: { type: string; reason: string; caused_by?: { type: string; reason: string | null } }
}

export function option(name: string, fallback: string): string {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : process.argv[at + 1]!
}

/** The answers to a script: of the server that `--url` names, and of this compiler. */
export async function bothAnswers(source: string): Promise<{ theirs: Answer; ours: Answer }> {
  const response = await fetch(`${option('url', 'http://127.0.0.1:9230')}/_scripts/painless/_execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ script: { source } }),
  })
  return { theirs: (await response.json()) as Answer, ours: executed(source) }
}

function executed(source: string): Answer {
  try {
    return executeScript({ script: { source } }).body as Answer
  } catch (e) {
    return { error: { type: 'crash', reason: `crash ${(e as Error).stack}` } }
  }
}

/** The part of an answer that must be equal: the result, or the exception of the script. */
export function essence({ result, error }: Answer): string {
  // Before JDK 19 the JVM printed more digits of floating point numbers than necessary.
  if (error === undefined)
    return `= ${result?.replace(/-?(?<!\d)\d+\.\d+(E-?\d+)?/g, (number) => String(Math.fround(Number(number))))}`
  return `${String(error.reason).split(' ')[0]} ${error.caused_by?.type}`
}

export function describe({ result, error }: Answer): string {
  if (error === undefined) return JSON.stringify(result)
  return `${String(error.reason).slice(0, 300)} | ${error.caused_by?.type} | ${error.caused_by?.reason}`
}
