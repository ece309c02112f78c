/** What others offered to transfer to me and I have not answered: one card per transfer, “Accept” and “Not me”. A lazy file. */
import { useTranslations } from 'use-intl'
import { useRecords } from '@/client'
import { taskTitle } from '@/client/readersWords'
import { whoInWorld } from '@/components/request/fromWorld'
import { OfferButtons } from '@/components/request/TransferBar'
import { Avatar } from '@/components/ui/marks/Avatar'
import { TimeText } from '@/components/ui/marks/Time'
import { firstWords } from '@/lib/format/plainText'
import { itemOf, rowTask, rowText, type TransferOffer } from '../rows'

export default function TransferOffers({ offers }: { offers: readonly TransferOffer[] }) {
  return offers.map((offer) => <TransferOfferCard key={offer.transfer.id} {...offer} />)
}

function TransferOfferCard({ transfer, rows }: TransferOffer) {
  const t = useTranslations()
  const [first] = rows
  const from = useRecords(first === undefined ? null : `task:${rowTask(first)}`, (world) =>
    whoInWorld(world, transfer.from),
  )
  const title = t('inbox.handed', { who: from.name, count: rows.length })
  return (
    <article
      aria-label={title}
      tabIndex={-1}
      data-id={transfer.id}
      data-kind="hand-over"
      data-state="offered"
      className="mt-5 rounded-card border border-dashed border-wait-line bg-s2 px-4 py-3 max-md:px-3.5"
    >
      <header className="flex items-center gap-2.5">
        <Avatar who={from} size={28} />
        <h2 className="min-w-0 font-medium">{title}</h2>
        <TimeText at={transfer.at} isClock className="ml-auto shrink-0 text-meta text-t3" />
      </header>
      <p className="mt-2 max-w-[68ch] break-words">{transfer.sentence}</p>
      <ul className="mt-2 flex list-disc flex-col gap-0.5 pl-5 text-table text-t2">
        {rows.map((row) => (
          <li key={itemOf(row)} className="break-words">
            {taskTitle(row.taskName)} · {firstWords(rowText(row))}
          </li>
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-2">
        <OfferButtons transfer={transfer} from={from.name} />
      </div>
    </article>
  )
}
