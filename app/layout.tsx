/** The document: fonts, the theme before the first paint, the live regions. Texts are loaded by language in the browser. */
import type { Metadata, Viewport } from 'next'
import localFont from 'next/font/local'
import type { ReactNode } from 'react'
import { themeScript } from '@/client/themeScript'
import { Announcer } from '@/components/ui/Announcer'
import './globals.css'

const text = localFont({
  src: '../node_modules/@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2',
  weight: '200 800',
  variable: '--font-text',
  display: 'swap',
})
// Fetched only when one of its letters is on the page.
const textExt = localFont({
  src: '../node_modules/@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-ext-wght-normal.woff2',
  weight: '200 800',
  variable: '--font-text-ext',
  display: 'swap',
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
    },
  ],
})
const code = localFont({
  src: '../node_modules/@fontsource-variable/atkinson-hyperlegible-mono/files/atkinson-hyperlegible-mono-latin-wght-normal.woff2',
  weight: '200 800',
  variable: '--font-code',
  display: 'swap',
  preload: false,
  adjustFontFallback: false,
})
const codeExt = localFont({
  src: '../node_modules/@fontsource-variable/atkinson-hyperlegible-mono/files/atkinson-hyperlegible-mono-latin-ext-wght-normal.woff2',
  weight: '200 800',
  variable: '--font-code-ext',
  display: 'swap',
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
    },
  ],
})

export const metadata: Metadata = {
  referrer: 'same-origin',
  robots: { index: false, follow: false },
  other: { google: 'notranslate' },
  manifest: '/manifest.webmanifest',
  // Next ignores app/icon.svg when any icon is configured.
  icons: { icon: { url: '/icon.svg', type: 'image/svg+xml' }, apple: '/apple-touch-icon.png' },
  appleWebApp: { capable: true, title: 'Convene', statusBarStyle: 'default' },
}

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  viewportFit: 'cover',
  interactiveWidget: 'resizes-content',
  // --color-bg of globals.css: the frame of the installed app's window.
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f7f4ee' },
    { media: '(prefers-color-scheme: dark)', color: '#0c1316' },
  ],
}

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    // The script changes attributes before React sees them.
    <html
      lang="en"
      // The page has languages of its own. A translator would replace texts that change while one reads.
      translate="no"
      suppressHydrationWarning
      className={`${text.variable} ${textExt.variable} ${code.variable} ${codeExt.variable}`}
    >
      <head>
        {/* Not in the metadata, which Next may apply after the page has set its title. */}
        <title>Convene</title>
      </head>
      <body>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this program; its hash is in the policy. */}
        <script dangerouslySetInnerHTML={{ __html: themeScript }} />
        <Announcer />
        {children}
      </body>
    </html>
  )
}
