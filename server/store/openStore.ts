/** Opens the store of the environment. */
import { type SeenDatabase, SHARED_DATABASE } from './database'
import type { Store, StoreOptions, Verified } from './interfaces'
import { openSqliteStore } from './sqlite/openSqliteStore'
import { verifyFolder } from './sqlite/repair/verifyFolder'

/** databaseUrl: of PostgreSQL; null: the embedded store in the data folder. sessions: maximum number of connections */
export type StorePlace = { databaseUrl: string | null; dataFolder: string; sessions?: number | undefined }

const WHO = 'DATABASE_URL'

/** Opens it exclusively. faults: those of openSqliteStore and of the database; PackageMissingError */
export async function openStore(
  { databaseUrl, dataFolder, sessions }: StorePlace,
  options: StoreOptions = {},
): Promise<Store> {
  if (databaseUrl === null) return openSqliteStore(dataFolder, options)
  return SHARED_DATABASE.get(WHO).open(databaseUrl, sessions === undefined ? options : { ...options, sessions })
}

/** Checks all data of a stopped server. faults: StoreLockedError, StoreBrokenError, StoreTooNewError, DatabaseUnfitError */
export async function verifyPlace(place: StorePlace): Promise<Verified> {
  if (place.databaseUrl === null) return verifyFolder(place.dataFolder)
  const store = await openStore(place)
  try {
    return await store.verify()
  } finally {
    await store.close()
  }
}

/** The state of a database, also while a process uses it. faults: DatabaseUnfitError */
export const lookAtDatabase = async (url: string): Promise<SeenDatabase> => SHARED_DATABASE.get(WHO).look(url)

/** For messages: the folder, or the database without its password. */
export const placeShown = ({ databaseUrl, dataFolder }: StorePlace): string =>
  databaseUrl === null ? dataFolder : SHARED_DATABASE.get(WHO).shown(databaseUrl)
