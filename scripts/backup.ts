/** `npm run backup -- <folder> [--workspace] [--keys]`: a backup of the data folder, also while the server runs. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import '@/server/packages'
import { BackupError, backUp, verifyBackup } from '@/server/backup'
import { PUSH_KEYS } from '@/server/notify'
import { VERSION } from '@/server/shared/version'
import { placeShown } from '@/server/store'
import { inWords, print, readArguments, readConfig } from './lib/inWords'

const USAGE = 'npm run backup -- <folder> [--workspace] [--keys]'

inWords(async () => {
  const { positionals, values } = readArguments(USAGE, 'Name one folder for the backup.', () =>
    parseArgs({
      allowPositionals: true,
      options: { workspace: { type: 'boolean', default: false }, keys: { type: 'boolean', default: false } },
    }),
  )
  const config = readConfig()
  if (config.databaseUrl !== null)
    throw new BackupError(
      `The journal is in ${placeShown(config)}: back it up by pg_dump, which docs/operate/postgresql.md shows. The workspace and ${config.dataFolder} are copied as files.`,
    )
  const to = resolve(positionals[0] ?? '')
  await backUp({
    dataFolder: config.dataFolder,
    workspaceFolder: values.workspace ? config.workspaceFolder : null,
    to,
    keys: values.keys,
    keyRows: [PUSH_KEYS],
    keyFolders: ['tool-sign-ins', 'keys'],
    version: VERSION,
    now: Date.now,
  })
  // Verified from disk, so that the report describes what was written.
  const { head, decisions, bodyFiles, files } = await verifyBackup(to)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  print(
    `Backup in ${to}: entries up to #${head} in ${decisions} decisions, ${bodyFiles} large bodies, ${mebibytes(bytes)}.`,
  )
  if (!values.workspace) print('The workspace is not in it (--workspace).')
  if (!values.keys)
    print(
      'Keys and tokens are not in it (--keys): tool servers ask for a new sign-in, browsers for push notices once more.',
    )
  print(`Check it: npm run restore -- ${positionals[0]} --check`)
})

const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`
