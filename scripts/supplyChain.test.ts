/** What `npm run audit` says of packages. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { holesIn, isAllowed, unfitLicences } from './lib/supplyChain.mjs'

describe('[R358] licences', () => {
  it('of all packages that run are allowed', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { license?: string; dev?: boolean }>
    }
    expect(unfitLicences(packages)).toEqual([])
  })

  it('are allowed by one of several, or by all of its parts', () => {
    expect(['MIT', '(MIT OR GPL-3.0-only)', 'Apache-2.0 AND MIT'].map(isAllowed)).toEqual([true, true, true])
    const refused = ['GPL-3.0-only', 'AGPL-3.0-or-later', 'MIT AND GPL-2.0-only', 'SEE LICENSE IN LICENSE', 'none', '']
    expect(refused.filter(isAllowed)).toEqual([])
  })

  it('are asked of packages that run, with or without a name of a licence', () => {
    const packages = {
      '': { license: 'GPL-3.0-only' },
      'node_modules/a': { license: 'GPL-3.0-only', dev: true },
      'node_modules/b': {},
      'node_modules/c/node_modules/@d/e': { license: 'SSPL-1.0' },
    }
    expect(unfitLicences(packages)).toEqual([
      { name: 'b', licence: 'none' },
      { name: '@d/e', licence: 'SSPL-1.0' },
    ])
  })
})

describe('[R358] known holes', () => {
  it('are those that the registry names', () => {
    const said = {
      vulnerabilities: {
        next: { severity: 'high', via: [{ title: 'Reads files' }] },
        sharp: { severity: 'low', via: ['next'] },
      },
    }
    expect(holesIn(`npm warn something\n${JSON.stringify(said)}`)).toEqual([
      { name: 'next', severity: 'high', title: 'Reads files' },
      { name: 'sharp', severity: 'low', title: 'by next' },
    ])
    expect(holesIn('{"vulnerabilities":{}}')).toEqual([])
  })

  it('are not known where it does not answer, which is not the same as none', () => {
    for (const text of [
      '',
      'npm error network',
      '{"message":"405 Method Not Allowed","error":{}}',
      '{"vulnerabilities":',
    ])
      expect(holesIn(text)).toBeNull()
  })
})
