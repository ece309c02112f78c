/** The mark in the workspace that several nodes share. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { DatabaseUnfitError } from './store'
import { ensureSameWorkspace } from './workspaceMarker'

const root = mkdtempSync(join(tmpdir(), 'convene-marker-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

it('[R253] a follower with another workspace is refused in words; one that starts beside the first node waits for its mark', async () => {
  const look = (workspace: string, leads: boolean, sleep = async () => {}): Promise<unknown> =>
    ensureSameWorkspace({ workspace, journal: 'a1', leads: () => leads }, sleep).catch((error: unknown) => error)
  const [shared, other] = [mkdtempSync(join(root, 'shared-')), mkdtempSync(join(root, 'other-'))]
  const early = look(shared, false, async () => {
    await look(shared, true)
  })
  expect(await early).toBeUndefined()
  expect(await look(shared, false)).toBeUndefined()
  const refused = await look(other, false)
  expect(refused).toBeInstanceOf(DatabaseUnfitError)
  expect(String(refused)).toContain('CONVENE_WORKSPACE')
})
