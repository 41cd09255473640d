// Draws the measurements of a soak test as an SVG: one panel per measure, all over the same time.

const PANELS = [
  {
    title: 'Memory (MB)',
    lines: [
      ['rss', 'resident', '#1f6feb'],
      ['heap', 'heap of the main thread', '#a371f7'],
    ],
  },
  { title: 'Open files and sockets', lines: [['descriptors', 'descriptors', '#2da44e']] },
  { title: 'Disk (MB)', lines: [['disk', 'data folder', '#bf8700']] },
  { title: 'Documents', lines: [['documents', 'searchable', '#57606a']] },
  {
    title: 'Latency (ms, 99th percentile)',
    lines: [
      ['search99', 'search', '#cf222e'],
      ['bulk99', 'bulk', '#0969da'],
      ['page99', 'page of a context', '#8250df'],
    ],
  },
]
const WIDTH = 860
const PANEL = 150
const LEFT = 64
const RIGHT = 16
const TOP = 44

export function drawChart(samples, title) {
  const height = TOP + PANELS.length * PANEL + 30
  const end = Math.max(1e-9, samples.at(-1)?.minute ?? 1)
  const parts = PANELS.map((panel, i) => drawPanel(panel, samples, end, TOP + i * PANEL))
  const ticks = Array.from({ length: 7 }, (_, i) => {
    const x = LEFT + ((WIDTH - LEFT - RIGHT) * i) / 6
    return `<text x="${x}" y="${height - 10}" text-anchor="middle">${((end * i) / 6).toFixed(end < 12 ? 1 : 0)} min</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="system-ui, sans-serif" font-size="11" fill="#424a53">
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
<text x="${LEFT}" y="24" font-size="15" font-weight="600" fill="#1f2328">${title}</text>
${parts.join('\n')}
${ticks.join('\n')}
</svg>
`
}

function drawPanel({ title, lines }, samples, end, top) {
  const bottom = top + PANEL - 34
  const from = top + 22
  const most = niceMaximum(Math.max(...samples.flatMap((sample) => lines.map(([name]) => sample[name]))))
  const x = (minute) => (LEFT + ((WIDTH - LEFT - RIGHT) * minute) / end).toFixed(1)
  const y = (value) => (bottom - ((bottom - from) * value) / most).toFixed(1)
  const grid = [0, 0.5, 1].map((part) => {
    const at = y(most * part)
    return `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}" stroke="#d0d7de" stroke-width="${part === 0 ? 1 : 0.5}"/><text x="${LEFT - 8}" y="${Number(at) + 4}" text-anchor="end">${shown(most * part)}</text>`
  })
  const drawn = lines.map(([name, , color]) => {
    const points = samples.map((sample) => `${x(sample.minute)},${y(sample[name])}`).join(' ')
    return `<polyline points="${points}" fill="none" stroke="${color}" stroke-width="1.4"/>`
  })
  let at = LEFT + 8 + title.length * 6.6
  const legend = lines.map(([, label, color]) => {
    const text = `<text x="${at + 14}" y="${top + 12}">${label}</text><rect x="${at}" y="${top + 5}" width="9" height="3" fill="${color}"/>`
    at += 30 + label.length * 6
    return lines.length === 1 ? '' : text
  })
  return `<text x="${LEFT}" y="${top + 12}" font-weight="600" fill="#1f2328">${title}</text>${legend.join('')}${grid.join('')}${drawn.join('')}`
}

function niceMaximum(value) {
  if (!(value > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 1.5, 2, 3, 4, 5, 7.5, 10].map((step) => step * power).find((step) => step >= value)
}

function shown(value) {
  if (value >= 1e6) return `${value / 1e6}M`
  if (value >= 1e4) return `${value / 1e3}k`
  return String(Number(value.toFixed(1)))
}
