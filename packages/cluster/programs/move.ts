/** `npm run move -- --to postgres://… | <folder>`: move the team to PostgreSQL, or from DATABASE_URL to a data folder. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import '@/server/packages'
import { inWords, print, readConfig } from '@/scripts/lib/inWords'
import { BackupError, moveStore } from '@/server/backup'
import { placeShown, type StorePlace } from '@/server/store'

const USAGE = 'npm run move -- --to <postgres://… or an empty folder> [--without-snapshots]'

inWords(async () => {
  const { to: wanted, withSnapshots } = readArguments()
  const { databaseUrl, dataFolder } = readConfig()
  const isToDatabase = /^postgres(ql)?:\/\//.test(wanted)
  if (!isToDatabase && databaseUrl === null)
    throw new BackupError(`Set DATABASE_URL to the database that is moved to the folder.\n  ${USAGE}`)
  const from: StorePlace = { databaseUrl: isToDatabase ? null : databaseUrl, dataFolder }
  const to: StorePlace = isToDatabase
    ? { databaseUrl: wanted, dataFolder }
    : { databaseUrl: null, dataFolder: resolve(wanted) }
  print(`Moving ${placeShown(from)} to ${placeShown(to)} …`)
  const { entries, bodies, rows, snapshots } = await moveStore(from, to, { withSnapshots })
  print(
    `Moved and compared: ${entries} entries, ${bodies} bodies, ${rows} rows of people and accounts, ${snapshots} snapshots. ${placeShown(from)} is as it was.`,
  )
  print(
    isToDatabase
      ? `Start with DATABASE_URL set to it and the same CONVENE_DATA: sign-ins at tool servers and the key file stay in ${dataFolder}.`
      : `Start without DATABASE_URL and with CONVENE_DATA=${to.dataFolder}; copy tool-sign-ins/ and keys/ from ${dataFolder} by hand.`,
  )
})

function readArguments(): { to: string; withSnapshots: boolean } {
  try {
    const { values } = parseArgs({
      options: { to: { type: 'string' }, 'without-snapshots': { type: 'boolean', default: false } },
    })
    if (values.to) return { to: values.to, withSnapshots: !values['without-snapshots'] }
  } catch (error) {
    throw new BackupError(`${error instanceof Error ? error.message : String(error)}\n  ${USAGE}`)
  }
  throw new BackupError(`Say where to.\n  ${USAGE}`)
}
