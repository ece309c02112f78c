/** Rows of the inbox: messages by type, what others owe me, notices, private conversations. */
import { Members } from '@/components/direct/DirectList'
import { MessageItem } from '@/components/inbox/MessageItem'
import { WaitingList } from '@/components/inbox/WaitingList'
import { NoticeItem } from '@/components/notices/NoticeItem'
import { INBOX_MESSAGES, INBOX_WAITING, NOTICES } from '../fixtures/inbox'
import { BEN } from '../fixtures/people'
import { Specimen } from '../Specimen'

export default function InboxRows() {
  return (
    <>
      {Object.entries(INBOX_MESSAGES).map(([state, row]) => (
        <Specimen key={state} name={`MessageItem · ${state}`}>
          <MessageItem row={row} isQuiet={row.group === 'info'} />
        </Specimen>
      ))}
      <Specimen name="WaitingList">
        <WaitingList rows={INBOX_WAITING} />
      </Specimen>
      <Specimen name="NoticeItem · in the inbox">
        <div className="flex flex-col gap-2">
          {NOTICES.map((row) => (
            <NoticeItem key={row.id} row={row} />
          ))}
        </div>
      </Specimen>
      <Specimen name="NoticeItem · in the panel, the first is new">
        {NOTICES.map((row, at) => (
          <NoticeItem key={row.id} row={row} isInPanel isNew={at === 0} />
        ))}
      </Specimen>
      <Specimen name="DirectList">
        <div className="w-72">
          <Members current={BEN.id} />
        </div>
      </Specimen>
    </>
  )
}
