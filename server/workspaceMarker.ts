/** Nodes of one team work in one folder of files: a mark that the node that decides leaves there shows that it is the same. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseUnfitError } from './store'

/** Hidden, so that no agent and no page sees it. */
const FOLDER = '.convene'
/** Long enough for a node that starts beside this one, ms. */
const WAIT_MS = 5_000
const STEP_MS = 100

/**
 * in      journal: its id; leads: does this node decide?
 * faults  DatabaseUnfitError: the folder of a follower is not that of the others
 */
export async function ensureSameWorkspace(
  { workspace, journal, leads }: { workspace: string; journal: string; leads: () => boolean },
  sleep: (ms: number) => Promise<void>,
): Promise<void> {
  const mark = join(workspace, FOLDER, journal)
  for (let waited = 0; !existsSync(mark); waited += STEP_MS) {
    if (leads()) {
      mkdirSync(join(workspace, FOLDER), { recursive: true })
      return writeFileSync(mark, '')
    }
    if (waited >= WAIT_MS)
      throw new DatabaseUnfitError(
        `${workspace} is not the workspace of the other nodes: all of them need the same shared folder, named by CONVENE_WORKSPACE`,
      )
    await sleep(STEP_MS)
  }
}
