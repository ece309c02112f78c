import type { MessageId } from '@/lib/mas/ids'
import type { Attachment } from '@/lib/mas/records'
import { AttachedFileList } from './lazy'

/** The files of a sent message; most messages have none, so the list is a lazy part. */
export const AttachedFiles = (list: { message: MessageId; files: readonly Attachment[] }) =>
  list.files.length > 0 && <AttachedFileList {...list} />
