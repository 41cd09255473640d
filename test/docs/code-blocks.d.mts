/** A fenced code block of a Markdown page. */
export interface CodeBlock {
  readonly page: string
  /** The line of the opening fence, counted from 1. */
  readonly line: number
  /** The first word after the fence, for example `sh`; empty without one. */
  readonly language: string
  /** The words after the language. They say what else a block needs, for example `client`. */
  readonly needs: readonly string[]
  readonly text: string
}

/** The fenced blocks of a page in their order. */
export function codeBlocks(page: string, markdown: string): CodeBlock[]
