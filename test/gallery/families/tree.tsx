/** Lines of the state tree at both widths, and what the inspector shows of a step. */
import { useRef } from 'react'
import { ToolResultView } from '@/components/inspector/ToolResult'
import { treeLinesOf, treeOf } from '@/components/tree/model/treeModel'
import { TreeLine } from '@/components/tree/TreeLine'
import { treegridStyle } from '@/components/tree/treeColumns'
import { useRowPlaces } from '@/components/tree/usePlaces'
import { JsonView } from '@/components/ui/lazy'
import { LongText } from '@/components/ui/text/LongText'
import { Markdown } from '@/components/ui/text/Markdown'
import { GIVEN } from '../fixtures/requests'
import { TREE } from '../fixtures/rows'
import { Specimen } from '../Specimen'

const LINE = 28
const LINES = treeLinesOf(treeOf(TREE, null), () => true)
const nothing = (): void => {}

function Lines({ isCompact }: { isCompact: boolean }) {
  const group = useRef<HTMLDivElement>(null)
  useRowPlaces(group, LINES, { drawn: LINES.map((_, place) => place), pinned: [] }, LINE)
  return (
    <div
      ref={group}
      role="treegrid"
      aria-label="State tree"
      className="@container/tree relative"
      style={{ height: LINES.length * LINE, ...treegridStyle(null, isCompact) }}
    >
      {LINES.map((line, at) => (
        <TreeLine
          key={line.node.id}
          id={`gallery-${isCompact}-${line.node.id}`}
          node={line.node}
          level={line.level}
          isOpen={line.isOpen}
          isCurrent={at === 0}
          isSelected={line.node.id === '2a4'}
          isCompact={isCompact}
          pinned={null}
          height={LINE}
          room={null}
          onPress={nothing}
          onTurn={nothing}
          onFocus={nothing}
        />
      ))}
    </div>
  )
}

const RESULT = { content: [{ type: 'text', text: '42 rows read' }], structuredContent: { rows: 42 } }

export default function TreeFamily() {
  return (
    <>
      <Specimen name="StateTree · lines" isWide>
        <Lines isCompact={false} />
      </Specimen>
      <Specimen name="StateTree · lines of the list">
        <div className="w-72">
          <Lines isCompact />
        </div>
      </Specimen>
      <Specimen name="JsonView">
        <JsonView value={GIVEN.json} name="db.write" />
      </Specimen>
      <Specimen name="ToolResult">
        <ToolResultView result={RESULT} name="db.read" />
      </Specimen>
      <Specimen name="Markdown">
        <Markdown
          text={'Use **Postgres**: `prices` is there, see [the list](https://prices.example).\n\n1. read\n2. write'}
        />
      </Specimen>
      <Specimen name="LongText · cut" isWide>
        <LongText text={'· '.repeat(1_100)} />
      </Specimen>
    </>
  )
}
