// Reads a Dockerfile: stages with their instructions. Knows the instructions of deploy/Dockerfile and rejects others.

const LISTS = new Set(['HEALTHCHECK', 'ENTRYPOINT', 'CMD'])
const KNOWN = new Set(['FROM', 'WORKDIR', 'COPY', 'RUN', 'USER', 'ENV', 'VOLUME', 'EXPOSE', 'STOPSIGNAL', ...LISTS])

/** `[{ name, steps: [{ instruction, text }] }]`, in the order of the file. */
export function parseDockerfile(text) {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const stages = []
  for (const line of lines) {
    const [, instruction, rest] = /^(\w+)\s+(.*)$/.exec(line)
    if (!KNOWN.has(instruction)) throw new Error(`the instruction ${instruction} is not supported`)
    if (instruction === 'FROM') stages.push({ name: / AS (\S+)$/.exec(rest)?.[1], steps: [] })
    else stages.at(-1).steps.push({ instruction, text: rest })
  }
  return stages
}

/** The command of an instruction in its JSON form, such as `CMD ["serve"]`. */
export function commandOf(stage, instruction) {
  const { text } = stage.steps.findLast((step) => step.instruction === instruction)
  return JSON.parse(text.slice(text.indexOf('[')))
}

/** The last value of an instruction with one value. */
export function settingOf(stage, instruction) {
  return stage.steps.findLast((step) => step.instruction === instruction)?.text
}

/** The variables of all ENV instructions. */
export function environmentOf(stage) {
  const pairs = stage.steps.filter(({ instruction }) => instruction === 'ENV').flatMap(({ text }) => text.split(' '))
  return Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s).slice(0, 2)))
}
