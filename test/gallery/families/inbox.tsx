/** Rows of the inbox: messages by type, what others owe me, notices, conversations with members. */
import { Members } from '@/components/direct/DirectList'
import SelectionActions from '@/components/inbox/bulk/SelectionActions'
import FilterBar from '@/components/inbox/FilterBar'
import { MessageItem } from '@/components/inbox/MessageItem'
import OtherViews from '@/components/inbox/OtherViews'
import { isOpenRow, itemOf, type OpenRow } from '@/components/inbox/rows'
import { NoticeItem } from '@/components/notices/NoticeItem'
import { RequestLine } from '@/components/request/card/RequestLine'
import { INBOX_LONG, INBOX_MESSAGES, INBOX_WAITING, NOTICES } from '../fixtures/inbox'
import { ANA, BEN } from '../fixtures/people'
import { QUESTIONS } from '../fixtures/requests'
import { Specimen } from '../Specimen'

const LINES = ['open, with choices', 'acknowledged, somebody is drafting', 'nobody stands still'] as const
const INBOX_OPEN: OpenRow[] = Object.values(INBOX_MESSAGES).flatMap((row) => (isOpenRow(row) ? [row] : []))

export default function InboxRows() {
  return (
    <>
      {Object.entries(INBOX_MESSAGES).map(([state, row]) => (
        <Specimen key={state} name={`MessageItem · ${state}`}>
          <MessageItem row={row} isQuiet={row.group === 'info'} />
        </Specimen>
      ))}
      <Specimen name="MessageItem · one line of a list">
        <MessageItem row={INBOX_LONG} fold={{ isOpen: false, onTurn: () => undefined }} />
      </Specimen>
      {LINES.map((state) => (
        <Specimen key={state} name={`RequestLine · ${state}`}>
          <RequestLine shown={QUESTIONS[state]} onOpen={() => undefined} />
        </Specimen>
      ))}
      <Specimen name="FilterBar · open, filtered">
        <FilterBar rows={INBOX_OPEN} filter={{ kind: 'action' }} isEmpty={false} isOpen />
      </Specimen>
      <Specimen name="FilterBar · closed, nothing fits">
        <FilterBar rows={INBOX_OPEN} filter={{ kind: 'part' }} isEmpty isOpen={false} />
      </Specimen>
      <Specimen name="SelectionActions">
        <SelectionActions
          shown={INBOX_OPEN}
          chosen={new Set(INBOX_OPEN.slice(0, 3).map(itemOf))}
          me={ANA.id}
          onChoose={() => undefined}
        />
      </Specimen>
      <Specimen name="WaitingList">
        <OtherViews view="waiting" rows={INBOX_WAITING} />
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
