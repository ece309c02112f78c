/** The version of this program, as health, metrics and backups name it. */
export const VERSION = '0.1.0'
