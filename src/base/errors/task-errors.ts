import { ApiError, illegalArgument, notANumber } from '../api-error.ts'
import { formatDuration } from '../duration.ts'
import { indexNotFound } from './index-errors.ts'

export const malformedTaskId = (text: string, number?: string) =>
  illegalArgument(`malformed task id ${text}`, number === undefined ? undefined : notANumber(number))

/** As long as no task has stored a result, Elasticsearch's message refers to the index that would hold them. */
const notStored = (id: string, hasResults: boolean) => {
  const missing = hasResults ? undefined : indexNotFound('.tasks')
  return new ApiError(404, 'resource_not_found_exception', `task [${id}] isn't running and hasn't stored its results`, {
    ...(missing === undefined ? {} : { causedBy: missing, rootCauses: [missing] }),
  })
}

export const taskNotFound = (id: string, hasResults: boolean) => notStored(id, hasResults)

export const taskOfUnknownNode = (id: string, nodeId: string, hasResults: boolean) => {
  const cause = notStored(id, hasResults)
  return new ApiError(
    404,
    'resource_not_found_exception',
    `task [${id}] belongs to the node [${nodeId}] which isn't part of the cluster and there is no record of the task`,
    { causedBy: cause, rootCauses: cause.rootCauses ?? [cause] },
  )
}

export const taskNotFinished = (timeoutMs: number) => {
  const time = formatDuration(timeoutMs)
  return new ApiError(500, 'timeout_exception', `timed out after [${time}/${timeoutMs}ms]`)
}

export const taskCancelled = () => new ApiError(400, 'task_cancelled_exception', 'task cancelled [by user request]')
