/** The result of a finished task, and the tasks that it is linked to. */
import ChangeLinks from '@/components/result/ChangeLinks'
import FilePreview from '@/components/result/FilePreview'
import TaskResult from '@/components/result/TaskResult'
import { resultTask } from '../fixtures/results'
import { Specimen } from '../Specimen'

export default function ResultsFamily() {
  const task = resultTask('unrated')
  return (
    <>
      <Specimen name="TaskResult · not rated, with links of changes" isWide>
        <ChangeLinks task={{ id: task, changeOf: task }} />
        <TaskResult task={task} />
      </Specimen>
      <Specimen name="TaskResult · rated" isWide>
        <TaskResult task={resultTask('rated')} />
      </Specimen>
      <Specimen name="TaskResult · free text alone">
        <TaskResult task={resultTask('text')} />
      </Specimen>
      <Specimen name="TaskResult · failed">
        <TaskResult task={resultTask('failed')} />
      </Specimen>
      <Specimen name="FilePreview · changed since, and not stored">
        <FilePreview path="prices/report.md" bytes={960} seq={4} isKept={false} isChanged />
      </Specimen>
    </>
  )
}
