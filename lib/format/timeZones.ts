/** Time zones by their IANA names. Pure. */

/** For a browser that does not list them. Any other name that it knows can be typed. */
const COMMON = [
  ...['Africa/Cairo', 'Africa/Johannesburg', 'Africa/Lagos', 'America/Los_Angeles', 'America/Mexico_City'],
  ...['America/New_York', 'America/Sao_Paulo', 'Asia/Dubai', 'Asia/Kolkata', 'Asia/Shanghai', 'Asia/Singapore'],
  ...['Asia/Tokyo', 'Australia/Sydney', 'Europe/Berlin', 'Europe/London', 'Europe/Moscow', 'Pacific/Auckland'],
]

/** Is this the name of a time zone that this machine knows? */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** The names to choose from. */
export function timeZones(): string[] {
  try {
    return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')]
  } catch {
    return ['UTC', ...COMMON]
  }
}
