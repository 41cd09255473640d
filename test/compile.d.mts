/** Compiles each file (a path below `root`) and its helpers to a module in `outdir`, and returns the paths of the modules. */
export function compileTests(root: string, files: readonly string[], outdir: string): Promise<string[]>
