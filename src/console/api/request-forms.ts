/** Formats a request as console text, curl, JavaScript or Python. */
import type { ApiRequest } from './client.ts'
import { isObject, type Json, writeJson } from './lossless-json.ts'

export type RequestForm = 'console' | 'curl' | 'javascript' | 'python'

export const REQUEST_FORMS: readonly (readonly [form: RequestForm, label: string])[] = [
  ['console', 'Console'],
  ['curl', 'curl'],
  ['javascript', 'JavaScript'],
  ['python', 'Python'],
]

export function formatRequests(requests: readonly ApiRequest[], form: RequestForm, origin: string): string {
  switch (form) {
    case 'console':
      return requests.map(consoleText).join('\n\n')
    case 'curl':
      return requests.map((request) => curlText(request, origin)).join('\n\n')
    case 'javascript':
      return [
        `import { Client } from '@elastic/elasticsearch'\n\nconst client = new Client({ node: '${origin}' })`,
        ...requests.map(javascriptText),
      ].join('\n\n')
    case 'python':
      return [
        `from elasticsearch import Elasticsearch\n\nclient = Elasticsearch("${origin}")`,
        ...requests.map(pythonText),
      ].join('\n\n')
  }
}

export function consoleText({ method, path, body }: ApiRequest): string {
  const line = `${method} ${path}`
  return body === undefined ? line : `${line}\n${bodyText(body)}`
}

function bodyText(body: Json): string {
  return typeof body === 'string' ? body : writeJson(body, 2)
}

function curlText({ method, path, body }: ApiRequest, origin: string): string {
  const command = `curl -X ${method} ${shellQuoted(origin + path)}`
  if (body === undefined) return command
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
  const flag = typeof body === 'string' ? '--data-binary' : '-d'
  return `${command} -H 'Content-Type: ${type}' ${flag} ${shellQuoted(bodyText(body))}`
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function javascriptText({ method, path, body }: ApiRequest): string {
  const [plain, query] = split(path)
  const lines = [`  method: '${method}',`, `  path: ${JSON.stringify(plain)},`]
  if (query.length > 0) lines.push(`  querystring: ${JSON.stringify(Object.fromEntries(query))},`)
  if (typeof body === 'string') lines.push(`  bulkBody: ${JSON.stringify(body)},`)
  else if (body !== undefined) lines.push(`  body: ${indented(writeJson(body, 2), 2)},`)
  return `const answer = await client.transport.request({\n${lines.join('\n')}\n})\nconsole.log(answer)`
}

function pythonText({ method, path, body }: ApiRequest): string {
  const [plain, query] = split(path)
  const lines = [`    "${method}",`, `    ${JSON.stringify(plain)},`]
  if (query.length > 0) lines.push(`    params=${pythonLiteral(Object.fromEntries(query), 4)},`)
  if (body !== undefined) {
    const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
    lines.push(`    headers={"content-type": "${type}", "accept": "application/json"},`)
    lines.push(`    body=${pythonLiteral(body, 4)},`)
  } else lines.push('    headers={"accept": "application/json"},')
  return `answer = client.perform_request(\n${lines.join('\n')}\n)\nprint(answer.body)`
}

function pythonLiteral(value: Json, indent: number): string {
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (value === null) return 'None'
  const pad = ' '.repeat(indent + 4)
  const end = ' '.repeat(indent)
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    return `[\n${value.map((item) => `${pad}${pythonLiteral(item, indent + 4)},`).join('\n')}\n${end}]`
  }
  if (!isObject(value)) return writeJson(value)
  const members = Object.entries(value).filter(([, item]) => item !== undefined)
  if (members.length === 0) return '{}'
  return `{\n${members.map(([name, item]) => `${pad}${JSON.stringify(name)}: ${pythonLiteral(item, indent + 4)},`).join('\n')}\n${end}}`
}

function split(path: string): readonly [path: string, query: readonly [string, string][]] {
  const [plain, query] = path.split('?', 2)
  return [plain!, query === undefined ? [] : [...new URLSearchParams(query).entries()]]
}

function indented(text: string, by: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(by)}`)
}
