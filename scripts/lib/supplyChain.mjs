// What is asked of the packages that run with Convene: their licences, and what is known of their holes.

/**
 * Licences under which a package may run here: each lets Convene be used and passed on, and asks at most that notices are kept or
 * that changes of that package are published.
 */
const ALLOWED = new Set([
  ...[
    'MIT',
    'MIT-0',
    'ISC',
    '0BSD',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'Python-2.0',
    'Zlib',
  ],
  ...['CC0-1.0', 'CC-BY-4.0', 'OFL-1.1', 'Unlicense', 'MPL-2.0'],
  // Shared libraries that are loaded and can be replaced: libvips of sharp, which is optional.
  'LGPL-3.0-or-later',
])

/** Packages whose licence their own file names, not the lock file. */
const READ_BY_HAND = {
  '@modelcontextprotocol/server-filesystem': 'MIT',
  duck: 'BSD-2-Clause',
  'xmlhttprequest-ssl': 'MIT',
}

/**
 * May a package with this licence run here? Of alternatives one is enough, of parts all are needed.
 *
 * @param {string} expression SPDX, without nested brackets
 */
export function isAllowed(expression) {
  const plain = expression.replaceAll(/[()]/g, '')
  return plain.split(/ OR /i).some((one) => one.split(/ AND /i).every((licence) => ALLOWED.has(licence.trim())))
}

/**
 * @param {Record<string, {license?: string, dev?: boolean, link?: boolean}>} packages of a lock file
 * @returns {{name: string, licence: string}[]} those that run and whose licence is not allowed
 */
export function unfitLicences(packages) {
  return Object.entries(packages).flatMap(([path, { license, dev, link }]) => {
    if (path === '' || dev || link) return []
    const name = path.replace(/^.*node_modules\//, '')
    const licence = READ_BY_HAND[name] ?? license ?? 'none'
    return isAllowed(licence) ? [] : [{ name, licence }]
  })
}

/**
 * What `npm audit --json` printed.
 *
 * @param {string} text
 * @returns {{name: string, severity: string, title: string}[] | null} null: the registry gave no answer
 */
export function holesIn(text) {
  const said = jsonIn(text)
  const { vulnerabilities } = said ?? {}
  if (typeof vulnerabilities !== 'object' || vulnerabilities === null) return null
  return Object.entries(vulnerabilities).map(([name, { severity = 'unknown', via = [] }]) => ({
    name,
    severity,
    title: via.map((one) => (typeof one === 'string' ? `by ${one}` : one.title)).join('; '),
  }))
}

/** npm prints warnings before its JSON. */
function jsonIn(text) {
  const start = text.indexOf('{')
  if (start < 0) return null
  try {
    return JSON.parse(text.slice(start))
  } catch {
    return null
  }
}
