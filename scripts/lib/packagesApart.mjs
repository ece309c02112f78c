// What of the packages is not bundled.

/**
 * Packages with native code, workers or lazy imports, and `ai`, which may be missing. All others are bundled, which halves the
 * time to the first page.
 */
export const PACKAGES_APART = [
  'next',
  'libsql',
  'pg',
  'esbuild',
  '@node-rs/argon2',
  '@zxcvbn-ts/language-common',
  'pino',
  'nodemailer',
  'web-push',
  'undici',
  'ai',
]
