/** The "@" being written just before the caret; null when there is none. */
export function mentionAt(text: string, caret: number): { from: number; typed: string } | null {
  const before = text.slice(0, caret)
  const hit = /(^|[\s(（，。、])[@＠]([^\s@＠]{0,40})$/u.exec(before)
  if (!hit) return null
  const typed = hit[2] ?? ''
  return { from: caret - typed.length - 1, typed }
}
