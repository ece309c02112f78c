/** Rows of the inbox: messages by type, what others owe me, notices, conversations with members. */
import { Members } from '@/components/direct/DirectList'
import SelectionActions from '@/components/inbox/bulk/SelectionActions'
import FilterBar from '@/components/inbox/FilterBar'
import { ItemRow } from '@/components/inbox/ItemRow'
import { MessageItem } from '@/components/inbox/MessageItem'
import OtherViews from '@/components/inbox/OtherViews'
import { type InboxRow, isOpenRow, itemOf, type OpenRow } from '@/components/inbox/rows'
import { NoticeItem } from '@/components/notices/NoticeItem'
import { INBOX_LONG, INBOX_MESSAGES, INBOX_WAITING, NOTICES } from '../fixtures/inbox'
import { ANA, BEN } from '../fixtures/people'
import { Specimen } from '../Specimen'

const INBOX_OPEN: OpenRow[] = Object.values(INBOX_MESSAGES).flatMap((row) => (isOpenRow(row) ? [row] : []))

const ITEMS: InboxRow[] = [...INBOX_OPEN, INBOX_LONG, ...INBOX_WAITING, ...NOTICES]

export default function InboxRows() {
  return (
    <>
      {Object.entries(INBOX_MESSAGES).map(([state, row]) => (
        <Specimen key={state} name={`MessageItem · ${state}`}>
          <MessageItem row={row} isQuiet={row.group === 'info'} />
        </Specimen>
      ))}
      <Specimen name="ItemRow · each kind, the second is open">
        {ITEMS.map((row, at) => (
          <ItemRow key={row.id} row={row} isChosen={at === 1} onOpen={() => undefined} />
        ))}
      </Specimen>
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
          isBeside={false}
          onChoose={() => undefined}
        />
      </Specimen>
      <Specimen name="WaitingList">
        <OtherViews view="waiting" rows={INBOX_WAITING} me={ANA.id} isBeside={false} />
      </Specimen>
      <Specimen name="NoticeItem · in the panel, the first is new">
        {NOTICES.map((row, at) => (
          <NoticeItem key={row.id} row={row} isNew={at === 0} />
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
