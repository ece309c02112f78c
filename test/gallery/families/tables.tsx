/** Tables of many rows: tasks, the team, waits; wide and as cards. */
import { type ReactNode, useRef } from 'react'
import { FixturesContext, useFixtures } from '@/client/fixtures'
import { AgentTable } from '@/components/agents/AgentTable'
import { TaskTable } from '@/components/tasks/TaskTable'
import { STUCK_FIRST } from '@/components/tasks/taskList'
import { graphGroupsOf } from '@/components/waits/layout'
import { WaitTable } from '@/components/waits/WaitBoard'
import { WaitGraphView } from '@/components/waits/WaitGraph'
import { AGENT_ROWS, TASKS, WAITS } from '../fixtures/rows'
import { Specimen } from '../Specimen'

const nothing = (): void => {}

function Tasks({ isNarrow }: { isNarrow: boolean }) {
  const scroller = useRef<HTMLDivElement>(null)
  return (
    <div ref={scroller} className={isNarrow ? 'h-[46rem] overflow-y-auto' : 'h-[21rem] overflow-y-auto'}>
      <TaskTable rows={TASKS} sort={STUCK_FIRST} onSort={nothing} scroller={scroller} />
    </div>
  )
}

/** At the width of a page, or of a phone, independent of the window. */
function At({ isNarrow, children }: { isNarrow: boolean; children: ReactNode }) {
  const fixtures = useFixtures()
  return <FixturesContext value={fixtures && { ...fixtures, isNarrow }}>{children}</FixturesContext>
}

export default function Tables() {
  return (
    <>
      <At isNarrow={false}>
        <Specimen name="TaskTable" isWide>
          <Tasks isNarrow={false} />
        </Specimen>
        <Specimen name="AgentTable" isWide>
          <AgentTable rows={AGENT_ROWS} />
        </Specimen>
        <Specimen name="WaitGraph" isWide>
          <WaitGraphView groups={graphGroupsOf(WAITS)} />
        </Specimen>
        <Specimen name="WaitTable" isWide>
          <WaitTable rows={WAITS} isOfTask={false} />
        </Specimen>
      </At>
      <At isNarrow>
        <Specimen name="TaskTable · as cards">
          <Tasks isNarrow />
        </Specimen>
        <Specimen name="AgentTable · as cards">
          <AgentTable rows={AGENT_ROWS} />
        </Specimen>
      </At>
    </>
  )
}
