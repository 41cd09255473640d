import { ApiError, illegalArgument, notANumber } from '../api-error.ts'
import { formatDuration } from '../duration.ts'
import { indexNotFound } from './index-errors.ts'

export const malformedTaskId = (text: string, number?: string) =>
  illegalArgument(`malformed task id ${text}`, number === undefined ? undefined : notANumber(number))

/** Task results are not stored. Elasticsearch's message refers to the index that would hold them. */
const notStored = (id: string) => {
  const missing = indexNotFound('.tasks')
  return new ApiError(404, 'resource_not_found_exception', `task [${id}] isn't running and hasn't stored its results`, {
    causedBy: missing,
    rootCauses: [missing],
  })
}

export const taskNotFound = (id: string) => notStored(id)

export const taskOfUnknownNode = (id: string, nodeId: string) => {
  const cause = notStored(id)
  return new ApiError(
    404,
    'resource_not_found_exception',
    `task [${id}] belongs to the node [${nodeId}] which isn't part of the cluster and there is no record of the task`,
    { causedBy: cause, ...(cause.rootCauses === undefined ? {} : { rootCauses: cause.rootCauses }) },
  )
}

export const taskNotFinished = (timeoutMs: number) => {
  const time = formatDuration(timeoutMs)
  return new ApiError(500, 'timeout_exception', `timed out after [${time}/${timeoutMs}ms]`)
}

export const taskCancelled = () => new ApiError(400, 'task_cancelled_exception', 'task cancelled [by user request]')
