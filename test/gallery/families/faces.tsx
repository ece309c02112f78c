/** Empty, loading and broken places, the connection, a notice. */
import type { ConnectionWord } from '@/client'
import { type ConnectionNoticeProps, useConnectionNotice } from '@/components/shell/connection/ConnectionBar'
import { ConnectionButton } from '@/components/shell/connection/ConnectionChip'
import { NoticeLook } from '@/components/shell/NoticeBar'
import { Button } from '@/components/ui/Button'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/States'
import { fixtureConnection } from '../fixtures/pageFixtures'
import { NOW } from '../fixtures/people'
import { Specimen, SpecimenRow } from '../Specimen'

const WORDS: readonly ConnectionWord[] = ['live', 'catching-up', 'slow', 'offline', 'signed-out', 'new-version']
const BARS: readonly ConnectionWord[] = ['offline', 'signed-out', 'new-version']
const nothing = (): void => {}

function ConnectionNotice(props: ConnectionNoticeProps) {
  const notice = useConnectionNotice(props)
  return notice ? <NoticeLook {...notice} /> : null
}

export default function IdentityFamily() {
  return (
    <>
      <Specimen name="EmptyState">
        <EmptyState title="No one is waiting for you." action={<Button>Start the demo task</Button>}>
          What agents ask of you comes here.
        </EmptyState>
      </Specimen>
      <Specimen name="ErrorState">
        <ErrorState title="This page could not be drawn." onRetry={nothing} details={String(NOW)}>
          The others work.
        </ErrorState>
      </Specimen>
      <Specimen name="Skeleton">
        <Skeleton lines={4} />
      </Specimen>
      <Specimen name="ConnectionChip">
        <SpecimenRow>
          {WORDS.map((word) => (
            <ConnectionButton key={word} connection={fixtureConnection(word)} />
          ))}
        </SpecimenRow>
      </Specimen>
      {BARS.map((word) => (
        <Specimen key={word} name={`ConnectionBar · ${word}`} isWide>
          <ConnectionNotice connection={fixtureConnection(word)} isSignedOut={word === 'signed-out'} />
        </Specimen>
      ))}
    </>
  )
}
