/** The source of the thread of schemaChecks.ts. A text, because the server is one bundled file. It loads packages of its starter. */
export const SCHEMA_WORKER = `
const { parentPort, workerData } = require('node:worker_threads')
const load = require('node:module').createRequire(workerData.from)
const { Ajv } = load('ajv')
const { Ajv2020 } = load('ajv/dist/2020.js')
const { RE2JS } = load('re2js')

const MOST_ERRORS = 100
// This thread's folder in /proc, if there is one.
let thread = null
try {
  thread = require('node:fs').readlinkSync('/proc/thread-self')
} catch {}
const validators = new Map()

// JavaScript decides what is a pattern; the linear engine runs it where possible.
const engineFor = (linear) =>
  Object.assign(
    (pattern, flags) => {
      const own = new RegExp(pattern, flags)
      const source = linear.get(pattern)
      if (source === undefined) return own
      try {
        return RE2JS.compile(source)
      } catch {
        return own
      }
    },
    { code: 'new RegExp' },
  )

// A format only annotates in the newest draft. One Ajv each, since two servers may use one $id.
function compile({ schema, linear }) {
  const options = {
    strict: false,
    validateFormats: false,
    validateSchema: false,
    allErrors: true,
    logger: false,
    code: { regExp: engineFor(linear) },
  }
  const isOlder = typeof schema.$schema === 'string' && schema.$schema.includes('draft-0')
  try {
    return (isOlder ? new Ajv(options) : new Ajv2020(options)).compile(schema)
  } catch (error) {
    if (error instanceof RangeError) throw error
    return null
  }
}

// Reports a failed choice once, not once per branch.
function ownErrors(errors) {
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf').map((one) => one.schemaPath + '/')
  return errors
    .filter(({ schemaPath }) => !choices.some((path) => schemaPath.startsWith(path)))
    .slice(0, MOST_ERRORS)
    .map(({ keyword, instancePath, params, message }) => ({ keyword, instancePath, params, message }))
}

function check({ key, made, value }) {
  if (made !== null) validators.set(key, compile(made))
  const validate = validators.get(key) ?? null
  if (validate === null) return { end: 'unreadable' }
  return { end: 'checked', errors: validate(value) ? [] : ownErrors(validate.errors ?? []) }
}

parentPort.on('message', (asked) => {
  if (asked.forget) {
    validators.clear()
    return
  }
  parentPort.postMessage({ end: 'begun', thread })
  let answer
  try {
    answer = check(asked)
  } catch {
    answer = { end: 'failed' }
  }
  parentPort.postMessage(answer)
})
`
