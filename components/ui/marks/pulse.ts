/**
 * What runs is marked by opacity that changes in steps, in all marks of a page at once. A timer sets it: for an animation the browser
 * asks for a frame sixty times a second, and what a page draws meanwhile waits for the next of those.
 */

type Mark = { style: { opacity: string } }

const STEP_MS = 300
/** There and back in 4.8 s. */
const STEPS = [1, 0.96, 0.91, 0.87, 0.83, 0.79, 0.74, 0.7, 0.7, 0.74, 0.79, 0.83, 0.87, 0.91, 0.96, 1]

const marks = new Set<Mark>()
let timer: ReturnType<typeof setInterval> | undefined
let step = 0

const draw = (mark: Mark): void => {
  mark.style.opacity = String(STEPS[step])
}

function turn(): void {
  step = (step + 1) % STEPS.length
  for (const mark of marks) draw(mark)
}

/** The ref of each mark that runs; the timer runs while there is one. */
export function pulse(mark: Mark | null): () => void {
  if (mark === null) return () => {}
  if (marks.size === 0) timer = setInterval(turn, STEP_MS)
  marks.add(mark)
  draw(mark)
  return () => {
    marks.delete(mark)
    if (marks.size === 0) clearInterval(timer)
  }
}
