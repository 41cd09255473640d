/** The syntax trees of source files, by path below the root of the project. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SourceFile } from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/sync'

export function syntaxTrees(root: string, files: readonly string[]): Map<string, SourceFile> {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-mutate-trees-'))
  const api = new API({ cwd: folder })
  try {
    // Without what they import: the types are not needed.
    const compilerOptions = { noResolve: true, noLib: true, types: [] }
    const project = join(folder, 'tsconfig.json')
    writeFileSync(project, JSON.stringify({ compilerOptions, files: files.map((file) => join(root, file)) }))
    const program = api.updateSnapshot({ openProject: project }).getProject(project)!.program
    return new Map(files.map((file) => [file, program.getSourceFile(join(root, file))!]))
  } finally {
    api.close()
    rmSync(folder, { recursive: true })
  }
}
