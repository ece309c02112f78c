import { command } from '@/client/api'
import { type Act, actAt, actsOn } from '@/components/operate/acts'
import type { HumanSetupBody, LinkAnswer } from '@/lib/wire'

/** Somebody new, who signs in by the link that comes back. */
export const inviteAct = (person: string, value: HumanSetupBody, onLink: (link: LinkAnswer) => void): Act =>
  actAt('act:people.invite', async (_, head) => {
    const answer = await command<LinkAnswer>('/api/people', { person, value }, head)
    if (answer.ok) onLink(answer.value)
    return answer
  })

/** seen: seq of the newest change of the record that is shown, 0: none. */
export const changePersonAct = (id: string, value: HumanSetupBody, seen: number): Act =>
  actsOn('/api/setup', { changes: [{ kind: 'human', id, value, seen }] }, [id])

/** handTo: who gets what only they were asked. */
export const leaveAct = (id: string, seen: number, handTo: string | null): Act =>
  actsOn(`/api/people/${encodeURIComponent(id)}/leave`, { seen, handTo })
