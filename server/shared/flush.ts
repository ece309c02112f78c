/** What was written is on the disk, not only in the system's memory, before something else counts on it. */
import { open } from 'node:fs/promises'

/** Make a file's content durable. faults: errors of the file system */
export async function flushFile(path: string): Promise<void> {
  // Windows flushes only what is open for writing.
  await flush(path, 'r+')
}

/** Make the names in a folder durable. faults: errors of the file system */
export async function flushFolder(folder: string): Promise<void> {
  // Windows cannot open a folder for this; its rename is as durable as it gets.
  if (process.platform !== 'win32') await flush(folder, 'r')
}

async function flush(path: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
