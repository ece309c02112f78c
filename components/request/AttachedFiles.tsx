/** The files of a sent message; most messages have none, so the list is a lazy file. */
import { Lazy } from '@/components/ui/lazyFile'
import type { MessageId } from '@/lib/mas/ids'
import type { Attachment } from '@/lib/mas/records'
import { attachedFileList } from './lazy'

/** Height of a file's line, in rem. */
const LINE_REM = 2

export function AttachedFiles(list: { message: MessageId; files: readonly Attachment[] }) {
  const { files } = list
  if (files.length === 0) return null
  const room = <div aria-busy="true" style={{ height: `${files.length * LINE_REM}rem` }} />
  return <Lazy file={attachedFileList} partProps={list} fallback={room} />
}
