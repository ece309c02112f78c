/** `npm run restore -- <folder> [--workspace]`: restore a backup into an empty data folder; `--check`: only check it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import '@/server/packages'
import { BackupError, checkRestored, restore } from '@/server/backup'
import { openSqliteStore } from '@/server/store'
import { inWords, print, readArguments, readConfig } from './lib/inWords'

const USAGE = 'npm run restore -- <folder> [--workspace | --check]'

inWords(async () => {
  const { positionals, values } = readArguments(USAGE, 'Name the folder of the backup.', () =>
    parseArgs({
      allowPositionals: true,
      options: { workspace: { type: 'boolean', default: false }, check: { type: 'boolean', default: false } },
    }),
  )
  const from = resolve(positionals[0] ?? '')
  if (values.check) return check(from)
  const config = readConfig()
  if (config.databaseUrl !== null)
    throw new BackupError(
      'DATABASE_URL is set, and a backup is restored into a data folder: unset it, restore, then npm run move -- --to the database.',
    )
  const { head, keys, madeAt } = await restore({
    from,
    dataFolder: config.dataFolder,
    workspaceFolder: values.workspace ? config.workspaceFolder : null,
  })
  print(`Restored into ${config.dataFolder}: entries up to #${head}, as of ${madeAt}.`)
  if (!keys) print('The backup holds no keys: tool servers ask for a new sign-in, browsers for push notices once more.')
  print('Start: npm start')
})

/** In a temporary folder: neither the backup nor the data folder is changed. */
async function check(from: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'convene-check-'))
  try {
    const manifest = await restore({ from, dataFolder: join(folder, 'data'), workspaceFolder: null })
    const store = await openSqliteStore(join(folder, 'data'))
    try {
      const { entries, tasks } = await checkRestored(store, manifest)
      print(
        `The backup is whole: ${manifest.files.length} files as they were made, ${entries} entries verified and reduced, ${tasks} live tasks.`,
      )
    } finally {
      await store.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
