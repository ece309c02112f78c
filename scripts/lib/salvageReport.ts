/** What was saved of a damaged data folder, in sentences. */
import type { Salvaged } from '@/server/store'

const WORDS = {
  en: {
    saved: (s: Salvaged, to: string) =>
      `Saved into ${to}: ${s.decisions} decisions with ${s.entries} entries, and ${s.bodies} bodies (prompts, answers, results, files).`,
    nothing: 'Nothing is lost.',
    lost: (from: number, to: number, why: string) =>
      from === to ? `Entry ${from} is lost: ${why}.` : `Entries ${from} to ${to} are lost: ${why}.`,
    bodies: (n: number) => (n === 1 ? 'One body is lost.' : `${n} bodies are lost.`),
    someBodies: 'More bodies may be lost: their table cannot be read to its end.',
    rows: (name: string, n: number) => `Rows of the table ${name} that are lost: ${n}.`,
    table: (name: string) => `The table ${name} could not be read to its end.`,
    next: (to: string) =>
      `The damaged folder is as it was. To go on with what was saved, start with CONVENE_DATA=${to}; sign-ins of tool servers (tool-sign-ins/) and the key that opens typed-in keys (keys/) have to be copied there by hand.`,
  },
  zh: {
    saved: (s: Salvaged, to: string) =>
      `已保存到 ${to}：${s.decisions} 个决定，${s.entries} 条记录，${s.bodies} 份正文（提示词、回答、结果、文件）。`,
    nothing: '没有任何丢失。',
    lost: (from: number, to: number, why: string) =>
      from === to ? `第 ${from} 条记录已丢失：${why}。` : `第 ${from} 至 ${to} 条记录已丢失：${why}。`,
    bodies: (n: number) => `有 ${n} 份正文已丢失。`,
    someBodies: '可能还有更多正文丢失：它们的表无法读到末尾。',
    rows: (name: string, n: number) => `表 ${name} 中有 ${n} 行已丢失。`,
    table: (name: string) => `表 ${name} 无法读到末尾。`,
    next: (to: string) =>
      `损坏的文件夹保持原样。要从已保存的内容继续，请以 CONVENE_DATA=${to} 启动；工具服务器的登录（tool-sign-ins/）和用于解开已输入密钥的密钥（keys/）需要手动复制过去。`,
  },
} as const

export function salvageReport(saved: Salvaged, to: string, language: keyof typeof WORDS): string[] {
  const words = WORDS[language]
  const lostBodies = saved.lostBodies.filter((sha) => sha !== null).length
  const losses = [
    ...saved.lost.map(({ from, to: last, why }) => words.lost(from, last, why)),
    ...(lostBodies > 0 ? [words.bodies(lostBodies)] : []),
    ...(saved.lostBodies.includes(null) ? [words.someBodies] : []),
    ...saved.lostRows.map(({ table, rows }) => words.rows(table, rows)),
    ...saved.lostTables.map(words.table),
  ]
  return [words.saved(saved, to), ...(losses.length === 0 ? [words.nothing] : losses), words.next(to)]
}
