/** The data folders of earlier forms, as their versions wrote them. */
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

export const FIXTURES = fileURLToPath(new URL('./fixtures/', import.meta.url))
/** The one body that is a file. */
const FILE = 'ec3b7394d6a45187c5e6aef04fc43cf7eec5179c1a75be105ea47324c6cbfc0e'

/** Put it into this folder, in the place of what is there. */
export async function putForm(form: number, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(join(folder, 'bodies', FILE.slice(0, 2)), { recursive: true })
  await writeFile(join(folder, 'convene.db'), gunzipSync(await readFile(join(FIXTURES, `${form}.db.gz`))))
  await copyFile(join(FIXTURES, FILE), join(folder, 'bodies', FILE.slice(0, 2), FILE))
}
