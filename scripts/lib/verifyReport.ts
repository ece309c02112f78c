/** Whether a data folder holds what was written, in sentences. */
import { damageText, type Verified } from '@/server/store'

/** Places that are named at once; more of them would say no more. */
const MOST_NAMED = 20

const WORDS = {
  en: {
    whole: (v: Verified, folder: string) =>
      `The journal in ${folder} is whole: ${v.decisions} decisions with ${v.entries} entries, and ${v.bodies} bodies, are as they were written.`,
    damaged: (places: number, folder: string) =>
      `The data in ${folder} is not what was written, in ${places === 1 ? 'one place' : `${places} places`}:`,
    more: (places: number) => `  and ${places} more`,
    next: 'Put a backup back (npm run restore -- <folder>), or save what is whole: npm run doctor -- --salvage <empty folder>',
  },
  zh: {
    whole: (v: Verified, folder: string) =>
      `${folder} 中的日志完好：${v.decisions} 个决定、${v.entries} 条记录和 ${v.bodies} 份正文与写入时一致。`,
    damaged: (places: number, folder: string) => `${folder} 中的数据与写入时不一致，共 ${places} 处：`,
    more: (places: number) => `  另有 ${places} 处`,
    next: '请恢复备份（npm run restore -- <文件夹>），或保存完好的部分：npm run doctor -- --salvage <空文件夹>',
  },
} as const

export function verifyReport(found: Verified, folder: string, language: keyof typeof WORDS): string[] {
  const words = WORDS[language]
  const { damage } = found
  if (damage.length === 0) return [words.whole(found, folder)]
  const more = damage.length - MOST_NAMED
  return [
    words.damaged(damage.length, folder),
    ...damage.slice(0, MOST_NAMED).map((one) => `  ${damageText(one)}`),
    ...(more > 0 ? [words.more(more)] : []),
    words.next,
  ]
}
