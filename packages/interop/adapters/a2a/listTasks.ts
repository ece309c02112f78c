/** ListTasks: newest first, in pages that a cursor continues. */
import { type ListTasksRequest, type ListTasksResponse, TaskState } from '@a2a-js/sdk'
import { RequestMalformedError } from '@a2a-js/sdk/errors'
import type { AdapterContext } from '../adapter'
import { type HeldJob, STATES, taskOf } from './tasks'

const PAGE = 50
const MOST = 100

/** in: jobs: all of the caller. Throws RequestMalformedError. */
export async function pageOf(
  context: Pick<AdapterContext, 'bodies'>,
  jobs: readonly HeldJob[],
  {
    contextId,
    status,
    pageSize = PAGE,
    pageToken,
    historyLength,
    statusTimestampAfter,
    includeArtifacts,
  }: ListTasksRequest,
): Promise<ListTasksResponse> {
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > MOST)
    throw new RequestMalformedError(`pageSize must be 1 to ${MOST}.`)
  if (historyLength !== undefined && (!Number.isInteger(historyLength) || historyLength < 0))
    throw new RequestMalformedError('historyLength must be 0 or more.')
  if (status === TaskState.UNRECOGNIZED) throw new RequestMalformedError('There is no such status.')
  const since = statusTimestampAfter === undefined ? null : Date.parse(statusTimestampAfter)
  if (Number.isNaN(since)) throw new RequestMalformedError('statusTimestampAfter must be a time of ISO 8601.')
  const after = pageToken === '' ? null : cursorIn(pageToken)
  const fitting = jobs
    .filter(({ job }) => contextId === '' || job.conversation.shared === contextId)
    .filter(({ job }) => status === TaskState.TASK_STATE_UNSPECIFIED || STATES[job.state] === status)
    .filter(({ job }) => since === null || job.at >= since)
    .sort((a, b) => order(keyOf(a), keyOf(b)))
  const rest = after === null ? fitting : fitting.filter((one) => order(after, keyOf(one)) < 0)
  const page = rest.slice(0, pageSize)
  const last = page.at(-1)
  const shown = { historyLength: historyLength ?? 0, artifacts: includeArtifacts === true }
  return {
    tasks: await Promise.all(page.map((held) => taskOf(context, held, shown))),
    nextPageToken: last === undefined || rest.length <= pageSize ? '' : tokenOf(keyOf(last)),
    pageSize,
    totalSize: fitting.length,
  }
}

type Key = { at: number; id: string }
const keyOf = ({ job: { at, id } }: HeldJob): Key => ({ at, id })
const order = (a: Key, b: Key): number => b.at - a.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
const tokenOf = ({ at, id }: Key): string => Buffer.from(`${at} ${id}`).toString('base64url')

function cursorIn(token: string): Key {
  const [, at, id] = /^(\d{1,15}) (\S{1,100})$/.exec(Buffer.from(token, 'base64url').toString()) ?? []
  if (at === undefined || id === undefined) throw new RequestMalformedError('pageToken is none of ours.')
  return { at: Number(at), id }
}
