/** The pages of the endpoint reference: the routes that a section lists, and its example requests. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ConsoleRequest, parseConsole } from '../../src/console/views/requests/console-text.ts'
import { codeBlocks } from './code-blocks.mjs'

const FOLDER = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..', 'docs', 'manual', 'reference')

export interface Example extends Pick<ConsoleRequest, 'method' | 'path' | 'body'> {
  readonly place: string
  /** The status that a comment above the request announces; 200 or 201 without one. */
  readonly status: number | undefined
}

export interface Section {
  readonly place: string
  readonly title: string
  /** As in the table of routes: `GET POST [/{index}]/_search`. */
  readonly routes: readonly string[]
  /** Sentences of the section, without routes and examples. */
  readonly description: string
  readonly examples: readonly Example[]
}

export interface ReferencePage {
  readonly name: string
  readonly sections: readonly Section[]
  /** All examples in their order, those before the first section included. */
  readonly examples: readonly Example[]
}

export function referencePages(): ReferencePage[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => {
      const markdown = readFileSync(join(FOLDER, name), 'utf8')
      const parts = markdown.split(/^(?=### )/m)
      const sections = parts.filter((part) => part.startsWith('### ')).map((part) => sectionOf(name, part))
      return { name, sections, examples: parts.flatMap((part) => examplesOf(name, part)) }
    })
}

function sectionOf(page: string, text: string): Section {
  const [title = '', ...lines] = text.slice('### '.length).split('\n')
  const prose = lines.join('\n').replaceAll(/^```[\s\S]*?^```$/gm, '')
  const isRoutes = (line: string) => /^`[A-Z ]+ (\/|\[\/)/.test(line)
  const routes = prose
    .split('\n')
    .filter(isRoutes)
    .flatMap((line) => line.split(' · ').map((route) => route.replaceAll('`', '').trim()))
  const description = prose
    .split('\n')
    .filter((line) => !isRoutes(line))
    .join('\n')
    .trim()
  return { place: `${page}: ${title}`, title, routes, description, examples: examplesOf(page, text) }
}

function examplesOf(page: string, text: string): Example[] {
  const [title] = /^### (.*)$/m.exec(text)?.slice(1) ?? ['before the first section']
  return codeBlocks(page, text)
    .filter(({ language }) => language === 'console')
    .flatMap((block) =>
      parseConsole(block.text).map(({ method, path, body, from }) => {
        const before = block.text.slice(0, from).trimEnd().split('\n').at(-1)!
        const status = /^# answers (\d+)/.exec(before)?.[1]
        return {
          method,
          path,
          body,
          place: `${page}: ${title}`,
          status: status === undefined ? undefined : Number(status),
        }
      }),
    )
}

/** Whether a request is one of a declared route. A part in braces stands for one part of a path that is no name of an endpoint. */
export function isOfRoute(request: Pick<Example, 'method' | 'path'>, route: string): boolean {
  const [methods, pattern] = splitRoute(route)
  if (!methods.includes(request.method)) return false
  const path = request.path.split('?', 1)[0]!
  const forms = pattern.startsWith('[/{index}]')
    ? [pattern.slice('[/{index}]'.length), pattern.replace('[/{index}]', '/{index}')]
    : [pattern]
  return forms.some((form) => matches(path, form))
}

function matches(path: string, pattern: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return false
  return wanted.every((part, i) => {
    const value = given[i]!
    if (!part.startsWith('{')) return part === value
    return value !== '' && (part !== '{index}' || !value.startsWith('_'))
  })
}

export function splitRoute(route: string): readonly [methods: readonly string[], path: string] {
  const words = route.split(' ')
  return [words.slice(0, -1), words.at(-1)!]
}
