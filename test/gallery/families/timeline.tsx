/** The timeline of a task, and the bar of time travel, in two widths. */
import { useState } from 'react'
import MomentBar from '@/components/moment'
import { rowsOf } from '@/components/timeline/model/rows'
import { Timeline } from '@/components/timeline/Timeline'
import { SHOWN_SEQ } from '../fixtures/moments'
import { TASK } from '../fixtures/records'
import { TIMELINE, TIMELINE_TOTALS } from '../fixtures/timeline'
import { Specimen } from '../Specimen'

function TimelineOf({ className }: { className: string }) {
  const [closed, setClosed] = useState<string | null>(null)
  return (
    <div className={`flex flex-col ${className}`}>
      <Timeline
        taskId={TASK}
        totals={TIMELINE_TOTALS}
        data={{
          status: { status: 'open', reason: null },
          rows: rowsOf(TIMELINE, (agent) => agent !== closed),
          totals: TIMELINE_TOTALS,
          turn: (agent, isOpen) => setClosed(isOpen ? null : agent),
        }}
      />
    </div>
  )
}

export default function TimelineFamily() {
  return (
    <>
      <Specimen name="Timeline" isWide>
        <TimelineOf className="h-[34rem]" />
      </Specimen>
      <Specimen name="Timeline · narrow">
        <TimelineOf className="h-[24rem] w-[22.5rem]" />
      </Specimen>
      <Specimen name="TimeScrubber" isWide>
        <MomentBar moment={{ task: TASK, seq: SHOWN_SEQ }} />
      </Specimen>
      <Specimen name="TimeScrubber · narrow">
        <div className="w-[22.5rem]">
          <MomentBar moment={{ task: TASK, seq: SHOWN_SEQ }} />
        </div>
      </Specimen>
    </>
  )
}
