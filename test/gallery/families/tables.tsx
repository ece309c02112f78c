/** Tables of many rows: tasks, the team, waits; wide and as cards. */
import { useRef } from 'react'
import { AgentTable } from '@/components/agents/AgentTable'
import { TaskTable } from '@/components/tasks/TaskTable'
import { STUCK_FIRST } from '@/components/tasks/taskList'
import { graphGroupsOf } from '@/components/waits/layout'
import { WaitGraphView } from '@/components/waits/WaitGraph'
import { WaitTable } from '@/components/waits/WaitTable'
import { ANA } from '../fixtures/people'
import { AGENT_ROWS, TASKS, WAITS } from '../fixtures/rows'
import { Specimen } from '../Specimen'

const nothing = (): void => {}

function Tasks({ isNarrow }: { isNarrow: boolean }) {
  const scroller = useRef<HTMLDivElement>(null)
  return (
    <div ref={scroller} className={isNarrow ? 'h-[46rem] overflow-y-auto' : 'h-[21rem] overflow-y-auto'}>
      <TaskTable rows={TASKS} me={ANA.id} sort={STUCK_FIRST} onSort={nothing} isNarrow={isNarrow} scroller={scroller} />
    </div>
  )
}

export default function Tables() {
  return (
    <>
      <Specimen name="TaskTable" isWide>
        <Tasks isNarrow={false} />
      </Specimen>
      <Specimen name="AgentTable" isWide>
        <AgentTable rows={AGENT_ROWS} isNarrow={false} />
      </Specimen>
      <Specimen name="WaitGraph" isWide>
        <WaitGraphView groups={graphGroupsOf(WAITS)} isNarrow={false} />
      </Specimen>
      <Specimen name="WaitTable" isWide>
        <WaitTable rows={WAITS} isNarrow={false} isOfTask={false} />
      </Specimen>
      <Specimen name="TaskTable · as cards">
        <Tasks isNarrow />
      </Specimen>
      <Specimen name="AgentTable · as cards">
        <AgentTable rows={AGENT_ROWS} isNarrow />
      </Specimen>
    </>
  )
}
