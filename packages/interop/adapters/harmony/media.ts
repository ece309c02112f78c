/** Media of messages: as parts of a list, and as content behind the address in such a part. */

import { videoIn } from '@/lib/format/videoFrames'
import type { MessageId } from '@/lib/mas/ids'
import type { Attachment } from '@/lib/mas/records'
import type { HarmonyPart, ImagePart } from '@/lib/protocols/harmony/message'
import { bodyContent } from '@/server/shared/bodyText'
import type { Store } from '@/server/store'

export const MEDIA_PATH = '/api/harmony/media'

export type MediaAddress = (message: MessageId, at: number) => string

/** in: the caller's name of the conversation, repeated in the address */
export const mediaAddress =
  (base: string, named: { conversation: string | null; task: string | null }): MediaAddress =>
  (message, at) => {
    const query = new URLSearchParams({
      ...(named.conversation === null ? { task_id: named.task ?? '' } : { conversation_id: named.conversation }),
      message_id: message,
      at: String(at),
    })
    return `${base}${MEDIA_PATH}?${query}`
  }

/** For a frame or the sound of a video in the same message: the video, and the time of the frame or of the sound's beginning. */
export function videoOf(attachments: readonly Attachment[], at: number): Pick<ImagePart, 'video_metadata'> {
  const made = videoIn(attachments[at]?.name ?? '')
  const isHere = attachments.some(({ name, body }) => name === made?.video && body.mime.startsWith('video/'))
  if (made === null || !isHere) return {}
  if (made.seconds === null) return { video_metadata: { video_id: made.video, timestamp_sec: 0 } }
  const before = attachments.slice(0, at).map(({ name }) => videoIn(name))
  const frame_index = before.filter((one) => one?.video === made.video && one.seconds !== null).length
  return { video_metadata: { video_id: made.video, timestamp_sec: made.seconds, frame_index } }
}

/** A picture becomes its address, a sound its bytes, any other file a line with its address. */
export async function attachedPart(
  { name, body }: Attachment,
  address: string,
  bodies: Pick<Store['bodies'], 'get'>,
): Promise<HarmonyPart> {
  if (body.mime.startsWith('image/')) return { type: 'image_url', image_url: { url: address } }
  const kept = body.mime.startsWith('audio/') ? await bodyContent(bodies, body) : null
  if (kept && kept.bytes.length > 0) {
    const format = body.mime.replace(/^audio\/(x-)?/, '').replace('mpeg', 'mp3')
    return { type: 'input_audio', input_audio: { data: Buffer.from(kept.bytes).toString('base64'), format } }
  }
  return { type: 'text', text: `[${name.replaceAll(/[[\]]/g, '')}](<${address}>)` }
}
