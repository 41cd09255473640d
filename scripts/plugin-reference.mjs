// Writes docs/manual/plugins.md from the options tables of the plugins, so that the manual cannot drift from the code.
//   node --import tsx scripts/plugin-reference.mjs
import { writeFileSync } from 'node:fs'
import { pluginReference } from '../src/pipeline/registry/reference.ts'

writeFileSync(new URL('../docs/manual/plugins.md', import.meta.url), await pluginReference())
