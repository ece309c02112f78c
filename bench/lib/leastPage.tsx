/**
 * The least page that shows a task's tree live: its rows in a store, a window of them on screen that follows what moves, and
 * nothing else. What the console's page costs is compared with it (`bench/paint.ts`).
 */
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useEffectEvent, useRef } from 'react'
import { createRoot } from 'react-dom/client'
import { io } from 'socket.io-client'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { AnyRow, TreeRow } from '@/lib/wire/rows'
import type { Beat, Reset, ViewFrame } from '@/lib/wire/views'

const ROW_PX = 28

const rows = createStore<ReadonlyMap<string, AnyRow>>()(() => new Map())
let queue: (Reset | ViewFrame)[] = []

/** Frames are applied once for each frame of the screen, as the console does. */
function flush(): void {
  const messages = queue
  queue = []
  let next = rows.getState()
  for (const message of messages) {
    if ('rows' in message) next = new Map(message.rows.map((row) => [row.id, row]))
    else {
      const changed = new Map(next)
      for (const id of message.del) changed.delete(id)
      for (const row of message.set) changed.set(row.id, row)
      next = changed
    }
  }
  rows.setState(next, true)
  setTimeout(() => {
    for (const message of messages)
      if ('marks' in message && message.marks)
        for (const [seq, server] of Object.entries(message.marks))
          performance.mark(`painted:${seq}`, { detail: { server } })
  })
}

const Line = memo(function Line({ row, top }: { row: TreeRow; top: number }) {
  const ms = row.startedAt !== null && row.endedAt !== null ? row.endedAt - row.startedAt : null
  return (
    <div className="line" style={{ transform: `translateY(${top}px)` }}>
      <span style={{ paddingLeft: row.level * 18 }}>{row.name}</span>
      <span>{row.chip}</span>
      <span>{ms === null ? '—' : `${ms} ms`}</span>
      <span>{row.tokens ?? '—'}</span>
      <span>{row.costUsd ?? '—'}</span>
    </div>
  )
})

const isLine = (row: AnyRow): row is TreeRow => 'chip' in row && 'parent' in row

function Page() {
  const scroller = useRef<HTMLDivElement>(null)
  const all = useStore(rows)
  const lines = [...all.values()].filter(isLine).sort((a, b) => (a.sort < b.sort ? -1 : 1))
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    getItemKey: (at) => lines[at]?.id ?? at,
  })
  const toNewest = useEffectEvent(() => {
    const started = (row: TreeRow): number => (row.kind === 'step' && row.startedAt !== null ? row.seq : 0)
    const newest = lines.reduce((best, row, at) => (started(row) > started(lines[best] ?? row) ? at : best), 0)
    virtualizer.scrollToIndex(newest)
  })
  // As the console does: each second what changed last is in sight.
  useEffect(() => {
    const timer = setInterval(toNewest, 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <div ref={scroller} className="pane">
      <div style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const row = lines[item.index]
          return row ? <Line key={item.key} row={row} top={item.start} /> : null
        })}
      </div>
    </div>
  )
}

const take = (message: Reset | ViewFrame): void => {
  if ('marks' in message && message.marks)
    for (const [seq, server] of Object.entries(message.marks)) performance.mark(`entry:${seq}`, { detail: { server } })
  queue.push(message)
  if (queue.length === 1) requestAnimationFrame(flush)
}
const task = new URLSearchParams(window.location.search).get('task') ?? ''
const socket = io({ path: '/socket.io', transports: ['websocket'] })
socket.on('connect', () => socket.emit('subscribe', { sub: 'tree', asked: 1, view: `tree:${task}` }))
socket.on('reset', take)
socket.on('frame', take)
socket.on('beat', ({ head, mono }: Beat) => {
  if (mono !== undefined) performance.mark(`beat:${head}`, { detail: { server: mono } })
})
const root = document.getElementById('root')
if (root) createRoot(root).render(<Page />)
