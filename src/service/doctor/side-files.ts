/** Examines the files beside the shards: points in time and scrolls, results of asynchronous searches, the node's id. */
import type { Directory } from '../../engine/store/directory.ts'
import { contextProblem, progressProblem } from '../contexts/context-files.ts'
import { NODE_FILE, readNodeFile } from '../metadata/node-file.ts'
import { asyncSearchProblem } from '../search/async/async-search-files.ts'
import { type Finding, note, problem } from './finding.ts'

/** Names in a data folder that a node gives. */
const KNOWN = new Set([
  ...['metadata', 'indices', 'contexts', 'async-searches', 'security', 'certs', 'audit', 'config', 'unknown'],
  ...['deleted', 'restoring', 'node.lock', 'node.lock.held', NODE_FILE],
])

export function* examineContexts(directory: Directory): Generator<Finding> {
  const names = directory.list()
  for (const name of names) {
    const path = `contexts/${name}`
    if (name.endsWith('.damaged')) {
      yield note(path, 'is a damaged point in time or scroll that was set aside', 'It may be deleted.')
    } else if (/^context-[0-9a-f]+$/.test(name)) {
      const text = attempt(() => contextProblem(directory, name))
      const advice =
        'The point in time or scroll is lost; documents are not. The next start of the node sets the file aside.'
      if (text !== undefined) yield problem(path, `the file of a point in time or scroll ${text}`, advice)
    } else if (name.startsWith('progress-')) {
      const context = name.replace('progress-', 'context-')
      const advice = 'The scroll is lost unless its files are brought back from a backup; documents are not.'
      const found = attempt(() => progressProblem(directory, name))
      const text = names.includes(context) ? found : `${context}, the file of the scroll, is missing`
      if (text !== undefined) yield problem(path, `the progress of a scroll: ${text}`, advice)
    }
  }
}

export function* examineAsyncSearches(directory: Directory): Generator<Finding> {
  for (const name of directory.list()) {
    if (!/^search-[\w-]{22}$/.test(name)) continue
    const text = attempt(() => asyncSearchProblem(directory, name))
    const advice = 'The result is lost, and the search has to be sent again. The file may be deleted.'
    if (text !== undefined) {
      yield problem(`async-searches/${name}`, `the result of an asynchronous search ${text}`, advice)
    }
  }
}

/** `nodeId` is that of the metadata, if it can be read. */
export function* examineNodeFile(directory: Directory, nodeId: string | undefined): Generator<Finding> {
  let known: string | null | undefined
  const text = attempt(() => {
    known = readNodeFile(directory)
    return known === null ? 'is damaged' : undefined
  })
  if (text !== undefined) {
    yield problem(NODE_FILE, `the file ${text}`, 'If it can be removed, the next start of the node writes it anew.')
  } else if (known !== undefined && nodeId !== undefined && known !== nodeId) {
    const text = `names the node [${known}], and the metadata is that of [${nodeId}]`
    yield problem(NODE_FILE, text, 'Bring the folder metadata back that belongs to this data folder.')
  }
}

export function* examineStrangers(names: readonly string[]): Generator<Finding> {
  for (const name of names) {
    if (KNOWN.has(name) || name.startsWith('node.lock.')) continue
    yield note(name, 'was not written by a node; it is left alone')
  }
}

function attempt(examine: () => string | undefined): string | undefined {
  try {
    return examine()
  } catch (error) {
    return `cannot be read: ${(error as Error).message}`
  }
}
