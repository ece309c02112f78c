// How Next builds the pages.
import { fileURLToPath } from 'node:url'
import type { NextConfig } from 'next'

const config: NextConfig = {
  // The pages are two static shells; no picture passes through Next, so its image service (and sharp) is not needed.
  images: { unoptimized: true },
  poweredByHeader: false,
  // What a page keeps is read again by the same build alone (client/views/viewCacheCore.ts).
  // CONVENE_GALLERY=1 builds test/gallery too, for the browser tests.
  env: { CONVENE_BUILD: process.env.CONVENE_BUILD ?? 'none', CONVENE_GALLERY: process.env.CONVENE_GALLERY ?? '' },
  reactStrictMode: true,
  turbopack: {
    // Without a root, a lock file in a folder above makes Turbopack take that folder for the project.
    root: fileURLToPath(new URL('.', import.meta.url)),
    // Texts are read at the build (messages/README.md): browsers get them in pieces, and only what puts the values in.
    rules: {
      '**/messages/*.json': { loaders: [fileURLToPath(new URL('messages/forPages.mjs', import.meta.url))], as: '*.js' },
    },
    resolveAlias: { 'use-intl/format-message': './lib/i18n/formatWords.ts' },
  },
  // `npm test` checks the types of everything, tests too, as its first part. A second run inside the build would let a
  // type error in a test keep somebody's `npm start` from starting.
  typescript: { ignoreBuildErrors: true },
}

export default config
