/** The named groups of a regular expression on the left side of `=~`, which become local variables. */
import type { Node } from './ast.ts'

export function regexNames(node: Node): string[] {
  if (node.type !== 'regex' || node.parts.length > 1 || (node.parts[0] !== undefined && node.parts[0].type !== 'str'))
    return []
  const source = node.parts[0] === undefined ? '' : (node.parts[0] as { value: string }).value
  const names = [...source.replace(/\\./gs, '').matchAll(/\(\?<([a-z_]\w*)>/g)].map((match) => match[1]!)
  return [...new Set(names)]
}
