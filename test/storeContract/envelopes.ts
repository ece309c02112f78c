/** A maker of envelopes, also for processes without a test. */
import { asId, type PeerId } from '@/lib/mas/ids'
import type { NewEnvelope } from '@/lib/mas/outside/records'

/** An envelope that was refused. */
export const envelopeOf = (id: string, more: Partial<NewEnvelope> = {}): NewEnvelope => ({
  id,
  peer: asId<PeerId>('p-south'),
  direction: 'in',
  protocol: 'mamp',
  conversation: null,
  task: null,
  outsider: null,
  message: null,
  theirs: `msg-${id}`,
  verdict: 'too_large',
  status: 413,
  why: 'It is too large.',
  by: null,
  bytes: 10,
  sha: 'a'.repeat(64),
  body: null,
  ...more,
})
