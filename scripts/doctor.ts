/** Tries what is configured (`npm run doctor`). Only `--verify` and `--salvage` read a journal, which must not be in use. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ConfigError, loadConfig } from '@/server/config'
import {
  DatabaseUnfitError,
  emptyAside,
  lookAside,
  lookAtDatabase,
  placeShown,
  StoreBrokenError,
  StoreLockedError,
  StoreTooNewError,
  salvage,
  verifyPlace,
} from '@/server/store'
import { signInFiles } from '@/server/tools'
import { openTrial, type TrialOutcome } from '@/server/trial'
import { salvageReport } from './lib/salvageReport'
import { verifyReport } from './lib/verifyReport'

const WORDS = {
  en: {
    read: (file: string) => `The configuration ${file} is in order.`,
    note: 'Note',
    models: 'Models',
    tools: 'Tool servers',
    channels: 'Channels to people',
    database: 'Database',
    encrypted: 'encrypted',
    plain: 'not encrypted',
    journal: (seq: number | null) => (seq === null ? 'no journal yet' : `entries up to #${seq}`),
    holder: (holder: { pid: number; host: string } | null) =>
      holder ? `in use by process ${holder.pid} on ${holder.host}` : 'not in use',
    noSalvage: (place: string) => `Nothing is salvaged from ${place}: put a backup back (docs/operate/postgresql.md).`,
    none: 'none configured',
    works: 'works',
    worksNot: 'does not work',
    all: 'All of it works.',
    some: (count: number) => (count === 1 ? 'One of them does not work.' : `${count} of them do not work.`),
    aside: (folder: string, files: number, bytes: number) =>
      `${folder}: files that no entry names: ${files}, ${bytes} bytes. To remove them: npm run doctor -- --empty-aside`,
    emptied: (folder: string, files: number, bytes: number) =>
      `Removed from ${folder}: files: ${files}, ${bytes} bytes.`,
    unknown: (argument: string) => `Unknown argument ${argument}. Known: --empty-aside, --verify, --salvage <folder>`,
  },
  zh: {
    read: (file: string) => `配置文件 ${file} 没有问题。`,
    note: '注意',
    models: '模型',
    tools: '工具服务器',
    channels: '联系人的渠道',
    database: '数据库',
    encrypted: '已加密',
    plain: '未加密',
    journal: (seq: number | null) => (seq === null ? '还没有日志' : `条目到 #${seq}`),
    holder: (holder: { pid: number; host: string } | null) =>
      holder ? `正被 ${holder.host} 上的进程 ${holder.pid} 使用` : '未被使用',
    noSalvage: (place: string) => `无法从 ${place} 抢救数据：请恢复备份（docs/operate/postgresql.md）。`,
    none: '没有配置',
    works: '正常',
    worksNot: '不正常',
    all: '全部正常。',
    some: (count: number) => `有 ${count} 项不正常。`,
    aside: (folder: string, files: number, bytes: number) =>
      `${folder}：没有任何条目引用的文件：${files} 个，${bytes} 字节。删除它们：npm run doctor -- --empty-aside`,
    emptied: (folder: string, files: number, bytes: number) => `已从 ${folder} 删除文件：${files} 个，${bytes} 字节。`,
    unknown: (argument: string) => `未知参数 ${argument}。可用：--empty-aside、--verify、--salvage <文件夹>`,
  },
} as const

async function main(): Promise<void> {
  const config = loadConfig(process.env, (path) => readFileSync(path, 'utf8'), { folder: process.cwd() })
  const words = WORDS[config.team.language]
  const [argument] = process.argv.slice(2)
  if (argument === '--empty-aside') {
    const { folder, files, bytes } = emptyAside(config.dataFolder)
    print(words.emptied(folder, files, bytes))
    return
  }
  if (argument === '--verify') {
    const found = await verifyPlace(config)
    print(...verifyReport(found, placeShown(config), config.team.language))
    process.exitCode = found.damage.length === 0 ? 0 : 1
    return
  }
  if (argument === '--salvage') {
    if (config.databaseUrl !== null) throw new DatabaseUnfitError(words.noSalvage(placeShown(config)))
    const to = process.argv[3]
    if (to === undefined) {
      process.stderr.write('Name the folder to save into: npm run doctor -- --salvage <empty folder>\n')
      process.exitCode = 1
      return
    }
    print(...salvageReport(await salvage(config.dataFolder, resolve(to)), resolve(to), config.team.language))
    return
  }
  if (argument !== undefined) {
    process.stderr.write(`${words.unknown(argument)}\n`)
    process.exitCode = 1
    return
  }
  // A tool server may be given this folder; it would fail without it, and that is no fault of its own.
  mkdirSync(config.workspaceFolder, { recursive: true })
  print(words.read(config.file))
  for (const warning of config.warnings) print(`${words.note}: ${warning}`)
  const quiet = (): void => {}
  const trial = openTrial(config, {
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    signIn: {
      keeping: signInFiles(join(config.dataFolder, 'tool-sign-ins')),
      redirectUrl: () => `${config.publicUrl ?? `http://${config.host}:${config.port}`}/api/tools/oauth/callback`,
    },
  })
  let failed = (await reportDatabase(config.databaseUrl, words)) ? 0 : 1
  const report = async (kind: 'model' | 'tool' | 'channel', title: string, names: readonly string[]): Promise<void> => {
    print('')
    print(names.length === 0 ? `${title}: ${words.none}` : title)
    for (const name of names) {
      const tried = await trial.tryOne(kind, name)
      if (tried === null) continue
      if (!tried.ok) failed += 1
      print(...linesOf(name, tried, tried.ok ? words.works : words.worksNot))
    }
  }
  await report('model', words.models, trial.models)
  await report('tool', words.tools, trial.tools)
  await report('channel', words.channels, trial.channels)
  print('')
  const aside = lookAside(config.dataFolder)
  if (aside.files > 0) print(words.aside(aside.folder, aside.files, aside.bytes), '')
  print(failed === 0 ? words.all : words.some(failed))
  process.exitCode = failed === 0 ? 0 : 1
}

/** out: it can be used, or there is none */
async function reportDatabase(url: string | null, words: (typeof WORDS)['en' | 'zh']): Promise<boolean> {
  if (url === null) return true
  print('', words.database)
  try {
    const { shown, server, encrypted, seq, holder } = await lookAtDatabase(url)
    print(
      `  ${shown}: ${words.works}. PostgreSQL ${server}, ${encrypted ? words.encrypted : words.plain}, ${words.journal(seq)}, ${words.holder(holder)}`,
    )
    return true
  } catch (error) {
    print(`  ${words.worksNot}. ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}

const linesOf = (name: string, { words, hint }: TrialOutcome, state: string): string[] => [
  `  ${name}: ${state}. ${words}`,
  ...(hint === null ? [] : [`    → ${hint}`]),
]

function print(...lines: string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`)
}

main().catch((error: unknown) => {
  const isMendable = [ConfigError, DatabaseUnfitError, StoreBrokenError, StoreLockedError, StoreTooNewError].some(
    (kind) => error instanceof kind,
  )
  process.stderr.write(
    `${isMendable || !(error instanceof Error) ? String(error instanceof Error ? error.message : error) : (error.stack ?? error.message)}\n`,
  )
  process.exit(1)
})
