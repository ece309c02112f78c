import { DoneList, Information } from './DoneList'
import type { InboxRow, InboxTab } from './rows'
import { WaitingList } from './WaitingList'

export default function OtherViews({ view, rows }: { view: Exclude<InboxTab, 'needs-me'>; rows: readonly InboxRow[] }) {
  switch (view) {
    case 'waiting':
      return <WaitingList rows={rows.filter((row) => row.kind === 'waiting')} />
    case 'fyi':
      return <Information rows={rows.filter((row) => row.group === 'info')} />
    case 'done':
      return <DoneList rows={rows.filter((row) => row.group === 'done')} />
  }
}
