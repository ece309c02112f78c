/** Files of the workspace that go along with a message of a step. */

import { stepMaySendFile } from '@/lib/mas/access/access'
import { previewOf } from '@/lib/mas/bodies'
import { MOST_SENT_BYTES, MOST_SENT_FILES, mimeOfFile } from '@/lib/mas/files/fileTypes'
import type { Attachment, StepRecord, World } from '@/lib/mas/records'
import { openFile, pathInWorkspace } from './open'
import { readOnce } from './readOnce'
import type { FileWatchParts } from './watchCalls'

/** left: the paths of those that cannot be sent: not there, not for this step, too many or too large */
export type OutgoingFiles = (
  world: World,
  step: StepRecord,
  paths: readonly string[],
) => Promise<{ files: Attachment[]; left: string[] }>

type Parts = {
  root: string
  /** The tool servers that reach the workspace. */
  servers: readonly string[]
  bodies: FileWatchParts['bodies']
}

/** out: reads and stores the files that a step names. Never rejects for a file */
export function openOutgoingFiles({ root, servers, bodies }: Parts): OutgoingFiles {
  return async (world, step, paths) => {
    const files: Attachment[] = []
    const left: string[] = []
    let room = MOST_SENT_BYTES
    for (const named of new Set(paths.map((path) => pathInWorkspace(path) ?? path))) {
      const path = pathInWorkspace(named)
      const isOpen = path !== null && files.length < MOST_SENT_FILES && stepMaySendFile(world, step, path, servers)
      const content = isOpen ? await contentOf(root, path, room) : null
      if (path === null || content === null) {
        left.push(named)
        continue
      }
      room -= content.length
      const name = path.slice(path.lastIndexOf('/') + 1)
      const mime = mimeOfFile(name)
      const { sha, bytes } = await bodies.put(content, mime)
      const preview = mime.startsWith('text/') ? previewOf(content.subarray(0, 1_600).toString()) : ''
      files.push({ name, body: { sha, bytes, preview, mime }, savedAs: path })
    }
    return { files, left }
  }
}

async function contentOf(root: string, path: string, most: number): Promise<Buffer | null> {
  const opened = await openFile(root, path)
  if (opened === null) return null
  try {
    return opened.bytes > most ? null : (await readOnce(opened.handle, most)).content
  } catch {
    return null
  } finally {
    await opened.handle.close()
  }
}
