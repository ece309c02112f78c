/** The exports of the contract: the suites that every store passes. Only tests import this. */
import { accountsContract } from './accountsContract'
import { actsContract } from './actsContract'
import { bodiesContract } from './bodiesContract'
import { clockContract } from './clockContract'
import { countersContract } from './countersContract'
import { envelopesContract } from './envelopesContract'
import { erasingContract } from './erasingContract'
import type { OpenStoreUnderTest } from './harness'
import { journalContract } from './journalContract'
import { peopleContract } from './peopleContract'
import { searchContract } from './searchContract'
import { snapshotsContract } from './snapshotsContract'
import { stepsContract } from './stepsContract'

export type { OpenStoreUnderTest, StoreUnderTest } from './harness'
export {
  accountsContract,
  actsContract,
  bodiesContract,
  clockContract,
  countersContract,
  envelopesContract,
  erasingContract,
  journalContract,
  peopleContract,
  searchContract,
  snapshotsContract,
  stepsContract,
}

/** Hold a store to all of it. */
export function storeContract(name: string, open: OpenStoreUnderTest): void {
  journalContract(name, open)
  actsContract(name, open)
  erasingContract(name, open)
  bodiesContract(name, open)
  snapshotsContract(name, open)
  peopleContract(name, open)
  accountsContract(name, open)
  searchContract(name, open)
  stepsContract(name, open)
  countersContract(name, open)
  envelopesContract(name, open)
}
