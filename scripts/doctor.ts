/** `npm run doctor`: tests the configuration. Only `--verify` reads the journal, which must not be in use. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import '@/server/packages'
import type { Language } from '@/lib/mas/records'
import type { TriedAnswer } from '@/lib/wire/http'
import type { CompanySignIn } from '@/server/companySignIn'
import { companySignInOf } from '@/server/openCompany'
import { emptyAside, lookAside, lookAtDatabase, placeShown, verifyPlace } from '@/server/store'
import { signInFiles } from '@/server/tools'
import { openTrial } from '@/server/trial'
import { sayDoctor, verifyReport } from './lib/doctorReports'
import { inWords, print, printTrouble, readConfig } from './lib/inWords'

async function main(): Promise<void> {
  const config = readConfig()
  const { language } = config.team
  const [argument] = process.argv.slice(2)
  if (argument === '--empty-aside') {
    print(sayDoctor(language, 'emptied', emptyAside(config.dataFolder)))
    return
  }
  if (argument === '--verify') {
    const found = await verifyPlace(config)
    print(...verifyReport(found, placeShown(config), language))
    process.exitCode = found.damage.length === 0 ? 0 : 1
    return
  }
  if (argument !== undefined) {
    printTrouble(sayDoctor(language, 'unknown', { argument }))
    process.exitCode = 1
    return
  }
  // A tool server may need this folder; it would fail without it.
  mkdirSync(config.workspaceFolder, { recursive: true })
  print(sayDoctor(language, 'read', { file: config.file }))
  for (const warning of config.warnings) print(`${sayDoctor(language, 'note')}: ${warning}`)
  const quiet = (): void => {}
  const trial = openTrial(config, {
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    signIn: {
      keeping: signInFiles(join(config.dataFolder, 'tool-sign-ins')),
      redirectUrl: () => `${config.publicUrl ?? `http://${config.host}:${config.port}`}/api/tools/oauth/callback`,
    },
  })
  let failed = (await reportDatabase(config.databaseUrl, language)) ? 0 : 1
  const report = async (kind: 'model' | 'tool' | 'channel', title: string, names: readonly string[]): Promise<void> => {
    print('')
    print(names.length === 0 ? `${title}: ${sayDoctor(language, 'none')}` : title)
    for (const name of names) {
      const tried = await trial.tryOne(kind, name)
      if (tried === null) continue
      if (!tried.ok) failed += 1
      print(...linesOf(name, tried, sayDoctor(language, tried.ok ? 'works' : 'worksNot')))
    }
  }
  await report('model', sayDoctor(language, 'models'), trial.models)
  await report('tool', sayDoctor(language, 'tools'), trial.tools)
  await report('channel', sayDoctor(language, 'channels'), trial.channels)
  failed += await reportProviders(companySignInOf(config, Date.now), language)
  print('')
  const aside = lookAside(config.dataFolder)
  if (aside.files > 0) print(sayDoctor(language, 'aside', aside), '')
  print(failed === 0 ? sayDoctor(language, 'all') : sayDoctor(language, 'some', { count: failed }))
  process.exitCode = failed === 0 ? 0 : 1
}

/** out: how many providers cannot be used */
async function reportProviders(signIn: CompanySignIn | null, language: Language): Promise<number> {
  if (signIn === null) return 0
  print('', sayDoctor(language, 'providers'))
  let failed = 0
  for (const { id, name } of signIn.providers) {
    const why = await signIn.trouble(id)
    if (why !== null) failed += 1
    print(`  ${name}: ${sayDoctor(language, why === null ? 'works' : 'worksNot')}.${why === null ? '' : ` ${why}`}`)
  }
  return failed
}

/** out: it is usable, or there is none */
async function reportDatabase(url: string | null, language: Language): Promise<boolean> {
  if (url === null) return true
  print('', sayDoctor(language, 'database'))
  try {
    const { shown, server, encrypted, seq, holder } = await lookAtDatabase(url)
    const use = holder === null ? sayDoctor(language, 'notInUse') : sayDoctor(language, 'inUse', holder)
    const journal = seq === null ? sayDoctor(language, 'noJournal') : sayDoctor(language, 'journal', { seq })
    print(
      `  ${shown}: ${sayDoctor(language, 'works')}. PostgreSQL ${server}, ${sayDoctor(language, encrypted ? 'encrypted' : 'plain')}, ${journal}, ${use}`,
    )
    return true
  } catch (error) {
    print(`  ${sayDoctor(language, 'worksNot')}. ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}

const linesOf = (name: string, { words, hint }: TriedAnswer, state: string): string[] => [
  `  ${name}: ${state}. ${words}`,
  ...(hint === null ? [] : [`    → ${hint}`]),
]

inWords(main)
