// Turns the Markdown of docs/ into HTML: headings, paragraphs, lists, tables, quotes, code, links, images, emphasis. Text is
// always escaped; HTML inside pages is shown as text.

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const escapeHtml = (text) => text.replace(/[&<>"]/g, (character) => ESCAPES[character])

/** The fragment that links to a heading, as GitHub makes it. */
export const slug = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')

/** The text without its marks, for titles and the search index. */
export const plainText = (text) =>
  text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`]/g, '')
    .replaceAll('\\|', '|')

/**
 * Renders a page. `link` maps the target of a link or image to an address of the
 * site, or to undefined for files that are not in it. Returns the HTML, the headings, and the
 * text of each section for the search index.
 */
export function renderMarkdown(markdown, link) {
  const lines = markdown.split('\n')
  const html = []
  const headings = []
  const sections = [{ heading: '', id: '', text: [] }]
  const say = (text) => sections.at(-1).text.push(plainText(text))
  let at = 0

  const takeWhile = (accept) => {
    const taken = []
    while (at < lines.length && accept(lines[at])) taken.push(lines[at++])
    return taken
  }

  while (at < lines.length) {
    const line = lines[at]
    if (line.trim() === '') at++
    else if (/^ *```/.test(line)) html.push(codeBlock())
    else if (/^#{1,6} /.test(line)) html.push(heading())
    else if (line.startsWith('|')) html.push(table(takeWhile((next) => next.startsWith('|'))))
    else if (/^( *)([-*]|\d+\.) /.test(line)) html.push(list())
    else if (line.startsWith('> ')) {
      const quoted = takeWhile((next) => next.startsWith('>')).map((next) => next.slice(2))
      html.push(`<blockquote><p>${inline(quoted.join(' '), link)}</p></blockquote>`)
    } else html.push(paragraph())
  }
  return { html: html.join('\n'), headings, sections: sections.filter(({ text }) => text.length > 0) }

  function codeBlock() {
    const [, indent, language] = /^( *)```(\S*)/.exec(lines[at++])
    const code = takeWhile((next) => next.trim() !== '```').map((next) => next.slice(indent.length))
    at++
    sections.at(-1).text.push(code.join(' '))
    return `<pre${language ? ` data-language="${escapeHtml(language)}"` : ''}><code>${escapeHtml(code.join('\n'))}</code></pre>`
  }

  function heading() {
    const [, marks, text] = /^(#{1,6}) (.*)$/.exec(lines[at++])
    const id = slug(plainText(text))
    headings.push({ level: marks.length, text: plainText(text), id })
    sections.push({ heading: plainText(text), id, text: [] })
    return `<h${marks.length} id="${id}">${inline(text, link)}</h${marks.length}>`
  }

  function table(rows) {
    const cells = (row) =>
      row
        .replace(/^\||\|\s*$/g, '')
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim().replaceAll('\\|', '|'))
    const [head, rule, ...body] = rows
    const alignments = cells(rule ?? '').map((cell) => (cell.endsWith(':') ? ' class="right"' : ''))
    const row = (text, tag) =>
      `<tr>${cells(text)
        .map((cell, i) => `<${tag}${alignments[i] ?? ''}>${inline(cell, link)}</${tag}>`)
        .join('')}</tr>`
    for (const text of [head, ...body]) say(text.replaceAll('|', ' '))
    const header = cells(head).some((cell) => cell !== '') ? `<thead>${row(head, 'th')}</thead>` : ''
    return `<div class="table"><table>${header}<tbody>${body.map((text) => row(text, 'td')).join('\n')}</tbody></table></div>`
  }

  /** A list with its nested lists. Items continue on indented lines. */
  function list() {
    const [, indent, mark] = /^( *)([-*]|\d+\.) /.exec(lines[at])
    const tag = /\d/.test(mark) ? 'ol' : 'ul'
    const items = []
    const item = new RegExp(`^ {${indent.length}}([-*]|\\d+\\.) `)
    while (at < lines.length && item.test(lines[at])) {
      const text = [lines[at++].replace(item, '')]
      let nested = ''
      while (at < lines.length && lines[at].startsWith(`${indent}  `) && lines[at].trim() !== '') {
        if (/^ *([-*]|\d+\.) /.test(lines[at])) nested += list()
        else if (/^ *```/.test(lines[at])) nested += codeBlock()
        else text.push(lines[at++].trim())
      }
      say(text.join(' '))
      items.push(`<li>${inline(text.join(' '), link)}${nested}</li>`)
    }
    return `<${tag}>${items.join('\n')}</${tag}>`
  }

  function paragraph() {
    const text = takeWhile((next) => next.trim() !== '' && !/^(#{1,6} |\||> |( *)([-*]|\d+\.) | *```)/.test(next))
    if (text.length === 0) text.push(lines[at++])
    say(text.join(' '))
    return `<p>${inline(text.join(' '), link)}</p>`
  }
}

/** Marks inside a line. Code is taken out first, so that nothing in it counts as a mark. */
function inline(text, link) {
  const codes = []
  const kept = text.replaceAll(/(`+)(.+?)\1/g, (_, _ticks, code) => `\u0000${codes.push(code) - 1}\u0000`)
  return escapeHtml(kept)
    .replaceAll(
      /!\[([^\]]*)\]\(([^)\s]+)\)/g,
      (_, alt, target) => `<img src="${link(target)}" alt="${alt}" loading="lazy">`,
    )
    .replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, (_, label, target) => anchor(label, link(target)))
    .replaceAll(/&lt;(https?:[^&\s]+)&gt;/g, '<a href="$1">$1</a>')
    .replaceAll(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g, '<em>$1</em>')
    .replaceAll(/\u0000(\d+)\u0000/g, (_, n) => `<code>${escapeHtml(codes[Number(n)])}</code>`)
}

function anchor(label, address) {
  return address === undefined ? label : `<a href="${address}">${label}</a>`
}
