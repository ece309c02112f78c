/** The store that the environment names. */
import type { Store, StoreOptions, Verified } from './interfaces'
import { readAddress } from './postgres/address'
import type { SeenDatabase } from './postgres/look'
import { openSqliteStore } from './sqlite/openSqliteStore'
import { verifyFolder } from './sqlite/verifyFolder'

/** databaseUrl: of PostgreSQL; null: the embedded store in the data folder. sessions: with PostgreSQL at the same time */
export type StorePlace = { databaseUrl: string | null; dataFolder: string; sessions?: number | undefined }

/** Opens it for this process alone. faults: those of openSqliteStore, openPostgresStore */
export async function openStore(
  { databaseUrl, dataFolder, sessions }: StorePlace,
  options: StoreOptions = {},
): Promise<Store> {
  if (databaseUrl === null) return openSqliteStore(dataFolder, options)
  // The driver is read where it is needed only.
  const { openPostgresStore } = await import('./postgres/openPostgresStore')
  return openPostgresStore(databaseUrl, sessions === undefined ? options : { ...options, sessions })
}

/** Looks through all that a stopped server keeps. faults: StoreLockedError, StoreBrokenError, StoreTooNewError, DatabaseUnfitError */
export async function verifyPlace(place: StorePlace): Promise<Verified> {
  if (place.databaseUrl === null) return verifyFolder(place.dataFolder)
  const store = await openStore(place)
  try {
    return await store.verify()
  } finally {
    await store.close()
  }
}

/** What is seen of a database from outside, also while a process uses it. faults: DatabaseUnfitError */
export const lookAtDatabase = async (url: string): Promise<SeenDatabase> =>
  (await import('./postgres/look')).seeDatabase(url)

/** For people: the folder, or the database without its password. */
export const placeShown = ({ databaseUrl, dataFolder }: StorePlace): string =>
  databaseUrl === null ? dataFolder : readAddress(databaseUrl).shown
