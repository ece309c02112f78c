/** The top bar, and the navigation at the left or at the lower edge. */
import { Rail } from '@/components/shell/navigation/Rail'
import { TopBar } from '@/components/shell/TopBar'
import { ME } from '../fixtures/people'
import { Specimen } from '../Specimen'

const nothing = (): void => {}
const BUSY = { needsMe: 5, urgentUnacknowledged: 1, blockedWaits: 2, unreadDirect: 12 }
const QUIET = { needsMe: 3, urgentUnacknowledged: 0, blockedWaits: 0, unreadDirect: 0 }

export default function FrameParts() {
  return (
    <>
      <Specimen name="TopBar" isWide>
        <TopBar me={ME} hasList={false} onToggleList={nothing} taskId={null} onPalette={nothing} />
      </Specimen>
      <Specimen name="Rail · an Urgent, blocked waits, unread">
        <div className="flex flex-col md:h-[28rem] md:flex-row">
          <Rail screen="inbox" counts={BUSY} isWatcher />
        </div>
      </Specimen>
      <Specimen name="Rail · a participant’s">
        <div className="flex flex-col md:h-[28rem] md:flex-row">
          <Rail screen="tools" counts={QUIET} isWatcher={false} />
        </div>
      </Specimen>
    </>
  )
}
