/** MAP's trajectory extension: checkpoints of work, requested, listed, and read with their artifacts. */
import * as z from 'zod/mini'
import { Name } from '@/lib/protocols/fields'

export const METHODS = ['trajectory/checkpoint', 'trajectory/list', 'trajectory/get', 'trajectory/content'] as const
export type TrajectoryMethod = (typeof METHODS)[number]
export const CHUNK_NOTIFICATION = 'trajectory/content.chunk'
export const EVENTS = { checkpoint: 'trajectory.checkpoint', contentAvailable: 'trajectory.content.available' } as const

/** Bytes of JSON for all artifacts of an answer; beyond it the largest one is streamed. */
export const INLINE_MAX_BYTES = 256 * 1024
/** Bytes of content in one chunk, before base64. */
export const CHUNK_BYTES = 64 * 1024
const LIST_DEFAULT = 50
export const LIST_MAX = 200

/** The key of a streamed artifact's address, for clients that take no chunks. */
export const urlName = (artifact: string): string => `${artifact}_url`

export const TRAJECTORY_ERRORS = {
  notEnabled: { code: 13000, message: 'Trajectory is not enabled here' },
  notFound: { code: 13001, message: 'Checkpoint not found' },
  contentUnavailable: { code: 13002, message: 'Content is not available' },
  streamFailed: { code: 13003, message: 'The stream of content failed' },
  permissionDenied: { code: 13004, message: 'Permission denied' },
} as const

const Instant = z.number().check(z.nonnegative(), z.maximum(8_640_000_000_000_000))

export const UnknownFields = z.record(z.string(), z.unknown())

/** The stored form: five known fields, everything else in the metadata. */
export const Checkpoint = z.object({
  id: Name,
  agentId: Name,
  /** epoch ms */
  timestamp: Instant,
  label: z.optional(z.string()),
  sessionId: z.optional(z.string()),
  metadata: z.optional(UnknownFields),
})
export type Checkpoint = z.infer<typeof Checkpoint>

/** As reported by an agent: the time is optional. */
export const CheckpointParams = z.looseObject({
  checkpoint: z.object({
    id: Name,
    agentId: Name,
    timestamp: z.optional(Instant),
    label: z.optional(z.string().check(z.minLength(1), z.maxLength(2_000))),
    sessionId: z.optional(Name),
    metadata: z.optional(UnknownFields),
  }),
})

export const CheckpointFilter = z.looseObject({
  agentId: z.optional(Name),
  sessionId: z.optional(Name),
  /** Both bounds are exclusive. */
  afterTimestamp: z.optional(Instant),
  beforeTimestamp: z.optional(Instant),
})
export type CheckpointFilter = z.infer<typeof CheckpointFilter>

export const ListParams = z.looseObject({
  filter: z.optional(CheckpointFilter),
  limit: z.optional(z.int().check(z.positive())),
  cursor: z.optional(Name),
})
export const GetParams = z.looseObject({ checkpointId: Name })
export const ContentParams = z.looseObject({ checkpointId: Name, include: z.optional(z.array(Name)) })

export type CheckpointPage = { checkpoints: Checkpoint[]; hasMore: boolean; nextCursor?: string }

/** One page of checkpoints, newest first, then by id descending. cursor: the last id of the previous page. null: unknown cursor. */
export function listPage(
  all: readonly Checkpoint[],
  { filter = {}, limit = LIST_DEFAULT, cursor }: z.infer<typeof ListParams>,
): CheckpointPage | null {
  const ordered = all.filter((one) => matches(one, filter)).sort(newestFirst)
  let begin = 0
  if (cursor !== undefined) {
    // The cursor's checkpoint may have been reported again since, so its present time counts.
    const last = all.find(({ id }) => id === cursor)
    if (last === undefined) return null
    begin = ordered.findIndex((one) => newestFirst(last, one) < 0)
    if (begin < 0) begin = ordered.length
  }
  const checkpoints = ordered.slice(begin, begin + Math.min(limit, LIST_MAX))
  const hasMore = begin + checkpoints.length < ordered.length
  const nextCursor = checkpoints.at(-1)?.id
  return { checkpoints, hasMore, ...(hasMore && nextCursor !== undefined ? { nextCursor } : {}) }
}

/** Does a checkpoint match the filter of a list or subscription? */
export function matches(
  checkpoint: Pick<Checkpoint, 'agentId' | 'sessionId' | 'timestamp'>,
  filter: CheckpointFilter,
): boolean {
  return (
    (filter.agentId === undefined || checkpoint.agentId === filter.agentId) &&
    (filter.sessionId === undefined || checkpoint.sessionId === filter.sessionId) &&
    (filter.afterTimestamp === undefined || checkpoint.timestamp > filter.afterTimestamp) &&
    (filter.beforeTimestamp === undefined || checkpoint.timestamp < filter.beforeTimestamp)
  )
}

const newestFirst = (a: Checkpoint, b: Checkpoint): number =>
  b.timestamp - a.timestamp || (a.id === b.id ? 0 : a.id < b.id ? 1 : -1)

export type ContentResult =
  | { streaming: false; checkpointId: string; artifacts: Record<string, unknown> }
  | {
      streaming: true
      checkpointId: string
      streamId: string
      artifacts: Record<string, unknown>
      streamArtifact: string
      streamInfo: { totalBytes: number; totalChunks: number; encoding: 'base64' }
    }

/**
 * Decide what is inlined: all while it fits, else all but the largest artifact.
 *
 * in      sizes: artifact → bytes of its text
 * out     null: all inline; else the name of the artifact to stream
 * faults  'tooLarge': more than one would have to be streamed, which one request does not allow
 */
export function artifactToStream(sizes: ReadonlyMap<string, number>): string | null | 'tooLarge' {
  const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
  if (total <= INLINE_MAX_BYTES) return null
  let largest = ''
  for (const [name, bytes] of sizes) if (bytes > (sizes.get(largest) ?? -1)) largest = name
  return total - (sizes.get(largest) ?? 0) > INLINE_MAX_BYTES ? 'tooLarge' : largest
}

/** The number of chunks for so many bytes; at least one. */
export function chunkCount(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / CHUNK_BYTES))
}

export type Chunk = { streamId: string; index: number; data: string; final: boolean; checksum?: string }
