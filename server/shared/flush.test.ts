/** Files and folders are synced by the handle that was opened for them, and a failure is told. */
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { flushFile, flushFolder } from './flush'

it('a file and a folder are synced once, and what is not there is an error', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'convene-flush-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'file')
  await writeFile(file, 'x')
  const handle = await open(file)
  const synced = vi.spyOn(Object.getPrototypeOf(handle), 'sync')
  await handle.close()
  await flushFile(file)
  expect(synced).toHaveBeenCalledTimes(1)
  await flushFolder(folder)
  expect(synced).toHaveBeenCalledTimes(process.platform === 'win32' ? 1 : 2)
  await expect(flushFile(join(folder, 'none'))).rejects.toThrow('ENOENT')
  await expect(flushFolder(join(folder, 'none'))).rejects.toThrow(process.platform === 'win32' ? '' : 'ENOENT')
})
