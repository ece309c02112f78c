/** What rings for which type of message: in the page (`client/notify`), and by the channels outside of it (`server/notify`). */
import type { MessageType } from '../messages/records'
import type { RequestType } from './records'

/**
 * urgent   until somebody acknowledges it: alarm, dialog, then the person's own channels, then the next person
 * call     once: chime, toast or desktop notice; what stays open for hours is reminded of
 * quiet    it is listed
 */
export type Loudness = 'urgent' | 'call' | 'quiet'

/** mention: an FYI that names its reader. */
export const RINGS: Record<MessageType | RequestType | 'mention', Loudness> = {
  urgent: 'urgent',
  approval: 'call',
  action: 'call',
  mention: 'call',
  fyi: 'quiet',
}
