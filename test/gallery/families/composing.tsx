/** Writing: the composer with its capsules and its answer, why there is none, the members to pick from, the strip above. */
import { Composer } from '@/components/chat/composer/Composer'
import { ComposerOrReason } from '@/components/chat/composer/ComposerOrReason'
import MemberList from '@/components/chat/composer/MemberList'
import { SAVE_GROUP } from '@/components/chat/fns/members'
import { RequestStrip } from '@/components/chat/task/RequestStrip'
import { asId, type TaskId } from '@/lib/mas/ids'
import { BEN, CODER, GALLERY_LEE } from '../fixtures/people'
import { CHAT, taskWorld } from '../fixtures/world'
import { Specimen } from '../Specimen'

/** Its draft is in fixtures/pageFixtures.ts. */
export const DRAFTED_TASK = asId<TaskId>('gallery-task-drafted')

const nothing = (): void => {}
const composer = (task = CHAT) => (
  <ComposerOrReason task={task}>
    <Composer task={task} takeBackLast={null} timesPutBack={0} />
  </ComposerOrReason>
)

export default function Composing() {
  return (
    <>
      <Specimen name="RequestStrip · one">
        <RequestStrip task={CHAT} isChat={false} />
      </Specimen>
      <Specimen name="Composer · empty">{composer()}</Specimen>
      <Specimen name="Composer · draft">{composer(taskWorld({ id: DRAFTED_TASK }, []))}</Specimen>
      <Specimen name="Composer · the task is finished">{composer(taskWorld({ state: 'finished' }))}</Specimen>
      <Specimen name="Composer · not a member">{composer(taskWorld({ group: [BEN.id, CODER.id] }))}</Specimen>
      <Specimen name="MentionList">
        <div className="h-72">
          <div className="absolute inset-x-0 bottom-0">
            <MemberList
              id="gallery-members"
              active={BEN.id}
              who={CHAT.who}
              onPick={nothing}
              canSave
              choices={[
                { kind: 'person', id: BEN.id, name: BEN.name, role: BEN.role },
                { kind: 'person', id: GALLERY_LEE.id, name: GALLERY_LEE.name, role: GALLERY_LEE.role },
                { kind: 'agent', id: CODER.id, name: CODER.name, role: CODER.role },
                { kind: 'group', id: 'designers', name: 'designers', members: [BEN.id, GALLERY_LEE.id] },
                { kind: 'saved', id: SAVE_GROUP, name: 'Night shift', members: [BEN.id, CODER.id] },
              ]}
            />
          </div>
        </div>
      </Specimen>
    </>
  )
}
