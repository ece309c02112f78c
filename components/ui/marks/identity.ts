/** How somebody is drawn: hue from the id, initials from the name, icon from the role. */
import type { Who } from '@/lib/wire/rows'

/** What an avatar is drawn from; a `Who` fits. */
export type Identity = { id: string } & Pick<Who, 'name' | 'kind'> & Partial<Pick<Who, 'role' | 'manager' | 'access'>>

/** A number from 0 to below 1 that is fixed for a text (FNV-1a, then mixed: similar ids get distant hues). */
function share(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash ^= text.charCodeAt(at)
    hash = Math.imul(hash, 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

/** Copper for people (hue 20-80), cool for agents (190-260); the same id has the same hue on every page. */
export function hueOf(who: Pick<Identity, 'id' | 'kind'>): number {
  const [from, to] = who.kind === 'human' ? [20, 80] : [190, 260]
  return Math.round(from + share(who.id) * (to - from))
}

/** Two letters of a name: "Ana" is An, "Ben Lee" is BL, 王小明 is 小明; 明 where there is room for one character only. */
export function initials(name: string, isSmall = false): string {
  const words = name
    .trim()
    .split(/\s+/u)
    .filter((word) => word !== '')
  const letters = [...(words[0] ?? '?')]
  if (/\p{Script=Han}/u.test(letters[0] ?? '')) return letters.slice(isSmall ? -1 : -2).join('')
  const second = words[1] ? [...words[1]][0] : letters[1]
  return `${(letters[0] ?? '?').toLocaleUpperCase()}${words[1] ? (second ?? '').toLocaleUpperCase() : (second ?? '').toLocaleLowerCase()}`
}

export type RoleIcon = 'manager' | 'code' | 'test' | 'data' | 'read' | 'write' | 'design' | 'bot'

const ROLES: [RoleIcon, RegExp][] = [
  ['manager', /manag|lead|coordinat|管理|负责/iu],
  ['code', /cod|program|develop|engineer|开发|工程|编程/iu],
  ['test', /test|check|review|quality|测试|检查|审/iu],
  ['data', /analy|data|import|database|分析|数据/iu],
  ['read', /read|research|librar|search|阅读|研究|检索/iu],
  ['write', /writ|edit|author|translat|写|编辑|翻译/iu],
  ['design', /design|paint|illustrat|设计|绘/iu],
]

/** Which icon an agent's role asks for. */
export function roleIconOf(who: Pick<Identity, 'role' | 'manager'>): RoleIcon {
  if (who.manager) return 'manager'
  const role = who.role ?? ''
  return ROLES.find(([, words]) => words.test(role))?.[0] ?? 'bot'
}
