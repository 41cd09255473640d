/** The fenced blocks of a page in their order; code-blocks.d.mts describes them. */
export function codeBlocks(page, markdown) {
  const blocks = []
  const lines = markdown.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const fence = /^( *)```(.*)$/.exec(lines[at])
    if (fence === null) continue
    const end = lines.findIndex((line, i) => i > at && line.trim() === '```')
    if (end < 0) throw new Error(`${page}:${at + 1}: the block has no end`)
    const [language = '', ...needs] = fence[2].trim().split(/\s+/)
    const indent = fence[1].length
    const text = lines.slice(at + 1, end).map((line) => line.slice(indent))
    blocks.push({ page, line: at + 1, language, needs, text: `${text.join('\n')}\n` })
    at = end
  }
  return blocks
}
