import { pathToFileURL } from 'node:url'
import { type ConveneClient, openClient } from '..'

/** Runs the example whose file was started by its name, against the installation that CONVENE_URL and CONVENE_TOKEN name. */
export async function asProgram(file: string, run: (client: ConveneClient) => unknown): Promise<void> {
  if (file !== pathToFileURL(process.argv[1] ?? '').href) return
  const { CONVENE_URL, CONVENE_TOKEN } = process.env
  if (!CONVENE_URL || !CONVENE_TOKEN)
    throw new Error('CONVENE_URL and CONVENE_TOKEN name the installation and the token.')
  await run(openClient({ url: CONVENE_URL, token: CONVENE_TOKEN }))
}
