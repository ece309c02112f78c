/** Listens on a port, and explains why it cannot. */
import { readdir, readFile, readlink } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The port cannot be opened; the message is for the person who started the program. */
export class CannotListenError extends Error {
  override readonly name = 'CannotListenError'
}

/** Listens; port 0: any free one. out: the port. Throws CannotListenError, with what to do. */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  try {
    return await tryPort(server, host, port)
  } catch (error) {
    throw new CannotListenError(await sentenceFor(error as NodeJS.ErrnoException, host, port))
  }
}

function tryPort(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

async function sentenceFor({ code, message }: NodeJS.ErrnoException, host: string, port: number): Promise<string> {
  switch (code) {
    case 'EADDRINUSE': {
      const free = await freePort(host, port + 1)
      const instead = free === null ? '' : ` Port ${free} is free: PORT=${free} npm start`
      return `Port ${port} on ${host} is taken by ${await holderOf(host, port)}.${instead}`
    }
    case 'EACCES':
      return `This user may not listen on port ${port}. Ports from 1024 on need no right: PORT=3000 npm start`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is no address of this machine. Set HOST to one, or to 127.0.0.1.`
    default:
      return `Cannot listen on ${host}:${port}: ${message}`
  }
}

async function freePort(host: string, from: number): Promise<number | null> {
  for (let port = from; port < from + 20 && port <= 65_535; port++) {
    const probe = createServer()
    const isFree = await tryPort(probe, host, port).then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    await new Promise((resolve) => probe.close(resolve))
    return port
  }
  return null
}

async function holderOf(host: string, port: number): Promise<string> {
  const address = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  const health: unknown = await fetch(`http://${address.includes(':') ? `[${address}]` : address}:${port}/api/health`, {
    signal: AbortSignal.timeout(1_000),
  })
    .then(
      (answer) => answer.json(),
      () => null,
    )
    .catch(() => null)
  const convene = typeof health === 'object' && health !== null && 'journal' in health ? 'another Convene' : null
  const holder = await processOn(port)
  if (holder) return `${convene ? `${convene}, ` : ''}process ${holder.pid} (${holder.name})`
  return convene ?? `another program (who: lsof -i :${port})`
}

/** The process that listens on a port, from /proc; null on other systems, or without the right to read it. */
async function processOn(port: number): Promise<{ pid: number; name: string } | null> {
  const inode = await inodeOf(port)
  if (inode === null) return null
  for (const pid of (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))) {
    for (const handle of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const target = await readlink(`/proc/${pid}/fd/${handle}`).catch(() => '')
      if (target !== `socket:[${inode}]`) continue
      const name = (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'unknown')).trim()
      return { pid: Number(pid), name }
    }
  }
  return null
}

async function inodeOf(port: number): Promise<string | null> {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const lines = (await readFile(table, 'utf8').catch(() => '')).split('\n')
    for (const line of lines) {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/)
      if (local?.endsWith(`:${hex}`) && state === '0A' && inode) return inode
    }
  }
  return null
}
